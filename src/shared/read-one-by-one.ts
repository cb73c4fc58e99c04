/**
 * Reads items from any iterable, one at a time and on demand. An async generator handles concurrent calls of
 * `next()` in order.
 */
export function readOneByOne<Item>(items: Iterable<Item> | AsyncIterable<Item>): {
  next(): Promise<IteratorResult<{ item: Item }, void>>;
  close(): void;
} {
  const iterator = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  let isDone = false;
  async function* read(): AsyncGenerator<{ item: Item }, void, undefined> {
    try {
      while (!isDone) {
        const { done, value } = await iterator.next();
        if (done) return;
        yield { item: value };
      }
    } finally {
      isDone = true;
    }
  }
  const generator = read();
  return {
    next: () => generator.next(),
    /**
     * Tells the iterator to release its resources, such as an open file. Doesn't wait for it, because a
     * pending item may never arrive.
     */
    close(): void {
      if (isDone) return;
      isDone = true;
      // Errors are ignored. The async function is needed because a synchronous iterator throws instead of
      // rejecting.
      (async () => iterator.return?.())().catch(() => {});
    },
  };
}
