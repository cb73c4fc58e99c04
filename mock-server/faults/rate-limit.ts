import { isObject } from '../../src/wire/index.js';
import { refuseUnknown } from '../options/refuse-unknown.js';
import { isFrom0 } from './check-fault.js';
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
  /** In the order in which the windows began. */
  readonly #counts = new Map<string, Count>();

  /** @throws TypeError for an option that is unknown or cannot be */
  constructor(options: RateLimitOptions, now: () => number) {
    if (!isObject(options as unknown)) throw new TypeError('rateLimit takes an object of limit and window');
    refuseUnknown('rateLimit', options, { limit: true, window: true });
    const { limit = 120, window = 60_000 } = options;
    if (!isFrom0(limit) || !isFrom0(window) || window === 0)
      throw new TypeError('rateLimit: limit must be at least 0, window more than 0');
    this.#limit = limit;
    this.#window = window;
    this.#now = now;
  }

  /** Counts a request; the fault that meets it where it is one too many. */
  exceededBy(token = ''): Fault | undefined {
    const now = this.#now();
    let entry = this.#counts.get(token);
    if (!entry || this.#isOver(entry, now)) {
      this.#forget(now);
      entry = { since: now, count: 0 };
      this.#counts.delete(token);
      this.#counts.set(token, entry);
    }
    entry.count += 1;
    if (entry.count <= this.#limit) return undefined;
    return { status: 429, retryAfter: Math.max(1, Math.ceil((entry.since + this.#window - now) / 1000)) };
  }

  /** How many tokens are counted. */
  get size(): number {
    return this.#counts.size;
  }

  /** Lets go of the windows that are over: a server that meets ever new tokens must not grow with them. */
  #forget(now: number): void {
    for (const [token, count] of this.#counts) {
      if (!this.#isOver(count, now)) return;
      this.#counts.delete(token);
    }
  }

  /** A clock that was set back ends the windows that would begin later. */
  #isOver({ since }: Count, now: number): boolean {
    return now - since >= this.#window || now < since;
  }
}

interface Count {
  /** When the window began. */
  since: number;
  count: number;
}
