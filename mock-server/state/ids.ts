import type { Versioned } from '../store/epoch.js';

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const half = 2 ** 40;

/**
 * Generates ULIDs, which have 26 characters and sort by time. The random part comes from a seeded generator,
 * so the same requests produce the same IDs. Within a millisecond, the random part is incremented to keep the
 * IDs in order.
 *
 * The `ulid` package isn't used because its monotonic factory keeps the counter in a closure, where a
 * snapshot can't save or restore it.
 */
export class IdGenerator implements Versioned {
  #time = -1;
  #high = 0;
  #low = 0;
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** @param now the time in milliseconds. If an earlier call used a later time, that time is used instead. */
  next(now: number): string {
    // A ULID can't represent a time before 1970.
    const time = Math.max(0, now);
    if (time > this.#time) {
      this.#time = time;
      this.#high = this.#random.bits20() * 2 ** 20 + this.#random.bits20();
      this.#low = this.#random.bits20() * 2 ** 20 + this.#random.bits20();
    } else {
      this.#low += 1;
      if (this.#low === half) {
        this.#low = 0;
        this.#high = (this.#high + 1) % half;
      }
    }
    return base32(this.#time, 10) + base32(this.#high, 8) + base32(this.#low, 8);
  }

  capture(): unknown {
    return { time: this.#time, high: this.#high, low: this.#low, random: this.#random.state };
  }

  restore(captured: unknown): void {
    const { time, high, low, random } = captured as Record<'time' | 'high' | 'low' | 'random', number>;
    this.#time = time;
    this.#high = high;
    this.#low = low;
    this.#random.state = random;
  }
}

/**
 * A small seeded random number generator (mulberry32). It's good enough for IDs and probabilities, and it
 * returns the same numbers on all platforms.
 */
export class Random {
  state: number;

  constructor(seed: number | string) {
    this.state = typeof seed === 'number' ? seed | 0 : hash(seed);
  }

  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  bits20(): number {
    return Math.floor(this.next() * 2 ** 20);
  }
}

function base32(value: number, length: number): string {
  let text = '';
  let rest = value;
  for (let index = 0; index < length; index += 1) {
    text = alphabet[rest % 32] + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value;
}
