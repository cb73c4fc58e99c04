import { Command } from 'commander';
import { counted } from '../../../src/internal.js';
import { type KeptKind, keptKinds, type PullReport, pullWorldToFile } from '../../jobs/pull/index.js';
import { append, integer, namesIn, UsageError } from '../command-line.js';
import {
  addConnectionOptions,
  type ConnectionOptions,
  createClient,
  environmentHelp,
} from '../connection.js';
import type { CommandContext } from '../context.js';
import { describeFileError, readOptionFile, requireWritable } from '../files.js';
import { stopOnSignal } from '../stop-on-signal.js';

export function createCommand(context: CommandContext): Command {
  const command = new Command('pull')
    .description(
      'Copy projects to a seed file for the mock server. Names, text, email addresses, and dates are redacted. Sends only GET requests.',
    )
    .requiredOption('-o, --output <file>', 'Seed file to write or replace')
    .option('--project <key>', 'Key, name, or ID of a project to pull (repeatable; default: all)', append)
    .option(
      '--keep <kinds>',
      `Comma-separated kinds of values to leave unchanged: ${keptKinds.join(', ')}`,
      namesIn(keptKinds, 'kind'),
    )
    .option('--rename-ids', 'Also replace IDs and project keys')
    .option('--sample <number>', 'Include at most this many tickets and this many documents', integer(1))
    .option('--no-documents', "Don't pull documents, for example if the credential lacks documents:read")
    .option(
      '--key-file <file>',
      'File with a secret that makes replacements reproducible (env: WORKTRACK_PULL_KEY)',
    )
    .addHelpText('after', help)
    .action((flags: PullFlags) => pull(flags, context));
  return addConnectionOptions(command);
}

interface PullFlags extends ConnectionOptions {
  output: string;
  project?: string[];
  keep?: KeptKind[];
  renameIds?: boolean;
  sample?: number;
  documents: boolean;
  keyFile?: string;
}

async function pull(flags: PullFlags, context: CommandContext): Promise<void> {
  const { output, project: projects, keep, renameIds, sample, documents } = flags;
  const key = await readKey(flags, context.env);
  await requireWritable('--output', output);
  const client = await createClient(flags, context);
  const stop = stopOnSignal();
  let latest = '';
  const timer = setInterval(() => context.printError(latest), 10_000);
  try {
    const report = await pullWorldToFile(client, output, {
      projects,
      keep,
      renameIds,
      sample,
      documents,
      key,
      signal: stop.signal,
      onProgress: ({ tickets, documents }) => {
        latest = `read ${counted(tickets, 'ticket')} and ${counted(documents, 'document')}`;
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

async function readKey({ keyFile }: PullFlags, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const key =
    keyFile === undefined
      ? env.WORKTRACK_PULL_KEY || undefined
      : (await readOptionFile('--key-file', keyFile)).trim();
  if (key === undefined || key.length >= 16) return key;
  const source = keyFile === undefined ? 'WORKTRACK_PULL_KEY' : '--key-file';
  throw new UsageError(`${source}: the key must have at least 16 characters (got ${key.length})`);
}

function summary({ output, keep = [], renameIds }: PullFlags, report: PullReport): string {
  const { projects, boards, tickets, documents, users, leftOut } = report;
  const counts = [
    counted(projects, 'project'),
    counted(boards, 'board'),
    counted(tickets, 'ticket'),
    counted(documents, 'document'),
    counted(users, 'user'),
  ];
  const kept = [...keep, ...(renameIds ? [] : ['IDs', 'project keys'])];
  return [
    `Wrote ${output}: ${counts.join(', ')}.`,
    ...(leftOut > 0
      ? [`The sample left out ${counted(leftOut, 'ticket or document', 'tickets or documents')}.`]
      : []),
    `Not redacted: ${[...kept, 'colors', 'numbers'].join(', ')}.`,
    "Missing, because the API doesn't return them: comments, notifications, tokens, deleted records.",
  ].join('\n');
}

const help = `
The file is written only after the pull is complete. Without a key, each pull uses a random key and replaces
values differently. With the same key, the same data results in the same file. Keep the key secret, because
anyone who has it can check guesses about the original values.

Examples:
  worktrack pull --project APO -o world.json
  worktrack pull --project APO --project HER --keep titles,boards -o world.json
  worktrack pull --sample 500 --rename-ids --key-file pull.key -o world.json
  worktrack mock --seed world.json

${environmentHelp}
  WORKTRACK_PULL_KEY       secret that makes replacements reproducible, at least 16 characters

Exit codes:
  0  the file was written
  1  the pull was stopped, or the API didn't respond
  2  invalid command line; nothing was sent
  3  invalid credential or missing scope (401, 403)
  4  not found (404), or no project has that name
  6  rate limit or server error (429, 5xx)`;
