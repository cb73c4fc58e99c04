/**
 * Keeps names unique. Finding a free name is fast even if thousands are taken, because each number is tried
 * only once.
 */
export class NamePool {
  readonly #taken: Set<string>;
  readonly #lastCount = new Map<string, number>();

  constructor(taken: Iterable<string>) {
    this.#taken = new Set(taken);
  }

  has(name: string): boolean {
    return this.#taken.has(name);
  }

  add(name: string): void {
    this.#taken.add(name);
  }

  /**
   * Returns the name if it's free. Otherwise, returns the first free name with a number, such as
   * `in-review-2`.
   */
  free(name: string, separator: string): string {
    if (!this.#taken.has(name)) return name;
    let count = this.#lastCount.get(name) ?? 2;
    while (this.#taken.has(`${name}${separator}${count}`)) count += 1;
    this.#lastCount.set(name, count);
    return `${name}${separator}${count}`;
  }
}
