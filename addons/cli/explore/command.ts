import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { listen } from '../../../mock-server/node/index.js';
import {
  allOrNothing,
  converges,
  keepsInterference,
  noDuplicates,
  sameStateAsCleanRun,
  succeeds,
} from '../../explore/checks.js';
import { Explorer, type Progress } from '../../explore/engine.js';
import { type Failure, type FailureKind, failureKinds, faultKinds, idOf } from '../../explore/failures.js';
import { interferenceKinds } from '../../explore/interference.js';
import { readFailures } from '../../explore/options.js';
import { type ExplorationReport, messageOf } from '../../explore/report.js';
import { formatJUnit } from '../../shared/junit.js';
import { integer, namesIn, pathOf, quoteForShell, UsageError, withCompletions } from '../command-line.js';
import type { CommandContext } from '../context.js';
import { readOptionFile, requireWritable } from '../files.js';
import { addReportOptions, printReport, type ReportFlags } from '../report.js';
import { stopOnSignal } from '../stop-on-signal.js';
import { newProgressBar } from '../terminal/progress.js';
import { createCommandHost } from './command-host.js';

/** The checks that work without access to the command's process. */
const checks = {
  noDuplicates,
  allOrNothing,
  sameStateAsCleanRun,
  converges,
  succeeds,
  keepsInterference,
};

type CheckName = keyof typeof checks;

const checkNames = Object.keys(checks) as CheckName[];
const defaultChecks: readonly CheckName[] = ['noDuplicates', 'converges'];

export function createCommand(context: CommandContext): Command {
  const command = new Command('explore')
    .description(
      'Test how a command handles failed requests.\n\nThe command runs at least once for each possible failure. Each run has its own mock server with the same initial data.',
    )
    .requiredOption('--exec <command>', 'Command to explore, such as a script or a test suite (required)')
    .option(
      '--check <command>',
      'Command that checks the data after each run; it must fail if the data is wrong',
    )
    .addOption(
      new Option('--require <checks>', `Comma-separated checks, or "none": ${checkNames.join(', ')}`)
        .argParser(parseChecks)
        .default(defaultChecks, defaultChecks.join(',')),
    )
    .option('--seed <file>', 'JSON file with seed data')
    .addOption(
      new Option('--kinds <kinds>', 'Comma-separated kinds of failures').argParser(parseKinds).default(
        faultKinds.filter((kind) => kind !== 'slow'),
        'all faults except slow',
      ),
    )
    .addOption(
      new Option('--depth <number>', 'With 2, also try pairs of failures').choices(['1', '2']).default('1'),
    )
    .option('--max-runs <number>', 'Maximum number of runs', integer(1), 1000)
    .option(
      '--random-seed <number>',
      'Seed for choosing the runs if more than --max-runs are possible',
      integer(),
      0,
    )
    .addOption(
      new Option('--jobs <number>', 'Number of concurrent runs')
        .argParser(integer(1))
        .default(availableParallelism(), 'the number of CPU cores'),
    )
    .option('--run-timeout <seconds>', 'Maximum time for each run', integer(1), 60)
    .option('--replay <id>', "Run only this failure, and show the command's output", parseId);
  return addReportOptions(command)
    .addHelpText('after', ({ command }) => helpText(pathOf(command)))
    .action((flags: ExploreFlags) => runExplore(flags, context));
}

interface ExploreFlags extends ReportFlags {
  exec: string;
  check?: string;
  require: readonly CheckName[];
  seed?: string;
  kinds: readonly FailureKind[];
  depth: '1' | '2';
  maxRuns: number;
  randomSeed: number;
  jobs: number;
  runTimeout: number;
  replay?: readonly Failure[];
}

