import { delay, onAbort, race } from '../../../src/shared/abort.js';
import { counted } from '../../../src/shared/count.js';
import { describeThrown } from '../../../src/shared/describe-thrown.js';
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

  constructor(signal?: AbortSignal) {
    this.#ignoreSignal = signal && onAbort(signal, () => this.stop());
  }

  get isStopped(): boolean {
    return this.#controller.signal.aborted;
  }

  /**
   * The signal for requests. When the import is stopped, this signal aborts only after a delay, so that most
   * requests can finish.
   */
  get requests(): AbortSignal {
    return this.#requests.signal;
  }

  stop(): void {
    if (this.isStopped) return;
    this.#controller.abort();
    this.#timer = setTimeout(() => this.#requests.abort(), grace);
  }

  fail(cause: unknown): void {
    this.failure ??= { cause };
    this.stop();
  }

  /** Waits for the given time, or until the import is stopped. */
  async wait(milliseconds: number): Promise<void> {
    await delay(milliseconds, this.#controller.signal).catch(() => {});
  }

  /** @returns the promise's value, or undefined if the import is stopped first */
  race<Value>(promise: Promise<Value>): Promise<Value | undefined> {
    return race(promise, this.#controller.signal).catch((error) => {
      if (!this.isStopped) throw error;
      return undefined;
    });
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#ignoreSignal?.();
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
    super(`the ${what} stopped after ${counted(report.finished, 'row')}: ${reason}`, { cause });
    // The report isn't enumerable, because it's too long to be printed with the error.
    Object.defineProperty(this, 'report', { value: report, enumerable: false });
  }
}
