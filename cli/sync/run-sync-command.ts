import { existsSync } from 'node:fs';
import { open, writeFile } from 'node:fs/promises';
import {
  type FileLedger,
  type ImportReport,
  ImportStoppedError,
  memoryLedger,
  planSync,
  type RunSyncOptions,
  type SavedSyncPlan,
  type SyncPlan,
  ticketTarget,
} from '../../src/import/index.js';
import { parseJson } from '../../src/shared/json.js';
import { UsageError } from '../command-line.js';
import { connectionOf } from '../connection.js';
import type { CommandContext } from '../context.js';
import { describeFileError, readOptionFile } from '../files.js';
import { checkRecord, recordOf } from '../import/check-ledger.js';
import { Directory } from '../import/directory.js';
import { checkLedgerPath, closeLedger, ledgerPath, openLedger } from '../import/import-ledger.js';
import { type FileJob, openJob, stopImportOnSignal } from '../import/job.js';
import { keyOf, syncedFields, toSyncedTicket } from '../import/mapping.js';
import { type ImportFlags, rowsOf } from '../import/plan.js';
import type { FileRow } from '../import/read-rows.js';
import { confirm } from '../terminal/prompt.js';
import { describeBlocked, printPlan } from './print-plan.js';

/** The parsed options of `worktrack sync`. */
export interface SyncFlags extends ImportFlags {
  plan?: boolean;
  /** The path of a reviewed plan, or true if the option has no value. */
  apply?: string | boolean;
  yes?: boolean;
  save?: string;
  diff?: boolean;
  onMissing: 'keep' | 'archive' | 'delete';
  maxRemovals?: number;
  onConflict: 'report' | 'source' | 'target';
  onGone: 'report' | 'recreate';
}

/** Plans a sync, prints the plan, and applies it unless `--plan` is set. */
export async function runSyncCommand(file: string, flags: SyncFlags, context: CommandContext): Promise<void> {
  if (!flags.plan && !flags.yes && !process.stdin.isTTY)
    throw new UsageError("can't ask for confirmation without a terminal; pass --yes or --plan");
  const job = await openJob(file, { ...flags, newExport: true }, context, syncedFields);
  const { plan: source, display } = job;
  const path = ledgerPath(source, job.flags);
  const isContinued = existsSync(path);
  // Don't create a ledger if the sync is only being planned.
  const fileLedger =
    isContinued || !flags.plan
      ? await openLedger(source, { ...job.flags, resume: isContinued }, path)
      : undefined;
  if (!fileLedger) await checkLedgerPath(path, source, job.flags);
  const stop = stopImportOnSignal(display);
  try {
    await planAndApply(job, { fileLedger, path, stop, context });
  } catch (error) {
    if (!(error instanceof ImportStoppedError)) throw error;
    display.stop();
    display.printError(`worktrack: ${error.message}`);
    printReport(error.report as ImportReport<FileRow>, context);
    context.exitCode = stop.exitCode() ?? 1;
  } finally {
    display.stop();
    stop.ignoreSignals();
    if (fileLedger) await closeLedger(fileLedger, path);
  }
}

interface Run {
  /** Undefined if no ledger exists and none is needed. */
  fileLedger: FileLedger | undefined;
  path: string;
  stop: ReturnType<typeof stopImportOnSignal>;
  context: CommandContext;
}

