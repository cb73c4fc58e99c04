import { createHash } from 'node:crypto';
import { UsageError } from '../../command-line.js';
import type { ConnectionOptions } from '../../connection.js';
import { type Columns, checkColumn, keyOf, type Mapping, RowProblem, resolveMapping } from './mapping.js';
import {
  type FileRow,
  type Header,
  openRowFile,
  type RowFile,
  type RowFormat,
  readRows,
} from './read-rows.js';

/** The parsed options of `worktrack import`. */
export interface ImportFlags extends ConnectionOptions {
  project: string;
  map?: Mapping;
  key?: string;
  format?: RowFormat;
  delimiter?: string;
  encoding?: string;
  dryRun?: boolean;
  concurrency: number;
  rate?: number;
}

/** A file that has been read once, and how to import it. */
export interface ImportPlan {
  source: RowFile;
  rows: number;
  /** The SHA-256 digest of the file's contents. */
  digest: string;
  /** Whether the last line ends with a line break. Otherwise, the file may have been cut off. */
  hasLastLineBreak: boolean;
  /** The key column, or undefined if rows are identified by row number. */
  key: string | undefined;
  mapping: Mapping;
}

/**
 * Reads the entire file to check its rows, columns, and keys.
 *
 * @throws UsageError if the file or the options are invalid
 */
export async function planImport(
  file: string,
  flags: ImportFlags,
  fields: readonly string[],
  hasDefaultBoard: boolean,
): Promise<ImportPlan> {
  const source = await openRowFile(file, flags);
  const { rows, digest, hasLastLineBreak, columns, problem } = await scanFile(source, flags.key);
  if (columns.names.length === 0) throw new UsageError(`${file} is empty`);
  if (rows === 0) throw new UsageError(`${file} has no rows`);
  const mapping = resolveMapping(flags.map, columns, fields);
  if (!hasDefaultBoard && !mapping.board_slug && !mapping.board_id)
    throw new UsageError('no column for the board; pass --map board_slug=<column>');
  if (flags.key !== undefined) checkColumn('--key', flags.key, columns);
  // A dry run lists the rows with invalid keys instead of failing.
  if (problem !== undefined && !flags.dryRun) throw new UsageError(`could not read ${file}: ${problem}`);
  return { source, rows, digest, hasLastLineBreak, key: flags.key, mapping };
}

/** Reads the rows again. @throws Error if the file has changed since the plan was made */
export async function* rowsOf(
  { source, rows, digest }: ImportPlan,
  advice = 'check the result, and run the same command again',
): AsyncGenerator<FileRow, void, undefined> {
  const hash = createHash('sha256');
  let count = 0;
  for await (const row of readRows(source, { hash })) {
    count++;
    yield row;
  }
  if (hash.digest('hex') === digest) return;
  throw new Error(
    `${source.file} has changed since it was checked (${rows} rows then, ${count} rows now); ${advice}`,
  );
}

async function scanFile(source: RowFile, key: string | undefined) {
  const hash = createHash('sha256');
  const names = new Set<string>();
  let header: Header | undefined;
  let rows = 0;
  let problem: string | undefined;
  const onHeader = (found: Header) => {
    header = found;
    for (const name of found.columns) names.add(name);
  };
  let hasLastLineBreak = false;
  const onEnd = (end: { hasLastLineBreak: boolean }) => {
    hasLastLineBreak = end.hasLastLineBreak;
  };
  for await (const row of readRows(source, { hash, onHeader, onEnd })) {
    problem ??= keyProblem(row, rows++, key);
    if (!header) for (const name of Object.keys(row.values)) names.add(name);
  }
  const columns: Columns = { names: [...names], header };
  return { rows, digest: hash.digest('hex'), hasLastLineBreak, columns, problem };
}

function keyProblem(row: FileRow, index: number, column: string | undefined): string | undefined {
  try {
    keyOf(row, index, column);
    return undefined;
  } catch (error) {
    if (!(error instanceof RowProblem)) throw error;
    return `line ${row.line}: the key in column "${column}" ${Object.values(error.fieldErrors).join()}`;
  }
}
