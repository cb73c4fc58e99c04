import * as z from 'zod/mini';
import { checkOptions, nonNegativeNumber, positiveDuration } from '../../src/option-schema.js';
import { InvalidInputError } from '../state/invalid-input-error.js';
import type { Fault } from './fault.js';

export interface RateLimitOptions {
  /** The number of requests each credential can send per window. @defaultValue 120 */
  limit?: number | undefined;
  /** The length of a window, in milliseconds on the server's clock. @defaultValue 60,000 */
  window?: number | undefined;
}

const optionFields: Record<keyof RateLimitOptions, z.core.$ZodType> = {
  limit: nonNegativeNumber(),
  window: positiveDuration(),
};

const schema = z.strictObject(optionFields);

/**
 * Counts each token's requests in time windows based on the server's clock. Windows don't expire while the
 * clock is frozen. Advance the clock, or switch to the system clock with `mock.clock.useSystemTime()`.
 */
export class RateLimit {
  /** The options with their defaults applied. */
  readonly options: Required<{ [Key in keyof RateLimitOptions]: number }>;
  readonly #now: () => number;
  /** The count for each token, in the order in which their windows started. */
  readonly #counts = new Map<string, Count>();

  /** @throws TypeError if an option is unknown or invalid */
  constructor(options: RateLimitOptions, now: () => number) {
    checkOptions(schema, options, { fail: (message) => new InvalidInputError(`rateLimit: ${message}`) });
    const { limit = 120, window = 60_000 } = options;
    this.options = { limit, window };
    this.#now = now;
  }

  /**
   * Counts a request.
   *
   * @param token undefined if the request has no valid credential. Such requests share one count, because
   * counting each invalid token separately could exhaust memory.
   * @returns the fault to apply if the request exceeds the limit
   */
  exceededBy(token = ''): Fault | undefined {
    const now = this.#now();
    let entry = this.#counts.get(token);
    if (!entry || this.#isExpired(entry, now)) {
      this.#forget(now);
      entry = { since: now, count: 0 };
      this.#counts.delete(token);
      this.#counts.set(token, entry);
    }
    entry.count += 1;
    const { limit, window } = this.options;
    if (entry.count <= limit) return undefined;
    return { status: 429, retryAfter: Math.max(1, Math.ceil((entry.since + window - now) / 1000)) };
  }

  /** Saves the counts. Returns a function that restores them. */
  checkpoint(): () => void {
    const counts = [...this.#counts].map(([token, count]) => [token, { ...count }] as const);
    return () => {
      this.#counts.clear();
      for (const [token, count] of counts) this.#counts.set(token, { ...count });
    };
  }

  /** The number of tokens whose requests are being counted. */
  get size(): number {
    return this.#counts.size;
  }

  /** Removes expired windows, which would otherwise accumulate with each new credential. */
  #forget(now: number): void {
    for (const [token, count] of this.#counts) {
      if (!this.#isExpired(count, now)) return;
      this.#counts.delete(token);
    }
  }

  /**
   * Returns whether a window has expired. A window that starts in the future also counts as expired, because
   * the clock must have been set back.
   */
  #isExpired({ since }: Count, now: number): boolean {
    return now - since >= this.options.window || now < since;
  }
}

interface Count {
  /** When the window started. */
  since: number;
  count: number;
}