async function planAndApply(job: FileJob<SyncFlags>, run: Run): Promise<void> {
  const { flags, plan: source, client, lookup, display } = job;
  const { fileLedger, path, stop, context } = run;
  const { file } = source.source;
  const record = await recordOf(source, connectionOf(flags, context.env).baseUrl);
  if (fileLedger?.metadata) checkRecord(path, fileLedger.metadata, record, flags);
  const directory = await Directory.load(lookup, flags.project);
  const isWhole = flags.onMissing === 'keep' || (await endsWithLineBreak(file));
  const options: RunSyncOptions<FileRow> = {
    target: ticketTarget<FileRow>({
      client,
      project: flags.project,
      toTicket: (row) => toSyncedTicket(row, source.mapping, directory),
    }),
    rows: rowsOf(source, 'run the command again'),
    key: (row, index) => keyOf(row, index, source.key),
    ledger: fileLedger ?? memoryLedger(),
    concurrency: flags.concurrency,
    signal: stop.signal,
    onProgress: display.update,
    onConflict: flags.onConflict,
    onGone: flags.onGone,
    onMissing: isWhole ? flags.onMissing : 'keep',
    maxRemovals: flags.maxRemovals,
    reviewedPlan: typeof flags.apply === 'string' ? await readPlan(flags.apply) : undefined,
  };
  const plan = await planSync(options);
  if (flags.save !== undefined) await savePlan(flags.save, plan);
  await printPlan(plan, directory, context, context.isTerminal || flags.diff === true);
  if (!isWhole)
    context.printError(
      `${file} doesn't end with a line break, so it may be incomplete; no ticket is removed`,
    );
  context.exitCode = hasProblems(plan) || !isWhole ? 1 : 0;
  if (flags.plan) return;
  if (!plan.isEmpty && !flags.yes && !(await confirm('Apply these changes?', stop.signal))) {
    context.exitCode = stop.exitCode() ?? 1;
    return context.printError('Nothing was changed.');
  }
  await fileLedger?.setMetadata({ ...record });
  display.start();
  const report = await plan.apply();
  display.stop();
  printReport(report, context);
  context.exitCode = stop.exitCode() ?? (isClean(report) && isWhole ? 0 : 1);
}

const hasProblems = ({ counts, blockedRemovals }: SyncPlan<unknown>): boolean =>
  counts.conflict + counts.gone + counts.stale + counts.failed + counts.unknown + blockedRemovals > 0;

const isClean = (report: ImportReport<unknown>): boolean =>
  !report.stopped &&
  report.failed + report.unknown + report.conflicts + report.gone + report.stale + report.blockedRemovals ===
    0;

async function readPlan(path: string): Promise<SavedSyncPlan> {
  return parseJson(await readOptionFile('--apply', path), () => {
    throw new UsageError(`--apply: ${path} isn't a saved plan; create one with --plan --save ${path}`);
  }) as SavedSyncPlan;
}

/** Saves a plan in a file that only this user can read, because it contains the tickets' content. */
async function savePlan(path: string, plan: SyncPlan<FileRow>): Promise<void> {
  await writeFile(path, `${JSON.stringify(plan, null, 2)}\n`, { mode: 0o600 }).catch((error) => {
    throw new UsageError(`--save: could not write ${path}: ${describeFileError(error)}`);
  });
}

/** Whether a file ends with a line break, which is unlikely if the file was truncated. */
async function endsWithLineBreak(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    // Read two bytes, because a line break has two bytes in UTF-16.
    const { buffer } = await file.read(Buffer.alloc(2), 0, 2, Math.max(0, size - 2));
    return /[\r\n]/.test(buffer.toString('latin1'));
  } finally {
    await file.close();
  }
}

function printReport(report: ImportReport<FileRow>, context: CommandContext): void {
  const counts = [
    [report.created + report.recovered, 'created'],
    [report.updated, 'updated'],
    [report.archived, 'archived'],
    [report.deleted, 'deleted'],
    [report.skipped, 'unchanged'],
    [report.conflicts, 'with conflicts'],
    [report.gone, 'with a deleted ticket'],
    [report.stale, 'not matching the plan'],
    [report.failed, 'failed'],
    [report.unknown, 'in doubt'],
  ] as const;
  const named = counts.filter(([count]) => count > 0);
  const text = named.map(([count, what]) => `${count.toLocaleString('en-US')} ${what}`).join(', ');
  context.printError(`${text || 'no rows'}; ${report.requests.toLocaleString('en-US')} requests`);
  for (const { key, error } of [...report.failedRows, ...report.unknownRows])
    context.printError(`${key}: ${error?.message}`);
  for (const { key, conflicts } of report.conflictRows)
    context.printError(`${key}: conflict in ${conflicts.map(({ field }) => field).join(', ')}`);
  for (const { key, recordId } of report.goneRows)
    context.printError(`${key}: ticket ${recordId} was deleted; pass --on-gone recreate to re-create it`);
  for (const { key, error } of report.staleRows)
    context.printError(
      `${key}: ${error?.message ?? "doesn't match the plan"}; run the command with --plan again`,
    );
  if (report.blockedRemovals > 0) context.printError(describeBlocked(report.blockedRemovals));
}
