import { parseDateTime } from '../../src/contract/index.js';

/** An instant as callers give it: a `Date`, milliseconds since 1970, or RFC 3339 text. */
export type Instant = Date | number | string;

/**
 * The server's time. It stands still until a test moves it, so that every timestamp is known
 * beforehand.
 *
 * @example
 * mock.clock.set('2026-03-01T09:00:00Z');
 * mock.clock.advance(24 * 60 * 60 * 1000);
 */
export class Clock {
  #frozen: number | undefined;
  #offset = 0;
  #text = { at: Number.NaN, iso: '' };

  /** @param start `'real'` for a clock that runs with the machine's */
  constructor(start: Instant | 'real') {
    this.#frozen = start === 'real' ? undefined : milliseconds(start);
  }

  now(): Date {
    return new Date(this.milliseconds());
  }

  milliseconds(): number {
    return this.#frozen ?? Date.now() + this.#offset;
  }

  /** The time as records carry it: ISO 8601 in UTC. */
  iso(): string {
    const at = this.milliseconds();
    if (this.#text.at !== at) this.#text = { at, iso: new Date(at).toISOString() };
    return this.#text.iso;
  }

  /** Sets the time; a clock that stands still stands still there, one that runs runs on from there. */
  set(at: Instant): void {
    this.#moveTo(milliseconds(at));
  }

  /** Moves the time by milliseconds, backwards where they are negative. */
  advance(by: number): void {
    if (!Number.isFinite(by)) throw new TypeError(`clock.advance takes milliseconds, not ${by}`);
    this.#moveTo(this.milliseconds() + by);
  }

  /** Stops the clock, now or at the instant given. */
  freeze(at: Instant = this.milliseconds()): void {
    this.#frozen = milliseconds(at);
  }

  /** Lets the clock run with the machine's time. */
  real(): void {
    this.#frozen = undefined;
    this.#offset = 0;
  }

  /** Whether it stands still. */
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
 * Text without an offset is refused: it would be another time on each machine.
 *
 * @throws TypeError for what is no instant, or one outside the years 0 to 9999 that RFC 3339 can write
 */
export function milliseconds(at: Instant): number {
  const value = typeof at === 'number' ? at : Number(at instanceof Date ? at : read(at));
  if (value >= firstInstant && value <= lastInstant) return Math.trunc(value);
  throw new TypeError(
    `not an instant: ${typeof at === 'string' ? JSON.stringify(at) : String(at)}; ` +
      'give a Date, milliseconds since 1970, or RFC 3339 text with its offset (2026-01-01T09:00:00Z)',
  );
}

const firstInstant = Date.parse('0000-01-01T00:00:00Z');
const lastInstant = Date.parse('9999-12-31T23:59:59.999Z');

const read = (text: unknown): Date | undefined =>
  typeof text === 'string' ? parseDateTime(text) : undefined;
