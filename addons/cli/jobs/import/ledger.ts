import { createReadStream } from 'node:fs';
import { readdir, realpath, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import { type FileLedger, fileLedger, fingerprintOf, LedgerError } from '../../../jobs/import/index.js';
import { UsageError } from '../../command-line.js';
import { describeFileError } from '../../files.js';
import { dryRunPath, failedRowsPath } from './failed-rows.js';
import { type Directory, keyOf, type Mapping, RowProblem, toTicket } from './mapping.js';
import { type ImportFlags, type ImportPlan, rowsOf } from './plan.js';

/**
 * Returns the path of an import's ledger. By default, each combination of file and project has its own
 * ledger.
 */
export const ledgerPath = ({ source }: ImportPlan, { ledger, project }: ImportFlags): string =>
  ledger ?? `${source.file}.${encodeURIComponent(project)}.ledger`;

/**
 * Opens the ledger for a new import or for one that's being resumed.
 *
 * @throws UsageError if the ledger can't be opened, is missing, or belongs to another import
 */
export async function openLedger(plan: ImportPlan, flags: ImportFlags, path: string): Promise<FileLedger> {
  await checkLedgerPath(path, plan, flags);
  const ledger = await fileLedger(path).catch((error) => {
    throw new UsageError(error instanceof LedgerError ? error.message : cannotOpen(path, error));
  });
  try {
    await ledger.bind(`tickets:${flags.project}`);
    if (flags.resume) return ledger;
    if (await isEmpty(ledger)) return ledger;
    throw new UsageError(`${path} contains an earlier import; pass --resume to continue it`);
  } catch (error) {
    await ledger.close();
    throw error instanceof LedgerError ? new UsageError(error.message) : error;
  }
}

/** Closes a ledger. Deletes its files if it's empty, for example because the token was rejected. */
export async function closeLedger(ledger: FileLedger, path: string): Promise<void> {
  try {
    if (await isEmpty(ledger)) for (const file of [path, `${path}.check`]) await rm(file, { force: true });
  } finally {
    // An error from an earlier write has already been reported as the reason why the import stopped.
    await ledger.close().catch((error) => {
      if (!(error instanceof LedgerError)) throw error;
    });
  }
}

async function isEmpty(ledger: FileLedger): Promise<boolean> {
  for await (const _ of ledger.entries()) return false;
  return true;
}

const cannotOpen = (path: string, error: unknown) =>
  `could not open the ledger ${path}: ${describeFileError(error)}`;

/**
 * @throws UsageError if the ledger's path is already used for another purpose, or if the user probably meant
 * a different ledger
 */
export async function checkLedgerPath(
  path: string,
  { source }: ImportPlan,
  flags: ImportFlags & { onMissing?: string },
): Promise<void> {
  for (const other of [source.file, failedRowsPath(source.file), dryRunPath(source.file)]) {
    if (await isSameFile(path, other)) {
      throw new UsageError(`--ledger: ${path} is already used for another file; pass a different path`);
    }
  }
  const found = await statOf(path).catch((error) => {
    throw new UsageError(cannotOpen(path, error));
  });
  if (found && !found.isFile())
    throw new UsageError(`could not open the ledger ${path}: it isn't a regular file`);
  if (found) return;
  const others = await otherLedgers(path, flags.project);
  if (flags.resume) {
    const hint = others[0] ? `did you mean --ledger ${others[0]}?` : 'omit --resume to start a new import';
    throw new UsageError(`there is no import to resume, because ${path} doesn't exist; ${hint}`);
  }
  if (others.length > 0 && flags.ledger === undefined)
    throw new UsageError(mayBeNewExport(source.file, path, others, flags));
}

function mayBeNewExport(
  file: string,
  path: string,
  [other, ...more]: string[],
  { key, onMissing }: ImportFlags & { onMissing?: string },
): string {
  const others = more.length > 0 ? `, and so do ${more.length} more files` : '';
  const [what, option] =
    key === undefined ? ['only has a new name', ''] : ['is a newer export', ' --new-export'];
  // `onMissing` is set only for syncs, which always resume from the ledger and don't have `--resume`.
  const resume = onMissing === undefined ? ` --resume${option}` : '';
  return `${file} hasn't been imported, but the ledger ${other} contains an import into the same project${others}; if ${file} ${what}, pass --ledger ${other}${resume}; to create a ticket for each of its rows, pass --ledger ${path}`;
}

/** Finds ledgers in the same folder that contain rows for the same project. */
async function otherLedgers(path: string, project: string): Promise<string[]> {
  const folder = dirname(path);
  const names = await readdir(folder).catch(() => []);
  const ledgers: string[] = [];
  for (const name of names.filter((name) => name.endsWith('.ledger')).sort()) {
    const ledger = join(folder, name);
    const start = await startOf(ledger).catch(() => '');
    if (start.includes(JSON.stringify({ scope: `tickets:${project}` })) && start.includes('"state":')) {
      ledgers.push(ledger);
    }
  }
  return ledgers;
}

async function startOf(path: string): Promise<string> {
  if (!(await statOf(path))?.isFile()) return '';
  return text(createReadStream(path, { end: 1 << 16 }));
}

/** Whether two paths refer to the same file, for example through a link. */
async function isSameFile(one: string, other: string): Promise<boolean> {
  if (resolve(one) === resolve(other)) return true;
  const [first, second] = await Promise.all([one, other].map((path) => statOf(path).catch(() => undefined)));
  return first !== undefined && second !== undefined && first.ino === second.ino && first.dev === second.dev;
}

/** @returns undefined if the file doesn't exist */
const statOf = (path: string) =>
  stat(path, { bigint: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });

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
  // The file's path stays the same if it's corrected, and its contents stay the same if it's moved.
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
 * inserted or removed above such a row, some rows would be skipped and others would be imported twice.
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
