/** One lock per group. Rows acquire a lock in the order they requested it. */
export class GroupLocks {
  readonly #tails = new Map<string, Promise<void>>();

  /** @returns a function that releases the lock */
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
