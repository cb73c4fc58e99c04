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
