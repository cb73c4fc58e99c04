import { ImportStop, Interrupted } from '../import-stop.js';
import type { StepContext } from '../lookup.js';
import type { ImportSettings } from '../options.js';
import { ServerClock } from '../server-clock.js';
import { Availability } from './availability.js';
import type { BullmqLedger } from './bullmq-ledger.js';
import type { Store } from './store.js';

interface WorkerRequestsOptions {
  settings: ImportSettings;
  ledger: BullmqLedger;
  store: Pick<Store, 'reserve'>;
  requestsPerMinute: number | undefined;
}

/** Decides when a worker's rows can send requests, and stops them when the worker is closed. */
export class WorkerRequests {
  /** The number of requests sent. */
  count = 0;
  readonly api: Availability;
  readonly #options: WorkerRequestsOptions;
  readonly #clock = new ServerClock();
  readonly #closing = new AbortController();
  readonly #stop = new ImportStop(this.#closing.signal);

  constructor(options: WorkerRequestsOptions) {
    this.#options = options;
    this.api = new Availability(options.settings);
  }

  /** Interrupts all waits. In-flight requests get five seconds to finish. */
  stop(): void {
    this.#closing.abort();
  }

  /** Frees resources. Call this when no job is being processed. */
  close(): void {
    this.stop();
    this.#stop.close();
  }

  /** Returns the context for the steps of one row. */
  context(): StepContext {
    const { ledger, settings } = this.#options;
    let sent = 0;
    let reserved = 0;
    const reserve = () => {
      reserved++;
      return this.#reserve();
    };
    return {
      ledger,
      signal: this.#stop.requests,
      clock: this.#clock,
      tolerance: settings.maxClockSkew,
      countRequests: (count: number) => {
        this.count += count;
        sent += count;
        // The client's retries are counted only after the call, so later requests must wait longer.
        while (sent > reserved) reserve().catch(() => {});
      },
      beforeRequest: async () => {
        await this.wait(reserved > sent ? 0 : await reserve());
      },
    };
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

  /** Reserves a time slot for a request. @returns how long to wait before sending it, in milliseconds */
  async #reserve(): Promise<number> {
    const { store, requestsPerMinute } = this.#options;
    return requestsPerMinute === undefined ? 0 : store.reserve(60_000 / requestsPerMinute);
  }

  #throwIfStopped(): void {
    if (this.#stop.isStopped) throw new Interrupted();
  }
}
