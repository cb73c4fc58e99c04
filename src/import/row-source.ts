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
   * Releases the iterator's resources, such as an open file. Doesn't wait for the iterator, because a pending
   * row may never arrive.
   */
  close(): void {
    if (this.#isDone) return;
    this.#isDone = true;
    // The async function also catches what a synchronous iterator throws.
    (async () => this.#iterator.return?.())().catch(() => {});
  }
}
