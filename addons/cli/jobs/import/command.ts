import { Command, Option } from 'commander';
import {
  type ImportReport,
  ImportStoppedError,
  importTickets,
  type Ledger,
} from '../../../jobs/import/index.js';
import { UsageError } from '../../command-line.js';
import { addConnectionOptions, connectionOf, environmentHelp } from '../../connection.js';
import type { CommandContext } from '../../context.js';
import { describeFileError } from '../../files.js';
import { duration } from '../../terminal/progress.js';
import { listCounts } from '../../terminal/text.js';
import { dryRun, type FailedRow, failedRowsPath, writeFailedRows } from './failed-rows.js';
import { addRowOptions, addRunOptions, openJob, stopImportOnSignal } from './file-job.js';
import { checkRecord, checkRowNumbers, closeLedger, ledgerPath, openLedger, recordOf } from './ledger.js';
import { keyOf, loadDirectory, ticketFields, toTicket } from './mapping.js';
import { type ImportFlags, type ImportPlan, rowsOf } from './plan.js';
import { type FileRow, readRows } from './read-rows.js';

export function createCommand(context: CommandContext): Command {
  const command = new Command('import')
    .description(
      'Import tickets from a CSV or NDJSON file without duplicates. Each row becomes a ticket.\n\nA ledger file records the progress, so you can stop the import at any time and resume it later.',
    )
    .argument('<file>', 'CSV or NDJSON file to import');
  const key = new Option('--key <column>', 'Column that uniquely identifies a row (default: the row number)');
  addRowOptions(command, ticketFields, key)
    .addOption(
      new Option('--dry-run', 'Validate every row without creating tickets').conflicts([
        'ledger',
        'resume',
        'newExport',
        'concurrency',
      ]),
    )
    .option('--ledger <file>', 'Ledger file (default: <file>.<project>.ledger)')
    .option('--resume', 'Resume the import recorded in the ledger')
    .option('--new-export', 'With --resume, import a newer file that has the same keys');
  addRunOptions(command)
    .addHelpText('after', examples)
    .action((file: string, flags: ImportFlags) => runImport(file, flags, context));
  return addConnectionOptions(command);
}

/** Imports a file, or validates its rows if `--dry-run` is set. */
async function runImport(file: string, options: ImportFlags, context: CommandContext): Promise<void> {
  if (options.newExport && (!options.resume || options.key === undefined)) {
    throw new UsageError('--new-export requires --resume and --key');
  }
  const { plan, display, client, lookup, flags } = await openJob(file, options, context, ticketFields);
  if (flags.dryRun) return dryRun(plan, await loadDirectory(lookup, flags.project), context);
  const path = ledgerPath(plan, flags);
  const ledger = await openLedger(plan, flags, path);
  const stop = stopImportOnSignal(display);
  try {
    const record = await recordOf(plan, connectionOf(flags, context.env).baseUrl);
    if (flags.resume && ledger.metadata) checkRecord(path, ledger.metadata, record, flags);
    const directory = await loadDirectory(lookup, flags.project);
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
      // If two rows have the same key, the ledger contains only the first one.
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
  const { duplicates, requests, durationMs, requestsPerMinute } = report;
  const others = listCounts([
    [report.recreated, 'of which were re-created because a search did not find them'],
    [report.recovered, 'recovered after a lost response'],
    [report.skipped, 'already imported'],
    [report.changed, 'of which have changed since then (not updated)'],
    [duplicates, duplicates === 1 ? 'duplicate' : 'duplicates'],
    [report.failed, 'failed'],
    [report.unknown, 'in doubt'],
  ]);
  const rows = [`${report.created.toLocaleString('en-US')} created`, others].filter(Boolean).join(', ');
  return `${rows}\n${requests.toLocaleString('en-US')} requests in ${duration(durationMs / 60_000)}, ${Math.round(requestsPerMinute)} per minute`;
}

const examples = `
Fields: ${ticketFields.join(', ')}.
Columns named after a field don't need --map. Use IDs or names for boards, labels, and assignees. You can also
use slugs for boards and email addresses for assignees. In CSV, separate multiple values with commas.

Examples:
  worktrack import tickets.csv --project APO --map title=Summary --map board_slug=Status --dry-run
  worktrack import tickets.csv --project APO --map title=Summary --map board_slug=Status --key Key --rate 600
  worktrack import tickets.csv --project APO --map title=Summary --map board_slug=Status --key Key --resume

Failed and in-doubt rows are written to <file>.failed.ndjson, along with the reason. To retry them, run the
command again with --resume. A row is in doubt if its response was lost. Before retrying such a row, the
import checks whether its ticket was already created. A dry run writes the invalid rows to
<file>.dry-run.ndjson.

${environmentHelp}

Exit codes:
  0    every row was imported or passed the dry run
  1    rows failed, are in doubt, or may have two tickets, the import stopped, or the API didn't respond
  2    invalid command line or file
  3    the import couldn't start: the credential is invalid or lacks a scope (401, 403)
  4    the import couldn't start: unknown project (404)
  6    the import couldn't start: rate limit or server error (429, 5xx)
  129  stopped by SIGHUP
  130  stopped with Ctrl+C
  143  stopped by SIGTERM`;
