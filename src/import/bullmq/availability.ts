import type { ImportSettings } from '../options.js';

/**
 * Detects whether the API is unavailable from this process. After several consecutive requests fail, rows
 * take turns: one sends a request while the others wait.
 */
export class Availability {
  /** In milliseconds since 1970. */
  lastReached = Number.NEGATIVE_INFINITY;
  readonly #settings: ImportSettings;
  #failures = 0;
  #nextTurn = 0;

  constructor(settings: ImportSettings) {
    this.#settings = settings;
  }

  reached(): void {
    this.lastReached = Date.now();
    this.#failures = 0;
    this.#nextTurn = 0;
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
