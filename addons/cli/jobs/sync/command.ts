import { existsSync } from 'node:fs';
import { Command, Option } from 'commander';
import { parseJson } from '../../../../src/internal.js';
import { replaceFile } from '../../../../src/node/internal.js';
import {
  type Book,
  BookError,
  memoryBook,
  planSync,
  type SyncPlan,
  type SyncReport,
  SyncStoppedError,
  type SyncTicketsOptions,
  sqliteBook,
  syncTickets,
} from '../../../jobs/index.js';
import { integer, UsageError } from '../../command-line.js';
import { addConnectionOptions } from '../../connection.js';
import type { CommandContext } from '../../context.js';
import { describeFileError, readOptionFile, requireWritable } from '../../files.js';
import { confirm } from '../../terminal/prompt.js';
import {
  addRowOptions,
  addRunOptions,
  type FileJob,
  openJob,
  stopImportOnSignal,
} from '../import/file-job.js';
import { keyOf, loadDirectory, syncedFields, toSyncedTicket } from '../import/mapping.js';
import { type ImportFlags, rowsOf } from '../import/plan.js';
import type { FileRow } from '../import/read-rows.js';
import { printPlan, printReport } from './print.js';

export function createCommand(context: CommandContext): Command {
  const command = new Command('sync')
    .description('Sync tickets with a CSV or NDJSON file. Fields that only people changed are kept.')
    .argument('<file>', 'CSV or NDJSON file to sync')
    .requiredOption('--source <name>', "Name of the source in each ticket's mark, such as Jira (required)");
  const key = new Option('--key <column>', 'Column that uniquely identifies a row (required)');
  addRowOptions(command, syncedFields, key.makeOptionMandatory())
    .option('--book <file>', 'File that remembers what was synced (default: <file>.<project>.book)')
    .addOption(new Option('--plan', 'Print the planned changes and exit').conflicts(['apply', 'yes']))
    .addOption(new Option('--save <file>', 'With --plan, save the plan'))
    .option('--apply <file>', 'Make only the changes in a saved plan')
    .option('--yes', "Don't ask for confirmation")
    .addOption(choice('--on-missing <action>', 'If rows are missing', ['keep', 'archive', 'delete']))
    .option('--max-removals <n>', 'Most tickets to archive or delete (default: 10%, at least 10)', integer(0))
    .addOption(choice('--on-conflict <winner>', 'If both changed', ['report', 'source', 'target']))
    .addOption(choice('--on-gone <action>', 'If a ticket was deleted', ['report', 'recreate']));
  addRunOptions(command)
    .addHelpText('after', help)
    .action((file: string, flags: SyncFlags) => runSync(file, flags, context));
  return addConnectionOptions(command);
}

const choice = (flags: string, description: string, [first, ...others]: [string, ...string[]]) =>
  new Option(flags, description).choices([first, ...others]).default(first, first);

/** The parsed options of `worktrack sync`. */
interface SyncFlags extends ImportFlags {
  source: string;
  book?: string;
  plan?: boolean;
  save?: string;
  apply?: string;
  yes?: boolean;
  onMissing: 'keep' | 'archive' | 'delete';
  maxRemovals?: number;
  onConflict: 'report' | 'source' | 'target';
  onGone: 'report' | 'recreate';
}

/** Plans a sync, prints the plan, and performs it unless `--plan` is set. */
async function runSync(file: string, flags: SyncFlags, context: CommandContext): Promise<void> {
  if (flags.save !== undefined && !flags.plan) throw new UsageError('--save requires --plan');
  if (!flags.plan && !flags.yes && !process.stdin.isTTY)
    throw new UsageError("can't ask for confirmation without a terminal; pass --yes or --plan");
  const reviewed = flags.apply === undefined ? undefined : await readPlan(flags.apply);
  if (flags.save !== undefined) await requireWritable('--save', flags.save);
  const job = await openJob(file, flags, context, syncedFields);
  const path = flags.book ?? `${file}.${job.flags.project}.book`;
  const book = openBook(path, flags);
  const stop = stopImportOnSignal(job.display);
  try {
    await planAndApply(job, { book, reviewed, stop, context });
  } catch (error) {
    job.display.stop();
    if (error instanceof BookError) throw new UsageError(error.message);
    if (!(error instanceof SyncStoppedError)) throw error;
    job.display.printError(`worktrack: ${error.message}`);
    printReport(error.report, context);
    context.exitCode = stop.exitCode() ?? 1;
  } finally {
    job.display.stop();
    stop.ignoreSignals();
    await book.close();
  }
}

