import type { OperationId } from '../../src/contract/index.js';
import type { Random } from '../state/ids.js';
import { checkFault } from './check-fault.js';
import type { Fault } from './fault.js';
import { RateLimit, type RateLimitOptions } from './rate-limit.js';

/** A fault that was added; it can be taken back. */
export interface FaultHandle {
  /** How many requests it has met. */
  readonly count: number;
  /** Whether it has met as many as it was to meet, and meets no more. */
  readonly spent: boolean;
  remove(): void;
}

/** Who asks for what, as faults see it. */
export interface FaultTarget {
  operation: OperationId;
  token: string | undefined;
  /** Name of the credential, where the token is one's. */
  credential: string | undefined;
}

/**
 * Faults on demand: latency, statuses, broken connections and bodies, rate limits. Several may meet
 * one request: their latencies add up, and of the rest the one added first counts.
 *
 * @example
 * mock.faults.add({ operation: 'tickets.move', status: 503, retryAfter: 1, times: 2 });
 * mock.faults.add({ latency: [20, 80] });
 * mock.faults.rateLimit();
 */
export class Faults {
  readonly #random: Random;
  readonly #now: () => number;
  readonly #start: number;
  readonly #initial: InitialFaults;
  #active: ActiveFault[] = [];
  #limit: RateLimit | undefined;

  /** @param initial in force from the beginning, and again after a reset */
  constructor(random: Random, now: () => number, initial: InitialFaults = {}) {
    this.#random = random;
    this.#start = random.state;
    this.#now = now;
    this.#initial = initial;
    this.reset();
  }

  /** @throws TypeError for an unknown operation or for figures that cannot be */
  add(fault: Fault): FaultHandle {
    checkFault(fault);
    const active = new ActiveFault({ ...fault });
    if (!active.spent) this.#active.push(active);
    return {
      get count() {
        return active.count;
      },
      get spent() {
        return active.spent;
      },
      remove: () => this.#remove(active),
    };
  }

  /**
   * Limits each credential's requests; 120 a minute by default. `null` lifts the limit.
   *
   * @throws TypeError for an option that is unknown or cannot be
   */
  rateLimit(options: RateLimitOptions | null = {}): void {
    this.#limit = options === null ? undefined : new RateLimit(options, this.#now);
  }

  /** Those that were added and are not spent. */
  list(): Fault[] {
    return this.#active.map(({ fault }) => ({ ...fault }));
  }

  /** Removes all faults and the rate limit, and begins the odds anew. */
  clear(): void {
    this.#active = [];
    this.#limit = undefined;
    this.#random.state = this.#start;
  }

  /** @internal */
  reset(): void {
    this.clear();
    for (const fault of this.#initial.faults ?? []) this.add(fault);
    if (this.#initial.rateLimit) this.rateLimit(this.#initial.rateLimit);
  }

  /** @internal Whether any request could be met. */
  get any(): boolean {
    return this.#active.length > 0 || this.#limit !== undefined;
  }

  /** @internal What meets this request; counting it, so it is asked once a request. */
  meet(target: FaultTarget): { latency: number; fault: Fault | undefined } {
    let latency = 0;
    let fault = this.#limit?.exceededBy(target.token);
    for (const active of this.#active) {
      const { fault: candidate } = active;
      const decides = hasOutcome(candidate);
      if ((decides && fault) || !active.meets(target, this.#random)) continue;
      latency += this.#latencyOf(candidate);
      if (decides) fault = candidate;
      // What is spent meets nothing more: it must not make a long run longer.
      if (active.spent) this.#remove(active);
    }
    return { latency, fault };
  }

  #remove(active: ActiveFault): void {
    this.#active = this.#active.filter((other) => other !== active);
  }

  #latencyOf({ latency = 0 }: Fault): number {
    if (typeof latency === 'number') return latency;
    const [least, most] = latency;
    return least + this.#random.next() * (most - least);
  }
}

/** What is in force from the beginning. */
export interface InitialFaults {
  /** Faults that are in force from the beginning. */
  faults?: readonly Fault[] | undefined;
  /** A rate limit that is in force from the beginning; none by default. */
  rateLimit?: RateLimitOptions | undefined;
}

class ActiveFault {
  readonly fault: Fault;
  count = 0;
  #seen = 0;

  constructor(fault: Fault) {
    this.fault = fault;
  }

  get spent(): boolean {
    return this.count >= (this.fault.times ?? Number.POSITIVE_INFINITY);
  }

  meets({ operation, token, credential }: FaultTarget, random: Random): boolean {
    const { after = 0, probability = 1, ...fault } = this.fault;
    if (this.spent) return false;
    if (fault.operation !== undefined && ![fault.operation].flat().includes(operation)) return false;
    if (fault.credential !== undefined && fault.credential !== token && fault.credential !== credential)
      return false;
    this.#seen += 1;
    if (this.#seen <= after || (probability < 1 && random.next() >= probability)) return false;
    this.count += 1;
    return true;
  }
}

const hasOutcome = ({ status, error }: Fault): boolean => status !== undefined || error !== undefined;
