import type { Fault } from './fault.js';

export interface RateLimitOptions {
  /** Requests that a credential may send in a window; 120 by default. */
  limit?: number | undefined;
  /** Length of a window in milliseconds of the server's clock; 60,000 by default. */
  window?: number | undefined;
}

/**
 * Counts the requests of each token in windows of the server's clock. A clock that stands still
 * ends no window: let it run (`mock.clock.real()`) or move it.
 */
export class RateLimit {
  readonly #limit: number;
  readonly #window: number;
  readonly #now: () => number;
  readonly #counts = new Map<string, { since: number; count: number }>();

  constructor({ limit = 120, window = 60_000 }: RateLimitOptions, now: () => number) {
    if (!(limit >= 0) || !(window > 0))
      throw new TypeError('rateLimit: limit must be at least 0, window more than 0');
    this.#limit = limit;
    this.#window = window;
    this.#now = now;
  }

  /** Counts a request; the fault that meets it where it is one too many. */
  exceededBy(token = ''): Fault | undefined {
    const now = this.#now();
    let entry = this.#counts.get(token);
    if (!entry || now - entry.since >= this.#window || now < entry.since) {
      entry = { since: now, count: 0 };
      this.#counts.set(token, entry);
    }
    entry.count += 1;
    if (entry.count <= this.#limit) return undefined;
    return { status: 429, retryAfter: Math.max(1, Math.ceil((entry.since + this.#window - now) / 1000)) };
  }
}
