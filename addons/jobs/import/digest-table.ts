import { createHash } from 'node:crypto';
import { isObject } from '../../../src/shared/json.js';

const wordsPerSlot = 4;

/**
 * A map from strings to 32-bit numbers, stored outside the JavaScript heap at 16 bytes per slot. Instead of
 * each string, the map stores a 96-bit digest. With a billion strings, the probability of a collision is less
 * than 1 in 10^10.
 */
export class DigestTable {
  #words = new Uint32Array(1024 * wordsPerSlot);
  #used = 0;
  readonly #digestOf: (text: string) => Digest;

  /** @param digestOf returns a string's digest. The digest's first word must not be 0. */
  constructor(digestOf = sha256Of) {
    this.#digestOf = digestOf;
  }

  get size(): number {
    return this.#used;
  }

  get(text: string): number | undefined {
    const slot = this.#slotOf(this.#digestOf(text));
    return this.#isFree(slot) ? undefined : (this.#words[slot + 3] as number);
  }

  set(text: string, value: number): void {
    const digest = this.#digestOf(text);
    let slot = this.#slotOf(digest);
    if (this.#isFree(slot)) {
      this.#used++;
      if (this.#used * wordsPerSlot > this.#words.length * 0.75) {
        this.#grow();
        slot = this.#slotOf(digest);
      }
    }
    this.#words.set([...digest, value], slot);
  }

  #slotOf([a, b, c]: Digest): number {
    const words = this.#words;
    const mask = words.length / wordsPerSlot - 1;
    for (let index = a & mask; ; index = (index + 1) & mask) {
      const slot = index * wordsPerSlot;
      if (this.#isFree(slot) || (words[slot] === a && words[slot + 1] === b && words[slot + 2] === c))
        return slot;
    }
  }

  #isFree(slot: number): boolean {
    return this.#words[slot] === 0;
  }

  #grow(): void {
    const old = this.#words;
    this.#words = new Uint32Array(old.length * 2);
    for (let slot = 0; slot < old.length; slot += wordsPerSlot) {
      const [a = 0, b = 0, c = 0, value = 0] = old.subarray(slot, slot + wordsPerSlot);
      if (a !== 0) this.#words.set([a, b, c, value], this.#slotOf([a, b, c]));
    }
  }
}

/** The keys of the rows that were read, with a digest of each row. */
export class SeenRows {
  readonly #fingerprints = new DigestTable();

  /**
   * Adds a row. A row without a fingerprint can't be compared with other rows.
   *
   * @returns how the row compares with the first row that has the same key
   */
  add(key: string, fingerprint = ''): 'new' | 'duplicate' | 'conflict' {
    const digest = Number.parseInt(fingerprint, 16);
    const first = this.#fingerprints.get(key);
    if (first !== undefined) return first === digest ? 'duplicate' : 'conflict';
    this.#fingerprints.set(key, digest);
    return 'new';
  }

  has(key: string): boolean {
    return this.#fingerprints.get(key) !== undefined;
  }
}

/** A digest's three 32-bit words. */
type Digest = readonly [number, number, number];

function sha256Of(text: string): Digest {
  const digest = createHash('sha256').update(text).digest();
  // Zero marks a free slot.
  return [digest.readUInt32LE(0) || 1, digest.readUInt32LE(4), digest.readUInt32LE(8)];
}

/** Returns the first 32 bits of a string's digest. */
export const shortDigest = (text: string): number => sha256Of(text)[0];

/** Returns a payload's digest, which the ledger stores as its `fingerprint`. Ignores the order of fields. */
export const fingerprintOf = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(value, sorted) ?? 'undefined')
    .digest('hex')
    .slice(0, 8);

function sorted(_name: string, value: unknown): unknown {
  if (!isObject(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, value[name]]));
}
