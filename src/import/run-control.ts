import { delay, onAbort } from '../shared/abort.js';
import { describeThrown } from '../shared/describe-thrown.js';
import type { ImportReport } from './report.js';

/** The grace period for in-flight requests after an import is stopped, in milliseconds. */
const grace = 5000;

/** Stops an import early and interrupts its waits and requests. */
export class ImportStop {
  /** The first error that affects every row. */
  failure: { cause: unknown } | undefined;
  readonly #controller = new AbortController();
  readonly #requests = new AbortController();
  readonly #ignoreSignal: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(signal: AbortSignal | undefined) {
    this.#ignoreSignal = signal && onAbort(signal, () => this.#end());
  }

  get isStopped(): boolean {
    return this.#controller.signal.aborted;
  }

  /**
   * The signal for requests. After a stop, it aborts only after a delay, so that most requests can finish.
   */
  get requests(): AbortSignal {
    return this.#requests.signal;
  }

  fail(cause: unknown): void {
    this.failure ??= { cause };
    this.#end();
  }

  /** Waits for the given time, or until the import is stopped. */
  async wait(milliseconds: number): Promise<void> {
    await delay(milliseconds, this.#controller.signal).catch(() => {});
  }

  /** @returns the promise's value, or undefined if the import is stopped first */
  race<Value>(promise: Promise<Value>): Promise<Value | undefined> {
    return new Promise((resolve, reject) => {
      const removeListener = onAbort(this.#controller.signal, () => resolve(undefined));
      promise.then(resolve, reject).finally(removeListener);
    });
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#ignoreSignal?.();
  }

  #end(): void {
    if (this.isStopped) return;
    this.#controller.abort();
    this.#timer = setTimeout(() => this.#requests.abort(), grace);
  }
}

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

/** Thrown instead of sending a request if the import or the worker has been stopped. */
export class Interrupted extends Error {}

/**
 * Thrown if an import or a sync can't continue. `cause` is the reason, and `report` contains the results so
 * far. All finished rows are in the ledger. To continue, fix the cause and run the import or sync again.
 */
export class ImportStoppedError extends Error {
  override readonly name = 'ImportStoppedError';
  /** The results so far. */
  declare readonly report: ImportReport<unknown>;

  constructor(cause: unknown, report: ImportReport<unknown>, what: 'import' | 'sync' = 'import') {
    const reason = cause instanceof Error ? cause.message : describeThrown(cause);
    super(
      `the ${what} stopped after ${report.finished} ${report.finished === 1 ? 'row' : 'rows'}: ${reason}`,
      {
        cause,
      },
    );
    // The report isn't enumerable, because it's too long to be printed with the error.
    Object.defineProperty(this, 'report', { value: report, enumerable: false });
  }
}
