/** Reads rows from any iterable, one at a time and on demand. */
export class RowSource<Row> {
  readonly #iterator: Iterator<Row> | AsyncIterator<Row>;
  #reading: Promise<unknown> = Promise.resolve();
  #isDone = false;

  constructor(rows: Iterable<Row> | AsyncIterable<Row>) {
    this.#iterator = Symbol.asyncIterator in rows ? rows[Symbol.asyncIterator]() : rows[Symbol.iterator]();
  }

  /** @returns undefined after the last row */
  next(): Promise<{ row: Row } | undefined> {
    const next = this.#reading.then(async () => {
      if (this.#isDone) return undefined;
      try {
        const result = await this.#iterator.next();
        if (!result.done) return { row: result.value };
      } catch (error) {
        this.#isDone = true;
        throw error;
      }
      this.#isDone = true;
      return undefined;
    });
    this.#reading = next.catch(() => {});
    return next;
  }

  /**
   * Tells the iterator to release its resources, such as an open file. Doesn't wait for it, because a pending
   * row may never arrive.
   */
  close(): void {
    if (this.#isDone) return;
    this.#isDone = true;
    // Errors are ignored. The async function is needed because a synchronous iterator throws instead of
    // rejecting.
    (async () => this.#iterator.return?.())().catch(() => {});
  }
}

/** Locks groups. Rows get a group's lock in the order they requested it. */
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
