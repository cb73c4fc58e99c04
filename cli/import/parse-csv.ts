import { LineCounter, maxRowLength } from './read-text.js';

/** A record in a CSV file, and the line on which it starts. */
export interface CsvRecord {
  line: number;
  values: string[];
}

/**
 * Parses CSV (RFC 4180) in chunks. Line breaks can be `\n`, `\r\n`, or `\r`. Blank lines are skipped.
 *
 * The `csv-parse` package isn't used because it doesn't report where an unclosed quote opens, and its line
 * numbers are wrong after a quoted value with `\r\n`.
 */
export class CsvParser {
  readonly #delimiter: number;
  readonly #lines = new LineCounter();
  /** The position in the current text up to which lines have been counted. */
  #counted = 0;
  /**
   * Where the next character is: at the start of a value, in an unquoted or quoted value, or after a quoted
   * value.
   */
  #state: 'start' | 'unquoted' | 'quoted' | 'closed' = 'start';
  #complete: CsvRecord[] = [];
  #values: string[] = [];
  #value = '';
  #length = 0;
  #recordLine = 1;
  #quoteLine = 1;

  constructor(delimiter: string) {
    this.#delimiter = delimiter.charCodeAt(0);
  }

  /**
   * Parses more text, and returns the records that it completes.
   *
   * @throws Error with the line number if the text isn't valid CSV
   */
  push(text: string): CsvRecord[] {
    this.#counted = 0;
    for (let at = 0; at < text.length; ) {
      at = this.#state === 'quoted' ? this.#readQuoted(text, at) : this.#readUnquoted(text, at);
      if (this.#length > maxRowLength) throw this.#tooLong();
    }
    this.#lineAt(text, text.length);
    return this.#take();
  }

  /** Returns the last record if it doesn't end with a line break. */
  end(): CsvRecord[] {
    if (this.#state === 'quoted')
      throw new Error(`line ${this.#quoteLine} opens a quote that is never closed`);
    this.#endRecord();
    return this.#take();
  }

  #readQuoted(text: string, at: number): number {
    const quote = text.indexOf('"', at);
    const end = quote < 0 ? text.length : quote;
    this.#append(text.slice(at, end));
    if (quote < 0) return end;
    this.#state = 'closed';
    return end + 1;
  }

  #readUnquoted(text: string, at: number): number {
    if (this.#isRecordEmpty) this.#recordLine = this.#lineAt(text, at);
    const end = this.#endOfUnquoted(text, at);
    if (end > at) {
      if (this.#state === 'closed') throw this.#textAfterQuote(text, at);
      this.#append(text.slice(at, end));
      this.#state = 'unquoted';
      return end;
    }
    switch (text.charCodeAt(at)) {
      case this.#delimiter:
        this.#endValue();
        return at + 1;
      case quoteCode:
        return this.#readQuote(text, at);
      default:
        this.#endRecord();
        // If the line feed arrives later, it's skipped as a blank line.
        return text.startsWith('\r\n', at) ? at + 2 : at + 1;
    }
  }

  #readQuote(text: string, at: number): number {
    if (this.#state === 'unquoted') {
      throw new Error(
        `line ${this.#lineAt(text, at)} has a quote inside a value that isn't quoted; quote the value, and double the quotes in it`,
      );
    }
    if (this.#state === 'closed') this.#append('"');
    else this.#quoteLine = this.#lineAt(text, at);
    this.#state = 'quoted';
    return at + 1;
  }

  #endOfUnquoted(text: string, start: number): number {
    for (let at = start; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === this.#delimiter || code === quoteCode || code === 10 || code === 13) return at;
    }
    return text.length;
  }

  #append(text: string): void {
    this.#value += text;
    this.#length += text.length;
  }

  #endValue(): void {
    this.#values.push(this.#value);
    this.#value = '';
    this.#length++;
    this.#state = 'start';
  }

  #endRecord(): void {
    if (this.#isRecordEmpty) return;
    this.#endValue();
    this.#complete.push({ line: this.#recordLine, values: this.#values });
    this.#values = [];
    this.#length = 0;
  }

  get #isRecordEmpty(): boolean {
    return this.#values.length === 0 && this.#state === 'start';
  }

  #take(): CsvRecord[] {
    const records = this.#complete;
    this.#complete = [];
    return records;
  }

  /**
   * Converts a position in the current text to a line number. Positions must be passed in ascending order.
   */
  #lineAt(text: string, position: number): number {
    this.#lines.add(text.slice(this.#counted, position));
    this.#counted = position;
    return this.#lines.line;
  }

  #textAfterQuote(text: string, at: number): Error {
    const line = this.#lineAt(text, at);
    return new Error(
      `line ${line} has text after the closing quote of the value that starts on line ${this.#quoteLine}; a quote is missing, or quotes in the value aren't doubled`,
    );
  }

  #tooLong(): Error {
    const cause =
      this.#state === 'quoted' ? `; the quote that opens on line ${this.#quoteLine} may not be closed` : '';
    return new Error(
      `the row on line ${this.#recordLine} is longer than ${maxRowLength.toLocaleString('en-US')} characters${cause}`,
    );
  }
}

const quoteCode = '"'.charCodeAt(0);
