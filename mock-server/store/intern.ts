/**
 * Gives every text a small number, and the same one for ever: numbers are shared by all versions
 * of the state, so nothing here has to be copied or put back.
 */
export class Intern {
  readonly #slots = new Map<string, number>();
  readonly #texts: string[] = [];

  /** @returns undefined for a text that was never given a number */
  find(text: string): number | undefined {
    return this.#slots.get(text);
  }

  textOf(slot: number): string {
    return this.#texts[slot] as string;
  }

  of(text: string): number {
    let slot = this.#slots.get(text);
    if (slot === undefined) {
      slot = this.#slots.size;
      this.#slots.set(text, slot);
      this.#texts.push(text);
    }
    return slot;
  }
}
