import { randomUUID } from 'node:crypto';
import type { ImportSettings } from '../options.js';
import type { Successes } from './store.js';

/**
 * Detects whether the API is unavailable, as seen from this process. After several consecutive requests fail,
 * rows take turns: one sends a request while the others wait.
 */
export class Availability {
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
