import type { Hash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { counted, parseJson } from '../../../../src/internal.js';
import { UsageError } from '../../command-line.js';
import { describeFileError } from '../../files.js';
import { CsvParser, type CsvRecord } from './parse-csv.js';
import { linesOf, readText } from './read-text.js';

export type RowFormat = 'csv' | 'ndjson';

/** A file and how to read it. */
export interface RowFile {
  file: string;
  format: RowFormat;
  /** The character between the values of a CSV file. */
  delimiter: string;
  /** The encoding. Undefined for UTF-8 or the encoding that the byte order mark specifies. */
  encoding: string | undefined;
}

/** A row, and the line on which it starts. */
export interface FileRow {
  line: number;
  values: Readonly<Record<string, unknown>>;
}

/** The first row of a CSV file. */
export interface Header {
  line: number;
  /** The column names. A repeated name gets a number, such as `Labels (2)`. */
  columns: string[];
  /** The positions of columns that share a name, keyed by that name. */
  repeated: ReadonlyMap<string, readonly number[]>;
}

/**
 * @throws UsageError if the file can't be read twice, its format is unknown, or `--delimiter` is given for a
 * file that isn't CSV
 */
export async function openRowFile(
  file: string,
  flags: { format?: RowFormat; delimiter?: string; encoding?: string },
): Promise<RowFile> {
  if (file === '-' || /^\/(dev|proc)\//.test(resolve(file))) throw new UsageError(`${file} ${notAFile}`);
  const format = flags.format ?? formatOf(file);
  if (format !== 'csv' && flags.delimiter !== undefined) {
    throw new UsageError('--delimiter applies only to CSV files');
  }
  const found = await stat(file).catch((error) => {
    throw new UsageError(`could not read ${file}: ${describeFileError(error)}`);
  });
  if (found.isDirectory()) throw new UsageError(`could not read ${file}: it's a folder`);
  if (!found.isFile()) throw new UsageError(`${file} ${notAFile}`);
  return { file, format, delimiter: flags.delimiter ?? ',', encoding: flags.encoding };
}

const notAFile =
  "isn't a regular file; the import reads its input more than once, so save it to a file first";

function formatOf(file: string): RowFormat {
  if (/\.csv$/i.test(file)) return 'csv';
  if (/\.(ndjson|jsonl)$/i.test(file)) return 'ndjson';
  throw new UsageError(`unknown file format: ${file}; pass --format csv or --format ndjson`);
}

/**
 * Streams a file's rows in constant memory.
 *
 * @throws UsageError with the line number if the file is malformed
 */
export async function* readRows(
  { file, format, delimiter, encoding }: RowFile,
  { hash, onHeader, onEnd }: ReadRowsOptions = {},
): AsyncGenerator<FileRow, void, undefined> {
  try {
    const texts = watchEnd(readText(file, encoding, hash), onEnd);
    yield* format === 'csv' ? readCsv(texts, delimiter, onHeader) : readNdjson(texts);
  } catch (error) {
    throw new UsageError(`could not read ${file}: ${describeFileError(error)}`);
  }
}

interface ReadRowsOptions {
  /** Updated with the bytes of the file. */
  hash?: Hash;
  onHeader?: (header: Header) => void;
  /** Called at the end of the file. A file whose last line has no line break may have been cut off. */
  onEnd?: (end: { hasLastLineBreak: boolean }) => void;
}

/**
 * Passes text on, and remembers its last character. The check needs decoded text, because the bytes of a line break
 * are also part of other characters in UTF-16.
 */
async function* watchEnd(
  texts: AsyncIterable<string>,
  onEnd: ReadRowsOptions['onEnd'],
): AsyncGenerator<string, void, undefined> {
  let last = '';
  for await (const text of texts) {
    last = text.at(-1) ?? last;
    yield text;
  }
  onEnd?.({ hasLastLineBreak: last === '\n' || last === '\r' });
}

async function* readCsv(
  texts: AsyncIterable<string>,
  delimiter: string,
  onHeader?: (header: Header) => void,
): AsyncGenerator<FileRow, void, undefined> {
  const parser = new CsvParser(delimiter);
  let header: Header | undefined;
  function* rowsOf(records: CsvRecord[]) {
    for (const record of records) {
      if (header) yield toRow(record, header);
      else {
        header = headerOf(record);
        onHeader?.(header);
      }
    }
  }
  for await (const text of texts) yield* rowsOf(parser.push(text));
  yield* rowsOf(parser.end());
}

function headerOf({ line, values }: CsvRecord): Header {
  checkDelimiter(values);
  const positions = new Map<string, number[]>();
  const taken = new Set(values);
  const columns = values.map((name, index) => {
    const same = positions.get(name) ?? [];
    positions.set(name, same);
    same.push(index + 1);
    if (name !== '' && same.length === 1) return name;
    let number = name === '' ? index + 1 : same.length;
    const numbered = () => (name === '' ? `(column ${number})` : `${name} (${number})`);
    // Another column may already have this name.
    while (taken.has(numbered())) number++;
    taken.add(numbered());
    return numbered();
  });
  positions.delete('');
  return { line, columns, repeated: new Map([...positions].filter(([, { length }]) => length > 1)) };
}

/** @throws Error if the values seem to be separated by another delimiter that is in common use */
function checkDelimiter([only = '', ...others]: readonly string[]): void {
  const other = others.length === 0 && /[;\t|]/.exec(only)?.[0];
  if (!other) return;
  const [name, value] = other === '\t' ? ['tabs', 'tab'] : [`"${other}"`, `"${other}"`];
  throw new Error(`its values seem to be separated by ${name}; pass --delimiter ${value}`);
}

function toRow({ line, values }: CsvRecord, { columns }: Header): FileRow {
  if (values.length === columns.length) {
    return { line, values: Object.fromEntries(columns.map((name, index) => [name, values[index]])) };
  }
  throw new Error(
    `line ${line} has ${counted(values.length, 'value')}, but the header has ${counted(columns.length, 'column')}`,
  );
}

async function* readNdjson(texts: AsyncIterable<string>): AsyncGenerator<FileRow, void, undefined> {
  for await (const { line, text } of linesOf(texts)) {
    const values = parseJson(text, () => {
      throw new Error(`line ${line} isn't valid JSON`);
    });
    if (typeof values !== 'object' || values === null || Array.isArray(values)) {
      throw new Error(`line ${line} isn't a JSON object`);
    }
    yield { line, values: values as FileRow['values'] };
  }
}
