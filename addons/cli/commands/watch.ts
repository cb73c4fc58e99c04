import { Command, InvalidArgumentError, Option } from 'commander';
import { AuthenticationError, PermissionDeniedError, type Worktrack } from '../../../src/index.js';
import { projectsIn } from '../../jobs/feed-state.js';
import {
  type Book,
  BookError,
  type Kind,
  memoryBook,
  readChanges,
  sqliteBook,
  TooManyDeletionsError,
  type WatchChangesOptions,
  watchChanges,
} from '../../jobs/index.js';
import { kinds } from '../../jobs/watched-fields.js';
import { Lookup } from '../../shared/lookup.js';
import { LookupError } from '../../shared/names.js';
import { append, integer, namesIn, UsageError } from '../command-line.js';
import { addConnectionOptions, type ConnectionOptions, createClient } from '../connection.js';
import type { CommandContext } from '../context.js';
import { stopOnSignal } from '../stop-on-signal.js';
import { createDelivery, type Deliver } from './deliver.js';

export function createCommand(context: CommandContext): Command {
  const command = new Command('watch')
    .description(
      "Print changes to projects, or pass each change to a command or webhook. Without --project, watches the organization's projects and documents.",
    )
    .option('--project <key>', 'Key, name, or ID of a project to watch (repeatable)', append)
    .option(
      '--include <kinds>',
      'Kinds of records, such as ticket,board (default: all)',
      namesIn(kinds, 'kind'),
    )
    .option('--book <file>', 'File that records the delivered changes (default: none)')
    .option('--every <seconds>', 'Seconds between reads (default: 15 to 240)', parseSeconds)
    .option('--once', 'Read once and exit, for example in a cron job; requires --book')
    .addOption(
      new Option('--initial <mode>', 'What the first run does with existing records')
        .choices(['baseline', 'emit'])
        .default('baseline', 'baseline: only store them'),
    )
    .option('--max-deletions <number>', 'Most deletions to accept per kind (default: half)', integer(0))
    .addOption(
      new Option('--exec <command>', 'Run a shell command per change, with the change on stdin').conflicts(
        'post',
      ),
    )
    .option('--pass-secrets', 'Let the command inherit the token and the webhook secret')
    .option('--post <url>', 'Send each change to a Standard Webhooks receiver')
    .option('--secret <file>', 'Webhook secret of 16 bytes or more (env: WORKTRACK_WEBHOOK_SECRET)')
    .addHelpText('after', examples)
    .action((flags: WatchFlags) => runWatch(flags, context));
  return addConnectionOptions(command);
}

function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || seconds === 0) {
    throw new InvalidArgumentError('Expected a positive number of seconds.');
  }
  return seconds;
}

interface WatchFlags extends ConnectionOptions {
  project?: string[];
  include?: Kind[];
  book?: string;
  every?: number;
  once?: boolean;
  initial?: 'baseline' | 'emit';
  maxDeletions?: number;
  exec?: string;
  passSecrets?: boolean;
  post?: string;
  secret?: string;
}

/** Delivers changes until the watch is stopped. With `--once`, reads only once. */
async function runWatch(flags: WatchFlags, context: CommandContext): Promise<void> {
  if (flags.once && flags.book === undefined) {
    throw new UsageError('--once requires --book <file>, which stores what earlier runs delivered');
  }
  const stop = new AbortController();
  const deliver = await createDelivery(flags, context, stop.signal);
  const client = await createClient(flags, context);
  const book = flags.book === undefined ? memoryBook() : sqliteBook(flags.book);
  const { ignoreSignals, exitCode } = stopOnSignal(() => stop.abort());
  const options: WatchChangesOptions = {
    client,
    include: flags.include,
    book,
    initial: flags.initial,
    maxDeletions: flags.maxDeletions,
    signal: stop.signal,
  };
  try {
    if (flags.project) options.project = await findProjects(client, book, flags.project);
    if (flags.once) await deliverOnce(options, deliver, context);
    else await deliverAll({ ...options, ...interval(flags) }, deliver, context);
  } catch (error) {
    if (!stop.signal.aborted) throw toCliError(error);
    // With `--once`, exit code 0 means that something changed.
    if (flags.once) context.exitCode = exitCode() ?? 1;
  } finally {
    ignoreSignals();
    await book.close();
  }
}

/** Returns the error that results in the right message and exit code. */
function toCliError(error: unknown): unknown {
  if (error instanceof BookError) return new UsageError(error.message);
  // Use another error class, because these errors usually result in exit code 3, which here means that
  // nothing changed.
  if (error instanceof AuthenticationError || error instanceof PermissionDeniedError)
    return new Error(error.message);
  if (error instanceof TooManyDeletionsError) {
    return new Error(error.message.replace('set "maxDeletions" to', 'pass --max-deletions with'));
  }
  return error;
}

const interval = ({ every }: WatchFlags) => (every === undefined ? {} : { every: every * 1000 });

async function deliverOnce(options: WatchChangesOptions, deliver: Deliver, context: CommandContext) {
  const { changes, commit } = await readChanges(options);
  for (const change of changes) {
    options.signal?.throwIfAborted();
    await deliver(change);
    await commit(change);
  }
  if (changes.length === 0) context.exitCode = nothingChanged;
}

const nothingChanged = 3;

async function deliverAll(options: WatchChangesOptions, deliver: Deliver, context: CommandContext) {
  const onError = (error: Error) => context.printError(`worktrack: ${error.message}; retrying`);
  for await (const change of watchChanges({ ...options, onError })) await deliver(change);
}

/**
 * Returns the IDs of projects, given their IDs, keys, or names. A project in the book may be inaccessible, so
 * its ID is accepted without a lookup, and its key or name is accepted if the lookup fails.
 */
async function findProjects(client: Worktrack, book: Book, references: readonly string[]): Promise<string[]> {
  const lookup = new Lookup(client);
  const known = await projectsIn(book);
  return Promise.all(
    references.map(async (reference) => {
      if (known.some(({ id }) => id === reference)) return reference;
      const { id } = await lookup.project(reference).catch((error) => {
        const isUnknown = error instanceof LookupError && error.reason === 'unknown';
        const wanted = reference.trim().toLowerCase();
        const [project, ...others] = isUnknown
          ? known.filter(({ key, name }) => [key, name].some((text) => text?.toLowerCase() === wanted))
          : [];
        if (!project || others.length > 0) throw error;
        return project;
      });
      return id;
    }),
  );
}

const examples = `
In a terminal, each change is a line of text. Otherwise, it's a line of JSON. A change counts as delivered
when it's printed, the command exits with 0, or the webhook responds with 2xx. With --book, the next run
delivers the other changes again, with the same IDs. The token comes from WORKTRACK_TOKEN or a prompt.

Examples:
  worktrack watch --project APO --book apo.db --exec 'jq -r .type >> changes.log'
  worktrack watch --book org.db --once --post https://example.com/hooks --secret secret.txt

Exit codes (with --once, 129, 130, and 143 if a signal stopped the run):
  0  changes were delivered, or the watch was stopped (without --once)
  1  delivery failed, too many records disappeared, access was denied, or the API didn't respond
  2  invalid command line or book
  3  nothing changed (only with --once)
  4  not found (404), or no project has that name
  6  rate limit or server error (429, 5xx)`;
