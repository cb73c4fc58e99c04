import { availableParallelism } from 'node:os';
import { Command, InvalidArgumentError, Option } from 'commander';
import { type Failure, type FailureKind, failureKinds, faultKinds } from '../../testing/explore/failures.js';
import { interferenceKinds } from '../../testing/explore/interference.js';
import { readFailures } from '../../testing/explore/options.js';
import { integer, namesIn, pathOf, quoteForShell, setCompletions } from '../command-line.js';
import type { CommandContext } from '../context.js';
import { addReportOptions } from '../report.js';
import { type CheckName, checks, type ExploreFlags, runExploreCommand } from './run-explore-command.js';

const defaultChecks: readonly CheckName[] = ['noDuplicates', 'converges'];

export function createCommand(context: CommandContext): Command {
  const names = Object.keys(checks);
  const required = new Option('--require <checks>', `Comma-separated checks, or "none": ${names.join(', ')}`);
  setCompletions(required, [...names, 'none']);
  const kinds = new Option('--kinds <kinds>', 'Comma-separated kinds of failures');
  setCompletions(kinds, failureKinds);
  const count = (flag: string, description: string, initial: number) =>
    new Option(flag, description).argParser(integer(1)).default(initial);
  const command = new Command('explore')
    .description(
      'Test how a command handles each request failure.\n\nThe command runs once per failure. Each run has its own mock server with the same initial data.',
    )
    .requiredOption('--exec <command>', 'Command to explore, such as a script or a test suite (required)')
    .option(
      '--check <command>',
      'Command that checks the data after each run; it must fail if the data is wrong',
    )
    .addOption(required.argParser(parseChecks).default(defaultChecks, defaultChecks.join(',')))
    .option('--seed <file>', 'JSON file with seed data')
    .addOption(
      kinds.argParser(parseKinds).default(
        faultKinds.filter((kind) => kind !== 'slow'),
        'all faults except slow',
      ),
    )
    .addOption(
      new Option('--depth <number>', 'With 2, also try pairs of failures').choices(['1', '2']).default('1'),
    )
    .addOption(count('--max-runs <number>', 'Maximum number of runs', 1000))
    .addOption(
      new Option('--random-seed <number>', 'Seed for choosing the runs if more than --max-runs are possible')
        .argParser(integer())
        .default(0),
    )
    .addOption(
      new Option('--jobs <number>', 'Number of concurrent runs')
        .argParser(integer(1))
        .default(availableParallelism(), 'the number of CPU cores'),
    )
    .addOption(count('--run-timeout <seconds>', 'Maximum time for each run', 60))
    .addOption(
      new Option('--replay <id>', "Run only this failure, and show the command's output").argParser(parseId),
    );
  return addReportOptions(command)
    .addHelpText('after', ({ command }) => helpText(pathOf(command)))
    .action((flags: ExploreFlags) => runExploreCommand(flags, context, (id) => reproduce(flags, id)));
}

const parseChecks = (text: string): readonly CheckName[] =>
  text === 'none' ? [] : namesIn(Object.keys(checks) as CheckName[], 'check')(text);

/** Parses a list of kinds. Ignores the previous value, because Commander passes the default there. */
const parseKinds = (text: string): readonly FailureKind[] => namesIn(failureKinds, 'kind')(text);

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

const list = (names: readonly string[]): string =>
  `  ${names.join(', ')}`.replace(/.{1,100}(?:, |$)/g, '$&\n  ').trimEnd();

const helpText = (name: string): string => `
Each run sets WORKTRACK_BASE_URL, WORKTRACK_TOKEN, and WORKTRACK_ORGANIZATION for the command. If tickets have a
default board, it also sets WORKTRACK_DEFAULT_BOARD. If the command stores files, such as a ledger, it must store
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
