import type { Throttle, ThrottleLimits } from '../options.js';
import { race, type TimeLimit } from '../shared/abort.js';

/** Why a request has to wait. */
export interface ThrottleWait {
  reason: keyof ThrottleLimits;
  /** Undefined if the wait depends on when in-flight requests finish. */
  delayMs: number | undefined;
}

/**
 * Ends an attempt's turn. Must be called exactly once, when the attempt finishes. An attempt that never started
 * doesn't count toward the limits.
 */
export type EndTurn = (wasStarted: boolean) => void;

/**
 * Keeps a client's requests within the limits of its throttle. Each credential has its own queue, and the
 * queues take turns.
 */
export class RequestQueue {
  readonly #limits: ThrottleLimits;
  readonly #total: Limiter;
  /** The limiters by credential, least recently used first. */
  readonly #limiters = new Map<string, Limiter>();
  /** The limiters that have waiting requests. The limiter whose turn is next comes first. */
  readonly #waiting = new Set<Limiter>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor({ total = {}, ...limits }: Throttle) {
    this.#limits = limits;
    this.#total = new Limiter(total);
  }

  /**
   * Returns the minimum wait for a request that enters the queue now, or undefined if it can start
   * immediately.
   */
  waitFor(credential: string): ThrottleWait | undefined {
    const own = this.#limiterOf(credential);
    const ahead = own.waiting.length;
    let aheadInTotal = 0;
    for (const { waiting } of this.#waiting) aheadInTotal += Math.min(waiting.length, ahead);
    const delayMs = Math.max(own.delay(ahead), this.#total.delay(aheadInTotal));
    if (delayMs > 0) return { reason: 'requestsPerMinute', delayMs };
    return own.isFull(ahead) || this.#total.isFull(aheadInTotal)
      ? { reason: 'concurrency', delayMs: undefined }
      : undefined;
  }

  /** Waits for a turn. If `callLimit` aborts, the attempt leaves the queue and the promise rejects. */
  async enter(credential: string, callLimit: TimeLimit): Promise<EndTurn> {
    const own = this.#limiterOf(credential);
    let startedAt = 0;
    let start = () => {};
    const started = new Promise<void>((resolve) => {
      start = () => {
        startedAt = own.start();
        this.#total.start(startedAt);
        resolve();
      };
    });
    const end: EndTurn = (wasStarted) => {
      for (const limiter of [own, this.#total]) limiter.end(startedAt, wasStarted);
      this.#admit();
    };
    own.waiting.push(start);
    this.#waiting.add(own);
    this.#admit();
    try {
      await race(started, callLimit);
      return end;
    } catch (reason) {
      const index = own.waiting.indexOf(start);
      if (index < 0) end(false);
      else {
        own.waiting.splice(index, 1);
        if (!own.waiting.length) this.#waiting.delete(own);
        // Restart the timer for the next waiting attempt. If no attempt is waiting, stop the timer so that it
        // doesn't keep the process alive.
        this.#admit();
      }
      throw reason;
    }
  }

  #limiterOf(credential: string): Limiter {
    for (const [other, limiter] of this.#limiters) {
      if (!limiter.isIdle()) break;
      this.#limiters.delete(other);
    }
    const limiter = this.#limiters.get(credential) ?? new Limiter(this.#limits);
    this.#limiters.delete(credential);
    this.#limiters.set(credential, limiter);
    return limiter;
  }

  #admit(): void {
    clearTimeout(this.#timer);
    let nextDelay = Number.POSITIVE_INFINITY;
    // Iterating over a `Set` also visits entries added during the loop, so a limiter that is moved to the end
    // gets another turn.
    for (const limiter of this.#waiting) {
      if (this.#total.isFull() || limiter.isFull()) continue;
      const delay = Math.max(this.#total.delay(), limiter.delay());
      if (delay > 0) nextDelay = Math.min(nextDelay, delay);
      else {
        this.#waiting.delete(limiter);
        limiter.waiting.shift()?.();
        if (limiter.waiting.length) this.#waiting.add(limiter);
      }
    }
    if (nextDelay < Number.POSITIVE_INFINITY) this.#timer = setTimeout(() => this.#admit(), nextDelay);
  }
}

const minute = 60_000;

/** Counts the requests made with one credential, or with all credentials combined. */
class Limiter {
  /** The functions that start the waiting requests. */
  readonly waiting: (() => void)[] = [];
  readonly #limits: Required<Record<keyof ThrottleLimits, number>>;
  /** The start times of the requests in the last minute. */
  readonly #started: number[] = [];
  #running = 0;

  constructor({ requestsPerMinute = Infinity, concurrency = Infinity }: ThrottleLimits) {
    this.#limits = { requestsPerMinute, concurrency };
  }

  isFull(ahead = 0): boolean {
    return this.#running + ahead >= this.#limits.concurrency;
  }

  isIdle(): boolean {
    return !this.#running && !this.waiting.length && !this.#recent(performance.now()).length;
  }

  /** Returns how long `requestsPerMinute` delays a request that starts after `ahead` others, in milliseconds. */
  delay(ahead = 0): number {
    const time = performance.now();
    const { requestsPerMinute } = this.#limits;
    const index = this.#recent(time).length + ahead - requestsPerMinute;
    if (index < 0) return 0;
    const start = this.#started[index % requestsPerMinute] ?? time;
    return start - time + minute * (1 + Math.floor(index / requestsPerMinute));
  }

  start(time = performance.now()): number {
    this.#running++;
    if (this.#limits.requestsPerMinute < Infinity) this.#started.push(time);
    return time;
  }

  end(startedAt: number, wasStarted: boolean): void {
    this.#running--;
    const index = wasStarted ? -1 : this.#started.indexOf(startedAt);
    if (index >= 0) this.#started.splice(index, 1);
  }

  #recent(time: number): readonly number[] {
    while ((this.#started[0] ?? time) <= time - minute) this.#started.shift();
    return this.#started;
  }
}
