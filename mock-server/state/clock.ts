import { parseDateTime } from '../../src/contract/index.js';
import { InvalidInputError } from './invalid-input-error.js';

/** A point in time: a `Date`, a Unix timestamp in milliseconds, or an RFC 3339 string. */
export type ClockTime = Date | number | string;

/**
 * The server's clock. By default, it's frozen: time passes only when a test advances it, so every timestamp
 * is predictable.
 *
 * @example
 * mock.clock.set('2026-03-01T09:00:00Z');
 * mock.clock.advance(24 * 60 * 60 * 1000);
 */
export class Clock {
  #frozen: number | undefined;
  #offset = 0;
  #text: { at: number; iso: string } | undefined;

  /** @param start the initial time, or `'real'` to follow the system clock */
  constructor(start: ClockTime | 'real') {
    this.#frozen = start === 'real' ? undefined : milliseconds(start);
  }

  now(): Date {
    return new Date(this.milliseconds());
  }

  milliseconds(): number {
    // A running clock stops at the last instant that a timestamp can represent.
    return this.#frozen ?? Math.min(Date.now() + this.#offset, lastInstant);
  }

  /** Returns the current time as an ISO 8601 string in UTC. */
  iso(): string {
    const at = this.milliseconds();
    if (this.#text?.at !== at) this.#text = { at, iso: new Date(at).toISOString() };
    return this.#text.iso;
  }

  /**
   * Sets the time. A frozen clock stays frozen. A running clock continues from the new time.
   *
   * @throws TypeError if the time is invalid or outside the years 0 to 9999
   */
  set(at: ClockTime): void {
    this.#moveTo(milliseconds(at));
  }

  /**
   * Advances the time by a number of milliseconds, or sets it back if the number is negative.
   *
   * @throws TypeError if the number isn't finite, or if the result is outside the years 0 to 9999
   */
  advance(by: number): void {
    if (!Number.isFinite(by))
      throw new InvalidInputError(`clock.advance: expected a number of milliseconds (got ${by})`);
    this.#moveTo(this.milliseconds() + by);
  }

  /**
   * Freezes the clock at the given time, which defaults to the current time.
   *
   * @throws TypeError if the time is invalid or outside the years 0 to 9999
   */
  freeze(at: ClockTime = this.milliseconds()): void {
    this.#frozen = milliseconds(at);
  }

  /** Makes the clock follow the system clock. */
  useSystemTime(): void {
    this.#frozen = undefined;
    this.#offset = 0;
  }

  /** Whether the clock is frozen. */
  get frozen(): boolean {
    return this.#frozen !== undefined;
  }

  capture(): { frozen?: number | undefined; offset: number } {
    return { frozen: this.#frozen, offset: this.#offset };
  }

  restore({ frozen, offset }: { frozen?: number | undefined; offset: number }): void {
    this.#frozen = frozen;
    this.#offset = offset;
  }

  #moveTo(at: number): void {
    const moved = milliseconds(at);
    if (this.#frozen === undefined) this.#offset = moved - Date.now();
    else this.#frozen = moved;
  }
}

/**
 * Converts an instant to a Unix timestamp in milliseconds. Rejects strings without an offset, because they
 * depend on the machine's time zone.
 *
 * @throws TypeError if the instant is invalid or outside the years 0 to 9999, the range of RFC 3339
 */
export function milliseconds(at: ClockTime): number {
  const value = typeof at === 'number' ? at : Number(at instanceof Date ? at : read(at));
  if (value >= firstInstant && value <= lastInstant) return Math.trunc(value);
  throw new InvalidInputError(
    `not a valid time: ${typeof at === 'string' ? JSON.stringify(at) : String(at)}; ` +
      'pass a Date, a Unix timestamp in milliseconds, or an RFC 3339 string with an offset ' +
      '(2026-01-01T09:00:00Z)',
  );
}

const firstInstant = Date.parse('0000-01-01T00:00:00Z');
const lastInstant = Date.parse('9999-12-31T23:59:59.999Z');

const read = (text: unknown): Date | undefined =>
  typeof text === 'string' ? parseDateTime(text) : undefined;
