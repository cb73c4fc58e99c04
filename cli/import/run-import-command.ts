import {
  fileLedger,
  type ImportReport,
  ImportStoppedError,
  importTickets,
  type Ledger,
  LedgerError,
} from '../../src/import/index.js';
import { didYouMean } from '../../src/shared/did-you-mean.js';
import type { CommandContext } from '../context.js';
import { createClient } from '../operations/run-operation.js';
import { UsageError } from '../usage-error.js';
import { Directory } from './directory.js';
import { dryRun } from './dry-run.js';
import { type FailedRow, writeFailedRows } from './failed-rows.js';
import { type FileRow, type KeyOf, resolveMapping, toTicket } from './mapping.js';
import type { ImportFlags, ImportPlan } from './plan.js';
import { createProgressDisplay, duration, type ProgressDisplay } from './progress.js';
import { readRows, rowFileOf, scanFile } from './read-rows.js';

/** Imports a file, or validates its rows if `--dry-run` is set. */
export async function runImportCommand(
  file: string,
  flags: ImportFlags,
  context: CommandContext,
): Promise<void> {
  const source = rowFileOf(file, flags);
  const keyOf = keyFrom(flags.key);
  const { rows, columns, rowWithoutKey } = await scanFile(source, keyOf);
  if (rows === 0) throw new UsageError(`${file} has no rows`);
  const mapping = resolveMapping(flags.map, columns);
  if (flags.key !== undefined && !columns.includes(flags.key)) {
    throw new UsageError(
      `--key ${flags.key}: the file has no column "${flags.key}"; ${didYouMean(flags.key, columns)}`,
    );
  }
  // A dry run lists all rows without a key.
  if (rowWithoutKey !== undefined && !flags.dryRun) {
    throw new UsageError(`row ${rowWithoutKey} has no value in the key column "${flags.key}"`);
  }
  const budget = flags.rate === undefined ? {} : { budget: { requestsPerMinute: flags.rate } };
  const display = createProgressDisplay(rows, context.printError);
  // The client logs through the display so that its messages don't break the progress bar.
  const client = await createClient(flags, { ...context, printError: display.printError }, budget);
  const directory = await Directory.load(client, flags.project);
  const plan = { client, source, rows, mapping, directory, keyOf };
  if (flags.dryRun) return dryRun(plan, context);
  await importFile(plan, flags, { context, display });
}

async function importFile(
  plan: ImportPlan,
  flags: ImportFlags,
  { context, display }: { context: CommandContext; display: ProgressDisplay },
): Promise<void> {
  const path = flags.ledger ?? `${plan.source.file}.${flags.project}.ledger`;
  const ledger = await openLedger(path, flags.resume === true);
  const stop = new AbortController();
  const interrupt = () => {
    stop.abort();
    display.printError('Stopping. In-flight requests have five seconds to finish.');
  };
  process.once('SIGINT', interrupt);
  display.start();
  try {
    const report = await importTickets<FileRow>({
      client: plan.client,
      project: flags.project,
      rows: readRows(plan.source),
      key: plan.keyOf,
      toTicket: (row) => toTicket(row, plan.mapping, plan.directory),
      ledger,
      concurrency: flags.concurrency,
      signal: stop.signal,
      onProgress: display.update,
    }).catch((error) => {
      if (!(error instanceof ImportStoppedError)) throw error;
      display.printError(`worktrack: ${error.message}`);
      return { ...(error.report as ImportReport<FileRow>), stopped: true };
    });
    display.stop();
    const failed = `${plan.source.file}.failed.ndjson`;
    const left = await writeFailedRows(failed, failedRows(plan, ledger, report));
    context.print(summary(report));
    if (left > 0) {
      const failedOrInDoubt =
        left === 1 ? '1 row failed or is in doubt' : `${left} rows failed or are in doubt`;
      context.print(`${failedOrInDoubt}; see ${failed}`);
    }
    if (report.stopped) context.print('To continue, run the same command with --resume.');
    if (stop.signal.aborted) context.exitCode = 130;
    else if (report.stopped || left > 0) context.exitCode = 1;
  } finally {
    display.stop();
    process.removeListener('SIGINT', interrupt);
    await ledger.close();
  }
}

async function openLedger(path: string, resume: boolean): Promise<Ledger> {
  const ledger = await fileLedger(path).catch((error) => {
    throw error instanceof LedgerError ? new UsageError(error.message) : error;
  });
  if (resume) return ledger;
  for await (const _ of ledger.entries()) {
    await ledger.close();
    throw new UsageError(`${path} contains an earlier import; pass --resume to continue it`);
  }
  return ledger;
}

const keyFrom =
  (column: string | undefined): KeyOf =>
  (row, index) =>
    column === undefined ? `row ${index + 1}` : String(row[column] ?? '');

/** Yields the rows that weren't imported, along with their current content and ledger entries. */
async function* failedRows(
  { source, keyOf }: ImportPlan,
  ledger: Ledger,
  { failedRows: reported }: ImportReport<FileRow>,
): AsyncGenerator<FailedRow, void, undefined> {
  const entries = new Map<string, FailedRow>();
  for (const state of ['failed', 'unknown', 'started'] as const) {
    for await (const entry of ledger.entries(state)) entries.set(entry.key, entry);
  }
  if (entries.size > 0) {
    let index = 0;
    for await (const row of readRows(source)) {
      const entry = entries.get(keyOf(row, index++));
      if (!entry) continue;
      yield { ...entry, row };
      entries.delete(entry.key);
    }
  }
  // The remaining entries belong to rows that are no longer in the file.
  yield* entries.values();
  // If two rows share a key, the ledger contains only the first one.
  for (const row of reported) if (row.error?.message.includes('the same key')) yield row;
}

function summary(report: ImportReport<unknown>): string {
  const { created, recovered, skipped, changed, duplicates, failed, unknown, requests, durationMs } = report;
  const count = (number: number, what: string) =>
    number > 0 ? `, ${number.toLocaleString('en-US')} ${what}` : '';
  const rows = [
    `${created.toLocaleString('en-US')} created`,
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
