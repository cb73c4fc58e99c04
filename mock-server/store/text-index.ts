import type { Table } from './table.js';

/** 32-bit words of a record's signature. Text of 500 characters fills about a fifth of its bits. */
const words = 32;

/** Words of a signature that a search asks: of text of 500 characters five leave one in a thousand to look at. */
const asked = 5;

/**
 * Finds the records whose text contains a word, whatever its case.
 *
 * Beside each text, in one flat array, lies a signature: a bit for each pair of characters in it. A
 * search looks at texts only where the signature has all pairs of what is searched for, so that
 * 100,000 records that do not match cost a few reads each. Texts and signatures are made when a
 * record is first searched, and again after it changed.
 */
export class TextIndex<Row extends object> {
  readonly #table: Table<Row>;
  readonly #texts: string[] = [];
  /** What the text and the signature were made from; undefined where they are out of date. */
  readonly #rows: (Row | undefined)[] = [];
  #signatures = new Uint32Array(0);

  constructor(table: Table<Row>) {
    this.#table = table;
    table.watch((slot) => this.#forget(slot));
  }

  /**
   * A test for the slots whose record contains the text.
   *
   * @param textsOf all that can be found of a record, one by one
   */
  matcher(q: string, textsOf: (row: Row) => readonly string[]): (slot: number) => boolean {
    const needle = fold(q);
    // What parts the texts in the index would be found there, where it is in none of them.
    if (needle.includes(gap)) {
      return (slot) => textsOf(this.#table.at(slot)).some((text) => fold(text).includes(needle));
    }
    const wanted = new Uint32Array(words);
    sign(needle, wanted, 0);
    const at = [...wanted.keys()].filter((word) => wanted[word]).slice(0, asked);
    const bits = at.map((word) => wanted[word] as number);
    return (slot) => {
      if (!this.#rows[slot]) this.#read(slot, textsOf);
      const start = slot * words;
      for (let index = 0; index < at.length; index += 1) {
        const missing = ~(this.#signatures[start + (at[index] as number)] as number);
        if ((bits[index] as number) & missing) return false;
      }
      return (this.#texts[slot] as string).includes(needle);
    };
  }

  #read(slot: number, textsOf: (row: Row) => readonly string[]): void {
    const row = this.#table.at(slot);
    const text = fold(textsOf(row).join(gap));
    this.#rows[slot] = row;
    this.#texts[slot] = text;
    this.#reserve(slot);
    const start = slot * words;
    this.#signatures.fill(0, start, start + words);
    sign(text, this.#signatures, start);
  }

  /** @param slot the one that changed; without it any may have, by going back to a snapshot */
  #forget(slot?: number): void {
    if (slot !== undefined) {
      if (slot < this.#rows.length) this.#rows[slot] = undefined;
      return;
    }
    this.#rows.forEach((row, at) => {
      if (row && this.#table.at(at) !== row) this.#rows[at] = undefined;
    });
  }

  #reserve(slot: number): void {
    const wanted = (slot + 1) * words;
    if (this.#signatures.length >= wanted) return;
    const larger = new Uint32Array(Math.max(wanted, this.#signatures.length * 2));
    larger.set(this.#signatures);
    this.#signatures = larger;
  }
}

/** Stands between the texts of one record; as seldom in a search as in a text. */
const gap = '\0';

/** Upper case, because it maps a text as the sum of its parts; lower case does not (final sigma). */
const fold = (text: string): string => text.toUpperCase();

/** Sets a bit for each pair of neighbouring characters; a single character sets none. */
function sign(text: string, signatures: Uint32Array, start: number): void {
  for (let at = 1; at < text.length; at += 1) {
    const hash = Math.imul(text.charCodeAt(at - 1), 0x9e3779b1) ^ Math.imul(text.charCodeAt(at), 0x85ebca6b);
    const bit = (hash >>> 7) & (words * 32 - 1);
    const word = start + (bit >>> 5);
    signatures[word] = (signatures[word] as number) | (1 << (bit & 31));
  }
}
