import { open, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type FileLedger, fileLedger, LedgerError } from '../../src/import/index.js';
import { UsageError } from '../command-line.js';
import { describeFileError } from '../files.js';
import { dryRunPath } from './dry-run.js';
import { failedRowsPath } from './failed-rows.js';
import type { ImportFlags, ImportPlan } from './plan.js';

/** The ledger of an import. Each combination of file and project has its own ledger. */
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
    for await (const _ of ledger.entries()) {
      throw new UsageError(`${path} contains an earlier import; pass --resume to continue it`);
    }
    return ledger;
  } catch (error) {
    await ledger.close();
    throw error instanceof LedgerError ? new UsageError(error.message) : error;
  }
}

/** Closes a ledger. Deletes its files if it's empty, for example because the token was rejected. */
export async function closeLedger(ledger: FileLedger, path: string): Promise<void> {
  let isEmpty = true;
  for await (const _ of ledger.entries()) {
    isEmpty = false;
    break;
  }
  try {
    if (isEmpty) for (const file of [path, `${path}.check`]) await rm(file, { force: true });
  } finally {
    await ledger.close();
  }
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
  // `onMissing` is set only for syncs, which always continue with the ledger and don't have `--resume`.
  const resume = onMissing === undefined ? ` --resume${option}` : '';
  return `${file} hasn't been imported, but ${other} records an import into the same project${others}; if ${file} ${what}, pass --ledger ${other}${resume}; to create a ticket for each of its rows, pass --ledger ${path}`;
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
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(1 << 16), 0, 1 << 16, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
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
