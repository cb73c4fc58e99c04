import { Command } from 'commander';
import { counted } from '../../../src/internal.js';
import { type KeptKind, type PullReport, pull } from '../../jobs/pull.js';
import { keptKinds } from '../../jobs/pull-redaction.js';
import { append, integer, namesIn, UsageError } from '../command-line.js';
import { addConnectionOptions, type ConnectionOptions, createClient } from '../connection.js';
import type { CommandContext } from '../context.js';
import { describeFileError, requireWritable } from '../files.js';
import { stopOnSignal } from '../stop-on-signal.js';

export function createCommand(context: CommandContext): Command {
  const command = new Command('pull')
    .description(
      'Copy projects to a seed file for the mock server. IDs, names, text, email addresses, and dates are replaced. Sends only GET requests.',
    )
    .requiredOption('-o, --output <file>', 'Seed file to write or replace')
    .option('--project <key>', 'Key, name, or ID of a project to pull (repeatable; default: all)', append)
    .option(
      '--keep <kinds>',
      `Comma-separated kinds of values to leave unchanged: ${keptKinds.join(', ')}`,
      namesIn(keptKinds, 'kind'),
    )
    .option('--sample <number>', 'Include at most this many tickets and this many documents', integer(1))
    .option('--no-documents', "Don't pull documents, for example if the credential lacks documents:read")
    .addHelpText('after', help)
    .action((flags: PullFlags) => pullToFile(flags, context));
  return addConnectionOptions(command);
}

interface PullFlags extends ConnectionOptions {
  output: string;
  project?: string[];
  keep?: KeptKind[];
  sample?: number;
  documents: boolean;
}

async function pullToFile(flags: PullFlags, context: CommandContext): Promise<void> {
  const { output, project: projects, keep, sample, documents } = flags;
  const key = readKey(context.env);
  await requireWritable('--output', output);
  const client = await createClient(flags, context);
  const stop = stopOnSignal();
  let recordsRead = 0;
  const timer = setInterval(() => context.printError(`read ${counted(recordsRead, 'record')}`), 10_000);
  try {
    const report = await pull(client, {
      output,
      projects,
      keep,
      sample,
      documents,
      key,
      signal: stop.signal,
      onProgress: (records) => {
        recordsRead = records;
      },
    });
    context.print(summary(flags, report));
  } catch (error) {
    if (stop.signal.aborted) throw new Error(`the pull was stopped; ${output} was not written`);
    const { syscall } = error as NodeJS.ErrnoException;
    if (syscall) throw new UsageError(`--output: could not write ${output}: ${describeFileError(error)}`);
    throw error;
  } finally {
    clearInterval(timer);
    stop.ignoreSignals();
  }
}

function readKey(env: NodeJS.ProcessEnv): string | undefined {
  const key = env.WORKTRACK_PULL_KEY || undefined;
  if (key === undefined || key.length >= 16) return key;
  throw new UsageError(`WORKTRACK_PULL_KEY: the key must have at least 16 characters (got ${key.length})`);
}

function summary({ output, keep = [] }: PullFlags, report: PullReport): string {
  const { projects, boards, tickets, documents, users, leftOut } = report;
  const counts = [
    counted(projects, 'project'),
    counted(boards, 'board'),
    counted(tickets, 'ticket'),
    counted(documents, 'document'),
    counted(users, 'user'),
  ];
  return [
    `Wrote ${output}: ${counts.join(', ')}.`,
    ...(leftOut > 0
      ? [`The sample left out ${counted(leftOut, 'ticket or document', 'tickets or documents')}.`]
      : []),
    `Not replaced: ${[...keep, 'colors', 'numbers'].join(', ')}.`,
    "Missing, because the API doesn't return them: comments, notifications, tokens, deleted records.",
  ].join('\n');
}

const help = `
The file is written only after the pull is complete. To get the same file from the same data, set
WORKTRACK_PULL_KEY to a secret. Anyone who has it can check guesses about the original values.

Examples:
  worktrack pull --project APO -o world.json
  worktrack pull --project APO --project HER --keep ids,titles --sample 500 -o world.json
  worktrack mock --seed world.json

Environment variables:
  WORKTRACK_TOKEN     credential token; if it isn't set, the CLI prompts for it
  WORKTRACK_PULL_KEY  secret that determines the replacements, at least 16 characters

Exit codes:
  0  the file was written
  1  the pull was stopped, or the API didn't respond
  2  invalid command line; nothing was sent
  3  invalid credential or missing scope (401, 403)
  4  not found (404), or no project has that name
  6  rate limit or server error (429, 5xx)`;
