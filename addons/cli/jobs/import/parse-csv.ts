import { maxRowLength } from './read-text.js';

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
  readonly #delimiter: string;
  /** Matches a quote, a delimiter, a line break's character, or the text between them. */
  readonly #tokens: RegExp;
  /**
   * Where the next token is: at the start of a value, in an unquoted or quoted value, or after a quoted value.
   */
  #state: 'start' | 'unquoted' | 'quoted' | 'closed' = 'start';
  #complete: CsvRecord[] = [];
  #values: string[] = [];
  #value = '';
  #length = 0;
  #line = 1;
  #recordLine = 1;
  #quoteLine = 1;
  #previous = '';

  constructor(delimiter: string) {
    this.#delimiter = delimiter;
    const separators = `"\\r\\n\\u${delimiter.charCodeAt(0).toString(16).padStart(4, '0')}`;
    this.#tokens = new RegExp(`[${separators}]|[^${separators}]+`, 'g');
  }

  /**
   * Parses more text, and returns the records that it completes.
   *
   * @throws Error with the line number if the text isn't valid CSV
   */
  push(text: string): CsvRecord[] {
    for (const [token] of text.matchAll(this.#tokens)) {
      // The two characters of `\r\n` may arrive in separate chunks.
      if (token === '\r' || (token === '\n' && this.#previous !== '\r')) this.#line++;
      if (this.#state === 'quoted') this.#readQuoted(token);
      else this.#readUnquoted(token);
      if (this.#length > maxRowLength) throw this.#tooLong();
      this.#previous = token;
    }
    return this.#take();
  }

  /** Returns the last record if it doesn't end with a line break. */
  end(): CsvRecord[] {
    if (this.#state === 'quoted')
      throw new Error(`line ${this.#quoteLine} opens a quote that is never closed`);
    this.#endRecord();
    return this.#take();
  }

  #readQuoted(token: string): void {
    if (token === '"') this.#state = 'closed';
    else this.#append(token);
  }

  #readUnquoted(token: string): void {
    if (token === '\n' || token === '\r') {
      this.#endRecord();
      return;
    }
    if (this.#isRecordEmpty) this.#recordLine = this.#line;
    if (token === this.#delimiter) this.#endValue();
    else if (token === '"') this.#openQuote();
    else if (this.#state === 'closed') throw this.#textAfterQuote();
    else {
      this.#append(token);
      this.#state = 'unquoted';
    }
  }

  #openQuote(): void {
    if (this.#state === 'unquoted') {
      throw new Error(
        `line ${this.#line} has a quote inside a value that isn't quoted; quote the value, and double the quotes in it`,
      );
    }
    if (this.#state === 'closed') this.#append('"');
    else this.#quoteLine = this.#line;
    this.#state = 'quoted';
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

  #textAfterQuote(): Error {
    return new Error(
      `line ${this.#line} has text after the closing quote of the value that starts on line ${this.#quoteLine}; a quote is missing, or quotes in the value aren't doubled`,
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