/** Explores a command, prints the report, and sets the exit code. */
async function runExplore(flags: ExploreFlags, context: CommandContext): Promise<void> {
  if (flags.require.length === 0 && flags.check === undefined)
    throw new UsageError('--require none requires --check <command>');
  if (flags.output !== undefined) await requireWritable('--output', flags.output);
  const world = flags.seed === undefined ? undefined : await readOptionFile('--seed', flags.seed);
  const server = await listen({ now: 'real', world });
  const folder = await mkdtemp(join(tmpdir(), 'worktrack-explore-'));
  const stop = new AbortController();
  const { ignoreSignals } = stopOnSignal(() => stop.abort());
  const progress = createProgress();
  try {
    const { kinds, maxRuns, randomSeed, replay } = flags;
    const host = createCommandHost({
      command: flags.exec,
      timeout: flags.runTimeout,
      showsOutput: replay !== undefined,
      env: context.env,
      server,
      folder,
      jobs: flags.jobs,
      stop: stop.signal,
      onProgress: progress.update,
      reproductionOf: (failures) => reproduce(flags, idOf(failures)),
    });
    const required = flags.require.map((name) => checks[name]());
    const report = await new Explorer(host, {
      checks: flags.check === undefined ? required : [...required, host.checkWith(flags.check)],
      kinds,
      depth: flags.depth === '2' ? 2 : 1,
      maxRuns,
      randomSeed,
      replay,
      runTimeout: flags.runTimeout * 1000,
      timeout: Number.POSITIVE_INFINITY,
    }).explore();
    progress.stop();
    await printReport(report, flags, formatters, context);
    if (!report.survived || stop.signal.aborted) context.exitCode = 1;
  } finally {
    // If a run couldn't start, other runs may still be in progress.
    stop.abort();
    progress.stop();
    ignoreSignals();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

// These parsers ignore the previous value, because Commander initially passes the default value.
const parseChecks = withCompletions([...checkNames, 'none'], (text: string): readonly CheckName[] =>
  text === 'none' ? [] : namesIn(checkNames, 'check')(text),
);
const parseKinds = withCompletions(failureKinds, (text: string): readonly FailureKind[] =>
  namesIn(failureKinds, 'kind')(text),
);

function parseId(id: string): readonly Failure[] {
  try {
    return readFailures(id);
  } catch {
    throw new InvalidArgumentError('Expected an ID from a report, such as crash_after:tickets.create:2.');
  }
}

/** Returns the command line that reproduces only the failures with this ID. */
function reproduce({ exec, check, require, seed }: ExploreFlags, id: string): string {
  const options = { exec, check, seed, require: require.join(',') || 'none', replay: id };
  const words = Object.entries(options).flatMap(([name, value]) =>
    value === undefined || (name === 'require' && value === defaultChecks.join(','))
      ? []
      : [`--${name}`, quoteForShell(value)],
  );
  return ['npx worktrack explore', ...words].join(' ');
}

/** Shows a progress bar in a terminal. */
function createProgress() {
  const bar = newProgressBar('{bar} {value}/{total} runs | {failed} failed');
  return {
    update({ done, total, failed }: Progress): void {
      // The number of runs isn't known until the first one has finished.
      if (!process.stderr.isTTY || total === 1) return;
      if (!bar.isActive) bar.start(total, done, { failed });
      bar.setTotal(total);
      bar.update(done, { failed });
    },
    stop: () => bar.stop(),
  };
}

const formatters = {
  text: String,
  summary: ({ summary }: ExplorationReport) => summary,
  junit: ({ ids, failed }: ExplorationReport) => {
    const failures = new Map(failed.map((run) => [run.id, run]));
    const cases = ids.map((id) => {
      const run = failures.get(id);
      const message = run?.problems.map(({ check, error }) => `${check}: ${messageOf(error)}`).join('\n');
      return {
        group: 'worktrack explore',
        name: id || 'without failures',
        problem: message === undefined ? undefined : { kind: 'failure' as const, message },
      };
    });
    return formatJUnit('worktrack explore', cases);
  },
};

const list = (names: readonly string[]): string =>
  `  ${names.join(', ')}`.replace(/.{1,100}(?:, |$)/g, '$&\n  ').trimEnd();

const helpText = (name: string): string => `
Each run sets WORKTRACK_BASE_URL, WORKTRACK_TOKEN, and WORKTRACK_ORGANIZATION for the command. If tickets have a
default board, it also sets WORKTRACK_DEFAULT_BOARD. If the command stores files, such as a book, it must store
them in the folder WORKTRACK_RUN_DIR. Each run has its own folder.

To simulate a crash, the command is killed and started again with the same server and folder.

The --check command gets the same variables, and the failure's ID in WORKTRACK_FAILURE, which is empty for the run
without failures.

Kinds of failures:
${list(faultKinds)}
${list(interferenceKinds)}

Examples:
  ${name} --exec "python sync.py" --seed seed.json
  ${name} --exec "npm run import" --check "python check.py" --kinds response_lost,crash_after
  ${name} --exec "pytest -q tests/sync" --require noDuplicates --format junit --output explore.xml

Exit codes:
  0  the command survived all runs
  1  the command didn't survive a run, or the exploration was stopped
  2  invalid command line, or the command can't be explored, for example because it sends no requests`;
