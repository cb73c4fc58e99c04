import { randomUUID } from 'node:crypto';
import type { AttemptContext } from '../attempt.js';
import { ImportStop, Interrupted } from '../import-stop.js';
import type { ImportSettings } from '../options.js';
import { ServerClock } from '../record-age.js';
import type { BullmqLedger } from './bullmq-ledger.js';
import type { Successes } from './row-job.js';
import type { Store } from './store.js';

/** Validated worker options, with defaults applied. */
export interface WorkerSettings extends ImportSettings {
  requestsPerMinute: number | undefined;
  stalledAfter: number;
  maxOutage: number;
}

/** Decides when a worker's requests can be sent, and stops them when the worker is closed. */
export class WorkerRequests {
  /** The number of requests sent. */
  count = 0;
  readonly api: Availability;
  readonly #settings: WorkerSettings;
  readonly #ledger: BullmqLedger;
  readonly #store: Pick<Store, 'pause' | 'reserve'>;
  readonly #clock = new ServerClock();
  readonly #stop = new ImportStop();

  constructor(settings: WorkerSettings, ledger: BullmqLedger, store: Pick<Store, 'pause' | 'reserve'>) {
    this.#settings = settings;
    this.#ledger = ledger;
    this.#store = store;
    this.api = new Availability(settings);
  }

  /**
   * Stops all waits, so that the waiting rows return to the queue. In-flight requests get five seconds to
   * finish.
   */
  stop(): void {
    this.#stop.stop();
  }

  /** Frees resources. Call this when no job is being processed. */
  close(): void {
    this.stop();
    this.#stop.close();
  }

  /** Returns the context for one row's attempts. */
  context(): AttemptContext {
    let sent = 0;
    let reserved = 0;
    const reserve = () => {
      reserved++;
      return this.#reserve();
    };
    return {
      ledger: this.#ledger,
      signal: this.#stop.requests,
      clock: this.#clock,
      tolerance: this.#settings.maxClockSkew,
      countRequests: (count: number) => {
        this.count += count;
        sent += count;
        // The client's retries are counted only after the call returns. Later requests wait longer to make up for them.
        while (sent > reserved) reserve().catch(() => {});
      },
      beforeRequest: async () => {
        await this.wait(reserved > sent ? 0 : await reserve());
      },
    };
  }

  /** Pauses all workers. @param milliseconds how long to wait, as specified by the API */
  async pause(milliseconds = this.#settings.retry.delay): Promise<void> {
    const delay = Math.max(1, milliseconds);
    await this.#store.pause(delay);
    await this.wait(delay);
  }

  /** Waits until a pause is over, and then for a new time slot, because all rows resume at the same time. */
  async resumeAfter(milliseconds: number): Promise<void> {
    await this.wait(milliseconds);
    await this.wait(await this.#reserve());
  }

  /**
   * Waits while the API is unavailable, unless it's the row's turn to check whether the API is available again.
   *
   * @throws Interrupted if the worker is being closed
   */
  async untilAvailable(): Promise<void> {
    for (let wait = this.api.turn(); wait > 0; wait = this.api.turn()) {
      await this.wait(Math.min(wait, 1000));
    }
    this.#throwIfStopped();
  }

  /** @throws Interrupted if the worker is being closed */
  async wait(milliseconds: number): Promise<void> {
    if (milliseconds > 0) await this.#stop.wait(milliseconds);
    this.#throwIfStopped();
  }

  /**
   * Waits for a promise that may never settle, such as the result of a function that the user passed.
   *
   * @throws Interrupted if the worker is being closed
   */
  async race<Value>(promise: Promise<Value>): Promise<Value> {
    const value = await this.#stop.race(promise);
    this.#throwIfStopped();
    return value as Value;
  }

  /** Reserves a time slot for a request. @returns how long to wait before sending it, in milliseconds */
  async #reserve(): Promise<number> {
    const { requestsPerMinute } = this.#settings;
    return requestsPerMinute === undefined ? 0 : this.#store.reserve(60_000 / requestsPerMinute);
  }

  #throwIfStopped(): void {
    if (this.#stop.isStopped) throw new Interrupted();
  }
}

/**
 * Detects whether the API is unavailable, as seen from this process. After several consecutive requests fail,
 * rows take turns: one sends a request while the others wait.
 */
class Availability {
  readonly #worker = randomUUID();
  #successes = 0;
  readonly #settings: ImportSettings;
  #failures = 0;
  #nextTurn = 0;

  constructor(settings: ImportSettings) {
    this.#settings = settings;
  }

  reached(): void {
    this.#successes++;
    this.#failures = 0;
    this.#nextTurn = 0;
  }

  get successes(): Successes {
    return { worker: this.#worker, count: this.#successes };
  }

  /**
   * Returns whether a request from this process has succeeded since the given count was taken. Counts
   * successes instead of comparing times, because the clocks of two machines can differ, and a clock can be
   * set back.
   */
  hasSucceededSince(before: Successes | undefined): boolean {
    return before?.worker === this.#worker && this.#successes > before.count;
  }

  failed(): void {
    this.#failures++;
    this.#postpone();
  }

  /** @returns how long to wait before the next call, in milliseconds, or 0 if it's the caller's turn */
  turn(): number {
    const wait = this.#nextTurn - performance.now();
    if (wait > 0) return wait;
    this.#postpone();
    return 0;
  }

  #postpone(): void {
    // Ignore the first few failures, because a short outage makes all rows in progress fail at the same time.
    const excess = this.#failures - this.#settings.concurrency - 2;
    if (excess >= 0) this.#nextTurn = performance.now() + backoffOf(this.#settings.retry, excess);
  }
}

/** Returns how long to wait after several failures, in milliseconds. */
export const backoffOf = ({ delay, maxDelay }: ImportSettings['retry'], doublings: number) =>
  Math.min(maxDelay, delay * 2 ** doublings);
