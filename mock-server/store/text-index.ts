import { Signatures } from './signatures.js';
import type { Table } from './table.js';

/**
 * Finds the records whose text contains a string, ignoring case.
 *
 * A search skips a record if its signature rules it out. Without signatures, searching 100,000 tickets would
 * mean reading 50 MB of text (`npm run bench -- scale`).
 *
 * A record's text and signature are built when it's first searched and rebuilt after it changes.
 */
export class TextIndex<Row extends object> {
  readonly #table: Table<Row>;
  readonly #texts: string[] = [];
  /** The row from which the text and signature were built; undefined if they're outdated. */
  readonly #rows: (Row | undefined)[] = [];
  readonly #signatures = new Signatures();

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
    const mayContain = this.#signatures.filter(needle);
    return (slot) => {
      if (!this.#rows[slot]) this.#read(slot, textsOf);
      return mayContain(slot) && (this.#texts[slot] as string).includes(needle);
    };
  }

  /** The memory used by the signatures, in bytes. */
  get signatureBytes(): number {
    return this.#signatures.bytes;
  }

  #read(slot: number, textsOf: (row: Row) => readonly string[]): void {
    const row = this.#table.at(slot);
    const text = fold(textsOf(row).join(separator));
    this.#rows[slot] = row;
    this.#texts[slot] = text;
    this.#signatures.set(slot, text);
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
      this.#signatures.truncate(slots);
    }
    this.#rows.forEach((row, slot) => {
      if (row && this.#table.at(slot) !== row) this.#forget(slot);
    });
  }
}

/** Separates a record's strings in the joined text. */
const separator = '\0';

/**
 * Converts text to uppercase, because lowercasing doesn't map each character independently: the Greek final
 * sigma depends on its position.
 */
const fold = (text: string): string => text.toUpperCase();
