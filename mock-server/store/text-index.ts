import type { Table } from './table.js';

/**
 * Finds the records whose text contains a string, ignoring case.
 *
 * A record's text is built when it's first searched, and rebuilt after it changes. Converting HTML to text
 * takes longer than searching it (`npm run bench -- scale`).
 */
export class TextIndex<Row extends object> {
  readonly #table: Table<Row>;
  /** The text for each slot, with the row from which it was built. */
  readonly #entries: { row: Row; text: string }[] = [];

  constructor(table: Table<Row>) {
    this.#table = table;
  }

  /**
   * Returns a function that checks whether the record in a slot contains the string.
   *
   * @param textsOf returns a record's searchable strings, which are searched separately
   */
  matcher(q: string, textsOf: (row: Row) => readonly string[]): (slot: number) => boolean {
    const needle = toUppercase(q);
    // The joined text of every record contains the separator, so search the original strings instead.
    if (needle.includes(separator)) {
      return (slot) => textsOf(this.#table.at(slot)).some((text) => toUppercase(text).includes(needle));
    }
    // Restoring a snapshot may have removed slots, so their entries are outdated.
    this.#entries.length = Math.min(this.#entries.length, this.#table.slots);
    return (slot) => this.#textOf(slot, textsOf).includes(needle);
  }

  #textOf(slot: number, textsOf: (row: Row) => readonly string[]): string {
    const row = this.#table.at(slot);
    const entry = this.#entries[slot];
    if (entry?.row === row) return entry.text;
    const text = toUppercase(textsOf(row).join(separator));
    this.#entries[slot] = { row, text };
    return text;
  }
}

/** Separates a record's strings in the joined text. */
const separator = '\0';

/**
 * Converts text to uppercase. Lowercase wouldn't work, because the lowercase form of the Greek letter sigma
 * depends on its position in a word.
 */
const toUppercase = (text: string): string => text.toUpperCase();