/** A plan doesn't create a book. */
const openBook = (path: string, { plan }: SyncFlags): Book =>
  plan && !existsSync(path) ? memoryBook() : sqliteBook(path);

interface Run {
  book: Book;
  reviewed: SyncPlan | undefined;
  stop: ReturnType<typeof stopImportOnSignal>;
  context: CommandContext;
}

async function planAndApply(job: FileJob<SyncFlags>, run: Run): Promise<void> {
  const { flags, plan: source, client, lookup, display } = job;
  const { book, reviewed, stop, context } = run;
  const { file } = source.source;
  const directory = await loadDirectory(lookup, flags.project);
  const mayBeCut = flags.onMissing !== 'keep' && !source.hasLastLineBreak;
  const options = (): SyncTicketsOptions<FileRow> => ({
    ...{ client, project: flags.project, source: flags.source, book },
    rows: rowsOf(source, 'run the command again'),
    key: (row, index) => keyOf(row, index, source.key),
    toTicket: (row) => toSyncedTicket(row, source.mapping, directory),
    onMissing: mayBeCut ? 'keep' : flags.onMissing,
    ...{ onConflict: flags.onConflict, onGone: flags.onGone, maxRemovals: flags.maxRemovals },
    ...{ concurrency: flags.concurrency, signal: stop.signal },
  });
  const planned = await planSync(options());
  const plan = reviewed ? onlyReviewed(planned, reviewed) : planned;
  if (flags.save !== undefined) await savePlan(flags.save, plan);
  printPlan(plan, directory, context);
  if (mayBeCut)
    context.printError(
      `the last line of ${file} doesn't end with a line break, so the file may be incomplete; no ticket is removed`,
    );
  context.exitCode = hasProblems(plan) || mayBeCut ? 1 : 0;
  if (flags.plan) return;
  if (!flags.yes && !(await confirm('Make these changes?', stop.signal))) {
    context.exitCode = stop.exitCode() ?? 1;
    return context.printError('Nothing was changed.');
  }
  display.start();
  const report = await syncTickets({
    ...options(),
    plan: reviewed ?? plan,
    onProgress: (progress) =>
      display.update({ ...progress, finished: progress.read, skipped: progress.unchanged }),
  });
  display.stop();
  printReport(report, context);
  context.exitCode = stop.exitCode() ?? (isClean(report) && !mayBeCut ? 0 : 1);
}

/** Returns the part of a plan that was reviewed. What's printed is never read from the file. */
function onlyReviewed(plan: SyncPlan, reviewed: SyncPlan): SyncPlan {
  const digests = new Map(reviewed.operations.map(({ key, digest }) => [key, digest]));
  const isReviewed = ({ key, digest }: { key: string; digest: string }) => digests.get(key) === digest;
  const operations = plan.operations.filter(isReviewed);
  const counts = { ...plan.counts };
  for (const operation of plan.operations) if (!isReviewed(operation)) counts[operation.type]--;
  return { ...plan, counts, operations };
}

const hasProblems = ({ counts, blockedRemovals }: SyncPlan): boolean =>
  counts.conflict + counts.gone + counts.failed + blockedRemovals > 0;

const isClean = (report: SyncReport): boolean =>
  !report.stopped &&
  report.failed + report.unknown + report.conflicts + report.gone === 0 &&
  report.stale + report.ignored + report.blockedRemovals + report.duplicates.length === 0;

async function readPlan(path: string): Promise<SyncPlan> {
  const invalid = () =>
    new UsageError(`--apply: ${path} isn't a saved plan; create one with --plan --save ${path}`);
  const plan = parseJson(await readOptionFile('--apply', path), () => {
    throw invalid();
  }) as SyncPlan | undefined;
  const isPlan = plan?.version === 1 && Array.isArray(plan.operations);
  if (!isPlan || !plan.operations.every((operation) => typeof Object(operation).digest === 'string'))
    throw invalid();
  return plan;
}

/** Saves a plan in a file that only this user can read, because it contains the tickets' content. */
async function savePlan(path: string, plan: SyncPlan): Promise<void> {
  const text = `${JSON.stringify(plan, null, 2)}\n`;
  await replaceFile(path, [text], { mode: 0o600 }).catch((error) => {
    throw new UsageError(`--save: could not write ${path}: ${describeFileError(error)}`);
  });
}

const help = `
Fields: ${syncedFields.join(', ')}
Example: worktrack sync a.csv --source Jira --project APO --key Key --plan --save plan.json
Exit codes: 0 in sync, 1 something needs attention, 2 invalid command line or file,
3 rejected credential (set WORKTRACK_TOKEN), 4 unknown project, 6 rate limit or server error`;
