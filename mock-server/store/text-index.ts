import type { Table } from './table.js';

/**
 * The number of 32-bit words in a record's signature. A 500-character string sets about a fifth of the bits.
 */
const words = 32;

/**
 * The number of words that a search compares. With 500 characters per record, comparing five words rules
 * out all but one record in a thousand.
 */
const comparedWords = 5;

/**
 * Finds the records whose text contains a string, ignoring case.
 *
 * Each record has a signature with one bit for each pair of adjacent characters. A search skips a record if
 * its signature shows that a pair in the search string is missing. Without signatures, searching 100,000
 * tickets would mean reading 50 MB of text (`npm run bench -- scale`).
 *
 * A record's text and signature are built when it's first searched and rebuilt after it changes.
 */
export class TextIndex<Row extends object> {
  readonly #table: Table<Row>;
  readonly #texts: string[] = [];
  /** The row from which the text and signature were built; undefined if they're outdated. */
  readonly #rows: (Row | undefined)[] = [];
  #signatures = new Uint32Array(0);

  constructor(table: Table<Row>) {
    this.#table = table;
    table.watch((slot) => (slot === undefined ? this.#forgetChanged() : this.#forget(slot)));
  }

  /**
   * Returns a function that checks whether the record in a slot contains the string.
   *
   * @param textsOf returns a record's searchable strings, which are searched separately
   */
  matcher(q: string, textsOf: (row: Row) => readonly string[]): (slot: number) => boolean {
    const needle = fold(q);
    // The index joins a record's strings with this separator, so searching the joined text for it would match
    // every record.
    if (needle.includes(separator)) {
      return (slot) => textsOf(this.#table.at(slot)).some((text) => fold(text).includes(needle));
    }
    const signature = new Uint32Array(words);
    addSignature(needle, signature, 0);
    const compared = [...signature.keys()].filter((word) => signature[word]).slice(0, comparedWords);
    const bits = compared.map((word) => signature[word] as number);
    return (slot) => {
      if (!this.#rows[slot]) this.#read(slot, textsOf);
      const start = slot * words;
      for (let index = 0; index < compared.length; index += 1) {
        const missing = ~(this.#signatures[start + (compared[index] as number)] as number);
        if ((bits[index] as number) & missing) return false;
      }
      return (this.#texts[slot] as string).includes(needle);
    };
  }

  /** The memory used by the signatures, in bytes. */
  get signatureBytes(): number {
    return this.#signatures.byteLength;
  }

  #read(slot: number, textsOf: (row: Row) => readonly string[]): void {
    const row = this.#table.at(slot);
    const text = fold(textsOf(row).join(separator));
    this.#rows[slot] = row;
    this.#texts[slot] = text;
    this.#reserve(slot);
    const start = slot * words;
    this.#signatures.fill(0, start, start + words);
    addSignature(text, this.#signatures, start);
  }

  #forget(slot: number): void {
    if (slot >= this.#rows.length) return;
    this.#rows[slot] = undefined;
    this.#texts[slot] = '';
  }

  /** Discards the entries for rows that a restore changed. The table may have fewer slots than before. */
  #forgetChanged(): void {
    const { slots } = this.#table;
    if (this.#rows.length > slots) {
      this.#rows.length = slots;
      this.#texts.length = slots;
      this.#signatures = this.#signatures.slice(0, slots * words);
    }
    this.#rows.forEach((row, slot) => {
      if (row && this.#table.at(slot) !== row) this.#forget(slot);
    });
  }

  #reserve(slot: number): void {
    const requiredLength = (slot + 1) * words;
    if (this.#signatures.length >= requiredLength) return;
    const larger = new Uint32Array(Math.max(requiredLength, this.#signatures.length * 2));
    larger.set(this.#signatures);
    this.#signatures = larger;
  }
}

/** Separates a record's strings in the joined text. */
const separator = '\0';

/**
 * Converts text to uppercase, because lowercasing doesn't map each character independently: the Greek final
 * sigma depends on its position.
 */
const fold = (text: string): string => text.toUpperCase();

/** Sets one bit for each pair of adjacent characters. A single character sets no bits. */
function addSignature(text: string, signatures: Uint32Array, start: number): void {
  for (let at = 1; at < text.length; at += 1) {
    const hash = Math.imul(text.charCodeAt(at - 1), 0x9e3779b1) ^ Math.imul(text.charCodeAt(at), 0x85ebca6b);
    const bit = (hash >>> 7) & (words * 32 - 1);
    const word = start + (bit >>> 5);
    signatures[word] = (signatures[word] as number) | (1 << (bit & 31));
  }
}
