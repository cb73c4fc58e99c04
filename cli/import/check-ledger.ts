import { realpath } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { type FileLedger, fingerprintOf } from '../../src/import/index.js';
import { UsageError } from '../command-line.js';
import { type Directory, RowProblem } from './directory.js';
import { keyOf, type Mapping, toTicket } from './mapping.js';
import { type ImportFlags, type ImportPlan, rowsOf } from './plan.js';

/** The details of an import that are recorded in its ledger. */
interface ImportRecord {
  baseUrl: string | undefined;
  /** The real path of the file, and the digest of its contents. */
  file: string;
  sha256: string;
  /** The key column, or null if rows are identified by row number. */
  key: string | null;
  mapping: Mapping;
}

/** Describes an import for its ledger. */
export const recordOf = async (
  { source, digest, key, mapping }: ImportPlan,
  baseUrl: string | undefined,
): Promise<ImportRecord> => ({
  baseUrl: baseUrl === undefined ? undefined : new URL(baseUrl).href,
  file: await realpath(source.file),
  sha256: digest,
  key: key ?? null,
  mapping,
});

/**
 * Checks whether a ledger belongs to the import.
 *
 * @param path the ledger's path, for messages
 * @throws UsageError if the ledger belongs to an import that used a different file, key, or server
 */
export function checkRecord(
  path: string,
  before: Partial<ImportRecord>,
  now: ImportRecord,
  flags: ImportFlags,
): void {
  const fail = (difference: string, advice: string) => {
    throw new UsageError(`${path} records an import ${difference}; ${advice}`);
  };
  if (before.baseUrl !== undefined && before.baseUrl !== now.baseUrl) {
    fail(`into ${before.baseUrl}`, `to import into ${now.baseUrl}, pass another file with --ledger`);
  }
  if (before.key !== undefined && before.key !== now.key) {
    fail(
      before.key === null ? 'without --key' : `with --key ${before.key}`,
      `resume it with the same key (got ${now.key === null ? 'no --key' : `--key ${now.key}`})`,
    );
  }
  // A corrected file keeps its path, and a moved file keeps its contents.
  const isSameFile = before.file === now.file || before.sha256 === now.sha256;
  if (before.file !== undefined && !isSameFile) {
    if (now.key === null) fail(`of ${before.file} without --key`, 'resume it with the same file');
    if (!flags.newExport) {
      fail(
        `of ${before.file}`,
        `if ${now.file} is a newer export with the same keys, pass --new-export; otherwise, pass another file with --ledger`,
      );
    }
  }
  if (now.key === null && before.mapping && !isDeepStrictEqual(before.mapping, now.mapping)) {
    fail(
      `with ${describe(before.mapping)}`,
      `resume it with the same columns (got ${describe(now.mapping)})`,
    );
  }
}

const describe = (mapping: Mapping) =>
  Object.entries(mapping)
    .map(([field, column]) => `--map ${field}=${column}`)
    .join(' ');

/**
 * Checks that all rows that could already have tickets are in the same positions as before. If a row was
 * inserted or removed above such a row, some rows would be skipped and others would be created twice.
 *
 * @throws UsageError if rows are identified by row number and a row has changed
 */
export async function checkRowNumbers(
  ledger: FileLedger,
  plan: ImportPlan,
  directory: Directory,
): Promise<void> {
  if (plan.key !== undefined) return;
  let index = 0;
  for await (const row of rowsOf(plan)) {
    const key = keyOf(row, index++, undefined);
    const entry = await ledger.get(key);
    const mayHaveTicket = entry?.state === 'done' || entry?.state === 'started' || entry?.state === 'unknown';
    if (!mayHaveTicket || entry.fingerprint === undefined) continue;
    try {
      if (fingerprintOf(toTicket(row, plan.mapping, directory)) === entry.fingerprint) continue;
    } catch (error) {
      // The row can't be compared, for example because its board was renamed. The import skips it or reports
      // it as failed.
      if (error instanceof RowProblem) continue;
      throw error;
    }
    throw new UsageError(
      `line ${row.line} of ${plan.source.file} has changed since it was imported as ${key}; without --key, you can only correct rows that failed and add rows at the end`,
    );
  }
}
