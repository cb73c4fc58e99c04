import {
  AuthenticationError,
  ConfigurationError,
  ConnectionError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  RequestTimeoutError,
  ServerError,
  WorktrackError,
} from '../../src/index.js';
import { delay, onAbort, race, readOneByOne } from '../../src/internal.js';
import { BookError } from './book.js';

/** What a job is waiting for, if anything. */
export type RunStatus = 'running' | 'rate_limited' | 'unavailable';

/** Runs a job's work concurrently, waits while the API is unavailable, and stops the job early. */
export class RunControl {
  status: RunStatus = 'running';
  /** The first error that affects all of the job's work. */
  failure: { cause: unknown } | undefined;
  readonly #maxOutage: number;
  readonly #concurrency: number;
  readonly #onWait: () => void;
  readonly #stopped = new AbortController();
  readonly #requests = new AbortController();
  readonly #ignoreSignal: (() => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The last error and the number of failed requests since the API last responded. */
  #outage: { error: unknown; failures: number } = { error: undefined, failures: 0 };
  #respondedAt = performance.now();

  /** @param options.onWait called before each wait */
  constructor(options: RunControlOptions) {
    const { signal, maxOutage, concurrency, onWait } = options;
    this.#maxOutage = maxOutage;
    this.#concurrency = concurrency;
    this.#onWait = onWait;
    this.#ignoreSignal = signal && onAbort(signal, () => this.stop());
  }

  get isStopped(): boolean {
    return this.#stopped.signal.aborted;
  }

  /** Processes items concurrently, until none are left or the job is stopped. */
  async forEach<Item>(
    items: Iterable<Item> | AsyncIterable<Item>,
    process: (item: Item, index: number) => Promise<void>,
  ): Promise<void> {
    const source = readOneByOne(items);
    let count = 0;
    const worker = async () => {
      try {
        for (;;) {
          const next = await this.unlessStopped(source.next());
          if (!next.value || this.isStopped) return;
          await process(next.value.item, count++);
        }
      } catch (error) {
        this.fail(error);
      }
    };
    await Promise.all(Array.from({ length: this.#concurrency }, worker));
    source.close();
  }

  /**
   * Makes a request. Waits and tries again if the API is rate-limited, or if it's unavailable and certainly
   * didn't do anything.
   *
   * @param isRead whether the request can be sent again in any case
   * @throws Interrupted if the job is stopped before the request is sent, also while the client delays it
   */
  async request<Result>(
    send: (options: { signal: AbortSignal }) => Promise<Result>,
    isRead = false,
  ): Promise<Result> {
    for (let attempt = 0; ; attempt++) {
      await this.#waitWhileUnavailable();
      if (this.isStopped) throw new Interrupted();
      try {
        const result = await send({ signal: this.#requests.signal });
        this.#endOutage();
        return result;
      } catch (error) {
        if (this.#requests.signal.aborted && Object(error).outcome === 'not_sent') throw new Interrupted();
        if (isOutage(error)) this.#outage = { error, failures: this.#outage.failures + 1 };
        else if (error instanceof WorktrackError) this.#endOutage();
        if (!canRetry(error, isRead)) throw error;
        await this.#waitToRetry(error, attempt);
      }
    }
  }

  /**
   * Waits for the result of a user's function, which may never settle.
   *
   * @throws Interrupted if the job is stopped first
   */
  unlessStopped<Result>(result: Result | Promise<Result>): Promise<Result> {
    return race(Promise.resolve(result), this.#stopped.signal).catch((error) => {
      throw this.isStopped ? new Interrupted() : error;
    });
  }

  /** Waits for the given time, or until the job is stopped. */
  async wait(milliseconds: number, status: RunStatus = 'running'): Promise<void> {
    this.status = status;
    this.#onWait();
    await delay(milliseconds, this.#stopped.signal).catch(() => {});
    this.status = 'running';
  }

  /** Stops the job. Requests in flight have five seconds to finish. */
  stop(): void {
    if (this.isStopped) return;
    this.#stopped.abort();
    this.#timer = setTimeout(() => this.#requests.abort(), grace);
  }

  /** Stops the job because of an error. */
  fail(cause: unknown): void {
    if (!(cause instanceof Interrupted)) this.failure ??= { cause };
    this.stop();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#ignoreSignal?.();
  }

  #endOutage(): void {
    this.#outage = { error: undefined, failures: 0 };
    this.#respondedAt = performance.now();
  }

  /** During an outage, sends only a few requests, because each may leave its row in doubt. */
  async #waitWhileUnavailable(): Promise<void> {
    const { error, failures } = this.#outage;
    if (failures < this.#concurrency) return;
    if (performance.now() - this.#respondedAt >= this.#maxOutage) this.fail(error);
    else await this.wait(backoff(failures - this.#concurrency), 'unavailable');
  }

  #waitToRetry(error: unknown, attempt: number): Promise<void> {
    if (!(error instanceof RateLimitError)) return this.wait(backoff(attempt), 'unavailable');
    const { retryAfter } = error;
    return this.wait(retryAfter === undefined ? backoff(attempt) : retryAfter * 1000, 'rate_limited');
  }
}

export interface RunControlOptions {
  signal?: AbortSignal | undefined;
  concurrency: number;
  /** How long the API can be unavailable before the job stops, in milliseconds. */
  maxOutage: number;
  onWait: () => void;
}

/** Thrown instead of sending a request, or while waiting for a user's function, if the job has been stopped. */
export class Interrupted extends Error {}

/** Whether an error affects all records, so that the job can't continue. */
export const affectsAllRecords = (error: unknown): boolean =>
  error instanceof ConfigurationError ||
  error instanceof AuthenticationError ||
  error instanceof PermissionDeniedError ||
  error instanceof NotFoundError ||
  error instanceof BookError ||
  error instanceof Interrupted;

const isOutage = (error: unknown): error is WorktrackError =>
  error instanceof ServerError || error instanceof ConnectionError || error instanceof RequestTimeoutError;

/** Whether sending a request again is safe and may help. */
const canRetry = (error: unknown, isRead: boolean): boolean =>
  error instanceof RateLimitError || (isOutage(error) && (isRead || error.outcome === 'not_sent'));

/** The time for requests in flight to finish after a job is stopped, in milliseconds. */
const grace = 5000;

/** Returns a delay of half a second that doubles with each attempt up to 30 seconds, minus a random part. */
const backoff = (attempt: number) =>
  Math.min(30_000, 500 * 2 ** Math.min(attempt, 10)) * (0.5 + Math.random() / 2);
