import { existsSync } from 'node:fs';
import { open, writeFile } from 'node:fs/promises';
import { Command, Option } from 'commander';
import { parseJson } from '../../../../src/internal.js';
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
} from '../../../jobs/import/index.js';
import { integer, UsageError } from '../../command-line.js';
import { addConnectionOptions, connectionOf, environmentHelp } from '../../connection.js';
import type { CommandContext } from '../../context.js';
import { describeFileError, readOptionFile } from '../../files.js';
import { confirm } from '../../terminal/prompt.js';
import {
  addRowOptions,
  addRunOptions,
  type FileJob,
  openJob,
  stopImportOnSignal,
} from '../import/file-job.js';
import {
  checkLedgerPath,
  checkRecord,
  closeLedger,
  ledgerPath,
  openLedger,
  recordOf,
} from '../import/ledger.js';
import { keyOf, loadDirectory, syncedFields, toSyncedTicket } from '../import/mapping.js';
import { type ImportFlags, rowsOf } from '../import/plan.js';
import type { FileRow } from '../import/read-rows.js';
import { printPlan, printReport } from './print.js';

export function createCommand(context: CommandContext): Command {
  const command = new Command('sync')
    .description(
      'Sync tickets with a CSV or NDJSON file. Creates, updates, and moves tickets. With --on-missing, archives or deletes tickets whose rows are missing.\n\nFields that changed only in the ticket since the last sync are kept. A ledger file records the synced values.',
    )
    .argument('<file>', 'CSV or NDJSON file to sync');
  const key = new Option('--key <column>', 'Column that uniquely identifies a row (required)');
  addRowOptions(command, syncedFields, key.makeOptionMandatory())
    .addOption(new Option('--plan', 'Print the planned changes and exit').conflicts(['apply', 'yes']))
    .option(
      '--apply [plan]',
      'Apply the changes after confirmation; with a plan file, apply only the changes in it',
    )
    .option('--yes', 'Apply the changes without confirmation')
    .option('--save <plan>', 'Save the plan as a JSON file')
    .option('--diff', 'Print human-readable changes even if the output is not a terminal')
    .addOption(
      choice('--on-missing <action>', 'What to do with tickets whose rows are missing', [
        'keep',
        'archive',
        'delete',
      ]),
    )
    .option(
      '--max-removals <number>',
      'Archive or delete nothing if more than this many rows are missing (default: 10%, at least 10)',
      integer(0),
    )
    .addOption(
      choice(
        '--on-conflict <winner>',
        'Which value wins if a field changed in both the file and the ticket',
        ['report', 'source', 'target'],
      ),
    )
    .addOption(
      choice('--on-gone <action>', "What to do if a row's ticket was deleted", ['report', 'recreate']),
    )
    .option('--ledger <file>', 'Ledger file (default: <file>.<project>.ledger, as for imports)');
  addRunOptions(command)
    .addHelpText('after', examples)
    .action((file: string, flags: SyncFlags) => runSync(file, flags, context));
  return addConnectionOptions(command);
}

const choice = (flags: string, description: string, [first, ...others]: [string, ...string[]]) =>
  new Option(flags, description).choices([first, ...others]).default(first);

/** The parsed options of `worktrack sync`. */
interface SyncFlags extends ImportFlags {
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
async function runSync(file: string, flags: SyncFlags, context: CommandContext): Promise<void> {
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
  const directory = await loadDirectory(lookup, flags.project);
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
    // Read two bytes, because a line break takes up two bytes in UTF-16.
    const { buffer } = await file.read(Buffer.alloc(2), 0, 2, Math.max(0, size - 2));
    return /[\r\n]/.test(buffer.toString('latin1'));
  } finally {
    await file.close();
  }
}

const examples = `
Fields: ${syncedFields.join(', ')}.
Columns named after a field don't need --map. Use IDs or names, as for imports. Only fields with
a column are synced. An empty cell clears a description, due date, assignees, or labels.

Examples:
  worktrack sync tickets.csv --project APO --key Key --plan
  worktrack sync tickets.csv --project APO --key Key --on-missing archive --yes
  worktrack sync tickets.csv --project APO --key Key --plan --save plan.json
  worktrack sync tickets.csv --project APO --key Key --apply plan.json

Without --plan, the command prints the changes and asks before it applies them. If the output isn't a terminal,
each change is a line of JSON.

${environmentHelp}

Exit codes:
  0    everything is in sync, or the plan has no problems
  1    a row failed, is in doubt, has a conflict, or doesn't match the plan, a row's ticket was deleted, no ticket
       was removed because the file may be incomplete, the sync stopped, or you didn't confirm it
  2    invalid command line or file
  3    the sync couldn't start: the credential is invalid or lacks a scope (401, 403)
  4    the sync couldn't start: unknown project (404)
  6    the sync couldn't start: rate limit or server error (429, 5xx)
  129  stopped by SIGHUP
  130  stopped with Ctrl+C
  143  stopped by SIGTERM`;
