/** Lets one holder at a time into each group; the others wait in order. */
export class GroupLocks {
  readonly #tails = new Map<string, Promise<void>>();

  /** @returns what lets the next one in */
  async enter(group: string): Promise<() => void> {
    const before = this.#tails.get(group);
    let leave = () => {};
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    this.#tails.set(group, left);
    await before;
    return () => {
      if (this.#tails.get(group) === left) this.#tails.delete(group);
      leave();
    };
  }
}
