import { Command, Option } from 'commander';
import {
  BookError,
  type ImportReport,
  ImportStoppedError,
  importTickets,
  sqliteBook,
} from '../../../jobs/index.js';
import { UsageError } from '../../command-line.js';
import { addConnectionOptions } from '../../connection.js';
import type { CommandContext } from '../../context.js';
import { describeFileError } from '../../files.js';
import { duration } from '../../terminal/progress.js';
import { listCounts } from '../../terminal/text.js';
import { dryRun, type FailedRow, failedRowsPath, writeFailedRows } from './failed-rows.js';
import { addRowOptions, addRunOptions, openJob, stopImportOnSignal } from './file-job.js';
import { keyOf, loadDirectory, ticketFields, toTicket } from './mapping.js';
import { type ImportFlags, type ImportPlan, rowsOf } from './plan.js';
import { type FileRow, readRows } from './read-rows.js';

export function createCommand(context: CommandContext): Command {
  const command = new Command('import')
    .description(
      'Import tickets from a CSV or NDJSON file. To continue an import, run the same command again.',
    )
    .argument('<file>', 'CSV or NDJSON file to import')
    .requiredOption('--source <name>', "Name of the source in each ticket's mark, such as Jira (required)");
  const key = new Option('--key <column>', 'Column that uniquely identifies a row (required)');
  addRowOptions(command, ticketFields, key.makeOptionMandatory())
    .option('--book <file>', 'File that remembers what was imported (default: <file>.<project>.book)')
    .addOption(
      new Option('--dry-run', 'Validate every row without creating tickets').conflicts([
        'book',
        'concurrency',
      ]),
    );
  addRunOptions(command)
    .addHelpText('after', help)
    .action((file: string, flags: Flags) => runImport(file, flags, context));
  return addConnectionOptions(command);
}

/** The parsed options of `worktrack import`. */
interface Flags extends ImportFlags {
  source: string;
  book?: string;
}

/** Imports a file, or validates its rows if `--dry-run` is set. */
async function runImport(file: string, options: Flags, context: CommandContext): Promise<void> {
  const { plan, display, client, lookup, flags } = await openJob(file, options, context, ticketFields);
  const directory = await loadDirectory(lookup, flags.project);
  if (flags.dryRun) return dryRun(plan, directory, context);
  const book = sqliteBook(flags.book ?? `${file}.${flags.project}.book`);
  const stop = stopImportOnSignal(display);
  const problems = new Map<string, FailedRow>();
  try {
    display.start();
    const report = await importTickets<FileRow>({
      ...{ client, project: flags.project, source: flags.source, book },
      rows: rowsOf(plan),
      key: (row, index) => keyOf(row, index, plan.key),
      toTicket: (row) => toTicket(row, plan.mapping, directory),
      concurrency: flags.concurrency,
      signal: stop.signal,
      onProgress: display.update,
      onRow(result) {
        if (result.state !== 'failed' && result.state !== 'unknown') return;
        // The row is read again later, because many rows may fail.
        problems.set(nameOf(result.key, result.row), { ...result, row: undefined });
      },
    }).catch((error) => {
      if (!(error instanceof ImportStoppedError)) throw error;
      display.printError(`worktrack: ${error.message}`);
      return error.report;
    });
    display.stop();
    context.print(summary(report));
    printDuplicates(report, context);
    const isComplete = await saveFailedRows(plan, problems, context);
    if (report.stopped) context.print('To continue, run the same command again.');
    context.exitCode =
      stop.exitCode() ?? (report.stopped || !isComplete || report.duplicateCount > 0 ? 1 : 0);
  } catch (error) {
    throw error instanceof BookError ? new UsageError(error.message) : error;
  } finally {
    display.stop();
    stop.ignoreSignals();
    await book.close();
  }
}

/** Several rows can have the same key, but each has its own line. */
const nameOf = (key: string, row: FileRow | undefined) => (row ? `${row.line}` : `(missing) ${key}`);

/** Writes the rows that weren't imported to a file. @returns true if all rows were imported */
async function saveFailedRows(
  plan: ImportPlan,
  problems: Map<string, FailedRow>,
  context: CommandContext,
): Promise<boolean> {
  const { file } = plan.source;
  const path = failedRowsPath(file);
  try {
    const count = await writeFailedRows(path, failedRows(plan, problems), file);
    if (count === 0) return true;
    const failedOrInDoubt =
      count === 1 ? '1 row failed or is in doubt' : `${count} rows failed or are in doubt`;
    context.print(`${failedOrInDoubt}; see ${path}`);
  } catch (error) {
    context.printError(
      `worktrack: could not write ${path}: ${describeFileError(error)}; to write it, fix the problem, and run the same command again`,
    );
  }
  return false;
}

/** Yields the rows that weren't imported, in file order. */
async function* failedRows(
  { source }: ImportPlan,
  problems: Map<string, FailedRow>,
): AsyncGenerator<FailedRow, void, undefined> {
  if (problems.size === 0) return;
  for await (const row of readRows(source)) {
    const name = nameOf('', row);
    const problem = problems.get(name);
    if (problem) yield { ...problem, row };
    problems.delete(name);
  }
  // The remaining rows are no longer in the file.
  yield* problems.values();
}

/** Prints the rows that have several tickets. */
function printDuplicates({ duplicates }: ImportReport<unknown>, context: CommandContext): void {
  for (const { key, keep, extra } of duplicates)
    context.print(`${key} has several tickets; keep ${keep}, and delete ${extra.join(', ')}`);
}

function summary(report: ImportReport<unknown>): string {
  const { created, recovered, skipped, changed, failed, unknown, durationMs } = report;
  const others = listCounts([
    [recovered, 'already created'],
    [skipped, 'already imported'],
    [changed, 'of which have changed since then (not updated)'],
    [failed, 'failed'],
    [unknown, 'in doubt'],
  ]);
  const rows = [`${created.toLocaleString('en-US')} created`, others].filter(Boolean).join(', ');
  return `${rows} in ${duration(durationMs / 60_000)}`;
}

const help = `
Fields: ${ticketFields.join(', ')}.
Columns named after a field don't need --map. Use names or IDs for boards, labels, and assignees, separated by commas.

Example:
  worktrack import tickets.csv --project APO --source Jira --key Key --map title=Summary --map board_slug=Status

Each ticket ends with a mark such as "Imported from Jira: APO-123". Rows that failed or are in doubt are written
to <file>.failed.ndjson, or to <file>.dry-run.ndjson by a dry run. Set the token in WORKTRACK_TOKEN.

Exit codes: 0 every row was imported, 1 some weren't or have several tickets, 2 invalid command line or file,
3 rejected credential, 4 unknown project, 6 rate limit or server error, 129, 130, and 143 stopped by a signal`;
