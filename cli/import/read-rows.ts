import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { UsageError } from '../usage-error.js';
import type { FileRow, KeyOf } from './mapping.js';

export type RowFormat = 'csv' | 'ndjson';

/** A file and how to read it. */
export interface RowFile {
  file: string;
  format: RowFormat;
  /** The character between the values of a CSV file. */
  delimiter: string;
}

/** @throws UsageError if the file's format is unknown, or a delimiter is given for a file that isn't CSV */
export function rowFileOf(file: string, flags: { format?: RowFormat; delimiter?: string }): RowFile {
  const format = flags.format ?? formatOf(file);
  if (format !== 'csv' && flags.delimiter !== undefined) {
    throw new UsageError('--delimiter applies only to CSV files');
  }
  return { file, format, delimiter: flags.delimiter ?? ',' };
}

function formatOf(file: string): RowFormat {
  if (/\.csv$/i.test(file)) return 'csv';
  if (/\.(ndjson|jsonl)$/i.test(file)) return 'ndjson';
  throw new UsageError(`unknown file format: ${file}; pass --format csv or --format ndjson`);
}

/** Streams a file's rows in constant memory. */
export function readRows({ file, format, delimiter }: RowFile): AsyncIterable<FileRow> {
  return format === 'csv' ? readCsv(file, delimiter) : readNdjson(file);
}

function readCsv(file: string, delimiter: string): AsyncIterable<FileRow> {
  const parser = parse({ bom: true, columns: true, delimiter, skip_empty_lines: true });
  // The iterator throws both read errors and parse errors.
  pipeline(createReadStream(file), parser, () => {});
  return parser;
}

async function* readNdjson(file: string): AsyncGenerator<FileRow, void, undefined> {
  let number = 0;
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    number++;
    if (!line.trim()) continue;
    yield parseLine(line.replace(/^\ufeff/, ''), number);
  }
}

function parseLine(line: string, number: number): FileRow {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (cause) {
    throw new Error(`line ${number} isn't valid JSON`, { cause });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error(`line ${number} isn't a JSON object`);
  }
  return value as FileRow;
}

/** What a file contains. */
interface Scan {
  rows: number;
  columns: string[];
  /** The number of the first row without a key. */
  rowWithoutKey: number | undefined;
}

/** Reads the entire file to count its rows, collect its column names, and check its keys. */
export async function scanFile(source: RowFile, keyOf: KeyOf): Promise<Scan> {
  const columns = new Set<string>();
  let rows = 0;
  let rowWithoutKey: number | undefined;
  try {
    for await (const row of readRows(source)) {
      if (keyOf(row, rows++) === '') rowWithoutKey ??= rows;
      for (const column of Object.keys(row)) columns.add(column);
    }
  } catch (error) {
    throw new UsageError(`could not read ${source.file}: ${problemOf(error as Error)}`);
  }
  checkDelimiter(source, columns);
  return { rows, columns: [...columns], rowWithoutKey };
}

/** @throws UsageError if the values are separated by another common delimiter */
function checkDelimiter({ file, format }: RowFile, columns: ReadonlySet<string>): void {
  const [header = ''] = columns;
  const other = columns.size === 1 && format === 'csv' && /[;\t|]/.exec(header)?.[0];
  if (!other) return;
  const [name, value] = other === '\t' ? ['tabs', 'tab'] : [`"${other}"`, `"${other}"`];
  throw new UsageError(`the values in ${file} seem to be separated by ${name}; pass --delimiter ${value}`);
}

/** What csv-parse adds to an error about a row that doesn't have a value for each column. */
interface UnevenRow {
  lines: number;
  record: unknown[];
  columns: unknown[];
}

function problemOf(error: Error): string {
  if (!(error instanceof CsvError) || error.code !== 'CSV_RECORD_INCONSISTENT_COLUMNS') return error.message;
  const { lines, record, columns } = error as CsvError & UnevenRow;
  const values = record.length === 1 ? '1 value' : `${record.length} values`;
  return `line ${lines} has ${values}, but the header has ${columns.length} columns`;
}
