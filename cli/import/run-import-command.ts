import { type ImportReport, ImportStoppedError, importTickets, type Ledger } from '../../src/import/index.js';
import { UsageError } from '../command-line.js';
import { connectionOf } from '../connection.js';
import type { CommandContext } from '../context.js';
import { describeFileError } from '../files.js';
import { checkRecord, checkRowNumbers, recordOf } from './check-ledger.js';
import { Directory } from './directory.js';
import { dryRun } from './dry-run.js';
import { type FailedRow, failedRowsPath, writeFailedRows } from './failed-rows.js';
import { closeLedger, ledgerPath, openLedger } from './import-ledger.js';
import { openJob, stopImportOnSignal } from './job.js';
import { keyOf, ticketFields, toTicket } from './mapping.js';
import { type ImportFlags, type ImportPlan, rowsOf } from './plan.js';
import { duration } from './progress.js';
import { type FileRow, readRows } from './read-rows.js';

/** Imports a file, or validates its rows if `--dry-run` is set. */
export async function runImportCommand(
  file: string,
  options: ImportFlags,
  context: CommandContext,
): Promise<void> {
  if (options.newExport && (!options.resume || options.key === undefined)) {
    throw new UsageError('--new-export requires --resume and --key');
  }
  const { plan, display, client, lookup, flags } = await openJob(file, options, context, ticketFields);
  if (flags.dryRun) return dryRun(plan, await Directory.load(lookup, flags.project), context);
  const path = ledgerPath(plan, flags);
  const ledger = await openLedger(plan, flags, path);
  const stop = stopImportOnSignal(display);
  try {
    const record = await recordOf(plan, connectionOf(flags, context.env).baseUrl);
    if (flags.resume && ledger.metadata) checkRecord(path, ledger.metadata, record, flags);
    const directory = await Directory.load(lookup, flags.project);
    if (flags.resume) await checkRowNumbers(ledger, plan, directory);
    await ledger.setMetadata({ ...record });
    const linesWithReusedKey = new Set<number>();
    display.start();
    const report = await importTickets<FileRow>({
      client,
      project: flags.project,
      rows: rowsOf(plan),
      key: (row, index) => keyOf(row, index, plan.key),
      toTicket: (row) => toTicket(row, plan.mapping, directory),
      ledger,
      concurrency: flags.concurrency,
      signal: stop.signal,
      onProgress: display.update,
      onUnresolved: ({ error, row }) => {
        if (error?.code === reusedKey.code && row) linesWithReusedKey.add(row.line);
      },
    }).catch((error) => {
      if (!(error instanceof ImportStoppedError)) throw error;
      display.printError(`worktrack: ${error.message}`);
      return { ...(error.report as ImportReport<FileRow>), stopped: true };
    });
    display.stop();
    context.print(summary(report));
    printDuplicates(report, context);
    const isComplete = await saveFailedRows(plan, ledger, linesWithReusedKey, context);
    if (report.stopped) context.print('To continue, run the same command with --resume.');
    context.exitCode =
      stop.exitCode() ?? (report.stopped || !isComplete || report.suspectedDuplicates.length > 0 ? 1 : 0);
  } finally {
    display.stop();
    stop.ignoreSignals();
    await closeLedger(ledger, path);
  }
}

/** Writes the rows that weren't imported to a file. @returns true if all rows were imported */
async function saveFailedRows(
  plan: ImportPlan,
  ledger: Ledger,
  linesWithReusedKey: ReadonlySet<number>,
  context: CommandContext,
): Promise<boolean> {
  const { file } = plan.source;
  const path = failedRowsPath(file);
  try {
    const count = await writeFailedRows(path, failedRows(plan, ledger, linesWithReusedKey), file);
    if (count === 0) return true;
    const failedOrInDoubt =
      count === 1 ? '1 row failed or is in doubt' : `${count} rows failed or are in doubt`;
    context.print(`${failedOrInDoubt}; see ${path}`);
  } catch (error) {
    context.printError(
      `worktrack: could not write ${path}: ${describeFileError(error)}; to write it, fix the problem, and run the same command with --resume`,
    );
  }
  return false;
}

/** Yields the rows that weren't imported, in file order, along with their ledger entries. */
async function* failedRows(
  { source, key: column }: ImportPlan,
  ledger: Ledger,
  linesWithReusedKey: ReadonlySet<number>,
): AsyncGenerator<FailedRow, void, undefined> {
  const entries = new Map<string, FailedRow>();
  for (const state of ['failed', 'unknown', 'started'] as const) {
    for await (const entry of ledger.entries(state)) entries.set(entry.key, entry);
  }
  if (entries.size + linesWithReusedKey.size > 0) {
    let index = 0;
    for await (const row of readRows(source)) {
      const key = keyOf(row, index++, column);
      const entry = entries.get(key);
      // If two rows share a key, the ledger contains only the first one.
      if (linesWithReusedKey.has(row.line)) yield { key, state: 'failed', error: reusedKey, row };
      else if (entry) {
        yield { ...entry, row };
        entries.delete(key);
      }
    }
  }
  // The remaining entries belong to rows that are no longer in the file.
  yield* entries.values();
}

const reusedKey = {
  code: 'duplicate_key',
  message: 'an earlier row has the same key but different content',
};

/** Prints the rows that might have two tickets. */
function printDuplicates({ suspectedDuplicates }: ImportReport<unknown>, context: CommandContext): void {
  for (const { key, recordId, candidates } of suspectedDuplicates) {
    const others = candidates.map(({ id }) => id).join(', ') || 'unknown, because the search failed';
    context.print(`${key} may have two tickets: ${recordId}, and ${others}; delete the extra tickets`);
  }
}

function summary(report: ImportReport<unknown>): string {
  const {
    created,
    recreated,
    recovered,
    skipped,
    changed,
    duplicates,
    failed,
    unknown,
    requests,
    durationMs,
  } = report;
  const count = (number: number, what: string) =>
    number > 0 ? `, ${number.toLocaleString('en-US')} ${what}` : '';
  const rows = [
    `${created.toLocaleString('en-US')} created`,
    count(recreated, 'of which were re-created because a search did not find them'),
    count(recovered, 'recovered after a lost response'),
    count(skipped, 'already imported'),
    count(changed, 'of which have changed since then (not updated)'),
    count(duplicates, duplicates === 1 ? 'duplicate' : 'duplicates'),
    count(failed, 'failed'),
    count(unknown, 'in doubt'),
  ];
  const throughput = `${requests.toLocaleString('en-US')} requests in ${duration(durationMs / 60_000)}, ${Math.round(report.requestsPerMinute)} per minute`;
  return `${rows.join('')}\n${throughput}`;
}
