import type { OperationId } from '../../src/contract/index.js';
import type { Random } from '../state/ids.js';
import { checkFault } from './check-fault.js';
import type { Fault } from './fault.js';
import { RateLimit, type RateLimitOptions } from './rate-limit.js';

/** A fault added to the server. */
export interface FaultHandle {
  /** The fault's ID on this server, such as `fault_1`. */
  readonly id: string;
  readonly fault: Fault;
  /** The number of requests that the fault has applied to so far. */
  readonly count: number;
  /** Whether the fault has reached its `times` limit. */
  readonly spent: boolean;
  /** Removes the fault. */
  remove(): void;
}

/** The properties of a request that determine which faults apply. */
export interface FaultTarget {
  operation: OperationId;
  token: string | undefined;
  /** The credential's name, if the token is valid. */
  credential: string | undefined;
}

/**
 * Injects latency, error statuses, broken connections, corrupt responses, and rate limits.
 *
 * If several faults match a request, their latencies add up. If several of them have a `status` or `error`,
 * only the one that was added first applies. The other faults neither count nor delay the request. If the
 * request exceeds the rate limit, the response is a 429, and no fault with a `status` or `error` applies.
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
  #added = 0;
  #changes = 0;

  /** @param initial the faults and rate limit that are active at the start and after each reset */
  constructor(random: Random, now: () => number, initial: InitialFaults = {}) {
    this.#random = random;
    this.#start = random.state;
    this.#now = now;
    this.#initial = initial;
    this.reset();
  }

  /**
   * Adds a fault.
   *
   * @throws TypeError if a field or operation is unknown, or if a value is invalid
   */
  add(fault: Fault): FaultHandle {
    checkFault(fault);
    this.#added += 1;
    this.#changes += 1;
    const active = new ActiveFault(`fault_${this.#added}`, { ...fault }, () => this.#remove(active));
    if (!active.spent) this.#active.push(active);
    return active.handle;
  }

  /**
   * Limits how many requests each credential can send (120 per minute by default). Pass `null` to remove the
   * limit.
   *
   * @throws TypeError if an option is unknown or invalid
   */
  rateLimit(options: RateLimitOptions | null = {}): void {
    this.#limit = options === null ? undefined : new RateLimit(options, this.#now);
    this.#changes += 1;
  }

  /** The current rate limit. Undefined if none is set. */
  get currentRateLimit(): Required<RateLimit['options']> | undefined {
    return this.#limit && { ...this.#limit.options };
  }

  /** Returns the active faults, excluding those that have reached their `times` limit. */
  list(): Fault[] {
    return this.#active.map(({ fault }) => ({ ...fault }));
  }

  /** Returns the active faults, including their IDs and counts. */
  handles(): FaultHandle[] {
    return this.#active.map(({ handle }) => handle);
  }

  /** Removes all faults and the rate limit, and resets the random number generator. */
  clear(): void {
    this.#active = [];
    this.#limit = undefined;
    this.#random.state = this.#start;
    this.#changes += 1;
  }

  /** @internal */
  reset(): void {
    this.clear();
    for (const fault of this.#initial.faults ?? []) this.add(fault);
    if (this.#initial.rateLimit) this.rateLimit(this.#initial.rateLimit);
  }

  /** Saves the faults, the rate limit, and their counts. Returns a function that restores them. @internal */
  checkpoint(): () => void {
    const active = [...this.#active];
    const counts = active.map((fault) => fault.checkpoint());
    const limit = this.#limit;
    const limitCounts = limit?.checkpoint();
    const randomState = this.#random.state;
    return () => {
      this.#active = [...active];
      for (const restore of counts) restore();
      this.#limit = limit;
      limitCounts?.();
      this.#random.state = randomState;
      this.#changes += 1;
    };
  }

  /** Whether any fault or rate limit could apply to a request. @internal */
  get any(): boolean {
    return this.#active.length > 0 || this.#limit !== undefined;
  }

  /** A number that changes whenever the rate limit or the faults change. @internal */
  get revision(): number {
    return this.#changes;
  }

  /**
   * Chooses the faults for a request. Also counts the request, so call this exactly once per request.
   *
   * @param injected a fault for this request only, which takes precedence over all others
   * @internal
   */
  choose(target: FaultTarget, injected?: Fault): { latency: number; fault: Fault | undefined } {
    let latency = injected ? this.#latencyOf(injected) : 0;
    const hasOutcome = injected?.status !== undefined || injected?.error !== undefined;
    // Count all requests with invalid tokens together, because a separate count for each token could exhaust
    // memory.
    let fault = hasOutcome
      ? injected
      : this.#limit?.exceededBy(target.credential === undefined ? undefined : target.token);
    for (const active of this.#active) {
      const { fault: candidate } = active;
      const hasOutcome = candidate.status !== undefined || candidate.error !== undefined;
      if ((hasOutcome && fault) || !active.appliesTo(target, this.#random)) continue;
      this.#changes += 1;
      latency += this.#latencyOf(candidate);
      if (hasOutcome) fault = candidate;
      // Remove faults that have reached their limit, because they would slow down all later requests.
      if (active.spent) this.#remove(active);
    }
    return { latency, fault };
  }

  #remove(active: ActiveFault): void {
    this.#active = this.#active.filter((other) => other !== active);
    this.#changes += 1;
  }

  #latencyOf({ latency = 0 }: Fault): number {
    if (typeof latency === 'number') return latency;
    const [minimum, maximum] = latency;
    return minimum + this.#random.next() * (maximum - minimum);
  }
}

/** The initial faults and rate limit. */
export interface InitialFaults {
  /** The faults that are active at the start and after each reset. */
  faults?: readonly Fault[] | undefined;
  /** The rate limit that applies at the start and after each reset. None by default. */
  rateLimit?: RateLimitOptions | undefined;
}

class ActiveFault {
  readonly fault: Fault;
  readonly handle: FaultHandle;
  #count = 0;
  #seen = 0;

  constructor(id: string, fault: Fault, remove: () => void) {
    this.fault = fault;
    const active = this;
    this.handle = {
      id,
      get fault() {
        return { ...fault };
      },
      get count() {
        return active.#count;
      },
      get spent() {
        return active.spent;
      },
      remove,
    };
  }

  checkpoint(): () => void {
    const [count, seen] = [this.#count, this.#seen];
    return () => {
      [this.#count, this.#seen] = [count, seen];
    };
  }

  get spent(): boolean {
    return this.#count >= (this.fault.times ?? Number.POSITIVE_INFINITY);
  }

  /** Returns whether the fault applies to this request, and counts the request. */
  appliesTo({ operation, token, credential }: FaultTarget, random: Random): boolean {
    const { after = 0, probability = 1, ...fault } = this.fault;
    if (fault.operation !== undefined && ![fault.operation].flat().includes(operation)) return false;
    if (fault.credential !== undefined && fault.credential !== token && fault.credential !== credential)
      return false;
    this.#seen += 1;
    if (this.#seen <= after || (probability < 1 && random.next() >= probability)) return false;
    this.#count += 1;
    return true;
  }
}
