import { Command, InvalidArgumentError, Option } from 'commander';
import { AuthenticationError, PermissionDeniedError, type Worktrack } from '../../../src/index.js';
import { decode } from '../../jobs/changes/compare.js';
import {
  fileSnapshot,
  type Kind,
  memorySnapshot,
  readChanges,
  type Snapshot,
  type SnapshotEntry,
  SnapshotError,
  TooManyDeletionsError,
  type WatchChangesOptions,
  watchChanges,
} from '../../jobs/changes/index.js';
import { kinds } from '../../jobs/changes/options.js';
import { Lookup } from '../../shared/lookup.js';
import { LookupError } from '../../shared/names.js';
import { append, integer, namesIn, UsageError } from '../command-line.js';
import {
  addConnectionOptions,
  type ConnectionOptions,
  createClient,
  environmentHelp,
} from '../connection.js';
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
      'Kinds of records to watch, such as ticket,board (default: all that apply)',
      namesIn(kinds, 'kind'),
    )
    .option('--snapshot <file>', 'File that records the delivered changes; without it, each run starts over')
    .option(
      '--every <seconds>',
      'Seconds between reads (default: 15 to 240, depending on activity)',
      parseSeconds,
    )
    .option('--once', 'Read once and exit, for example in a cron job; requires --snapshot')
    .addOption(
      new Option('--initial <mode>', 'What to do with existing records on the first run')
        .choices(['baseline', 'emit'])
        .default('baseline', 'baseline: only store them'),
    )
    .option('--ticket-order', "Also report when a board's tickets are reordered")
    .option(
      '--max-deletions <number>',
      'Stop if more than this many records of a kind disappear between two reads (default: half, at least 10)',
      integer(0),
    )
    .addOption(
      new Option(
        '--exec <command>',
        'Run a shell command for each change, with the change on stdin',
      ).conflicts('post'),
    )
    .option('--post <url>', 'Send each change to a webhook, signed according to Standard Webhooks')
    .option('--secret <file>', 'File with the webhook secret (env: WORKTRACK_WEBHOOK_SECRET)')
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
  snapshot?: string;
  every?: number;
  once?: boolean;
  initial?: 'baseline' | 'emit';
  ticketOrder?: boolean;
  maxDeletions?: number;
  exec?: string;
  post?: string;
  secret?: string;
}

/** Delivers changes until the watch is stopped. With `--once`, reads only once. */
async function runWatch(flags: WatchFlags, context: CommandContext): Promise<void> {
  if (flags.once && flags.snapshot === undefined) {
    throw new UsageError('--once requires --snapshot <file>, which stores what earlier runs delivered');
  }
  const stop = new AbortController();
  const deliver = await createDelivery(flags, context, stop.signal);
  const client = await createClient(flags, context);
  const snapshot = flags.snapshot === undefined ? memorySnapshot() : fileSnapshot(flags.snapshot);
  const { ignoreSignals, exitCode } = stopOnSignal(() => stop.abort());
  const options: WatchChangesOptions = {
    client,
    include: flags.include,
    snapshot,
    initial: flags.initial,
    ticketOrder: flags.ticketOrder,
    maxDeletions: flags.maxDeletions,
    signal: stop.signal,
  };
  try {
    if (flags.project) options.project = await findProjects(client, snapshot, flags.project);
    if (flags.once) await deliverOnce(options, deliver, context);
    else await deliverAll({ ...options, ...interval(flags) }, deliver, context);
  } catch (error) {
    if (!stop.signal.aborted) throw toCliError(error);
    // With `--once`, exit code 0 means that something changed.
    if (flags.once) context.exitCode = exitCode() ?? 1;
  } finally {
    ignoreSignals();
    await snapshot.close();
  }
}

/** Returns the error that results in the right message and exit code. */
function toCliError(error: unknown): unknown {
  if (error instanceof SnapshotError) return new UsageError(error.message);
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
  const { changes, ack } = await readChanges(options);
  for (const change of changes) {
    options.signal?.throwIfAborted();
    await deliver(change);
    await ack(change);
  }
  if (changes.length === 0) context.exitCode = nothingChanged;
}

const nothingChanged = 3;

async function deliverAll(options: WatchChangesOptions, deliver: Deliver, context: CommandContext) {
  let hasHinted = false;
  const changes = watchChanges({
    ...options,
    onError: (error) => context.printError(`worktrack: ${error.message}; retrying`),
    onSweep: ({ hint }) => {
      if (hint && !hasHinted) context.printError(`worktrack: ${hint.replace('"every"', '--every')}`);
      hasHinted ||= hint !== undefined;
    },
  });
  for await (const change of changes) await deliver(change);
}

/**
 * Returns the IDs of projects, given their IDs, keys, or names. A project in the snapshot may have been
 * deleted, so its ID is accepted without a lookup, and its key or name is accepted if the lookup fails.
 */
async function findProjects(
  client: Worktrack,
  snapshot: Snapshot,
  references: readonly string[],
): Promise<string[]> {
  const lookup = new Lookup(client);
  const entries = [...(await snapshot.read())];
  return Promise.all(
    references.map(async (reference) => {
      if (entries.some(({ scope }) => scope.endsWith(`:${reference}`))) return reference;
      const { id } = await lookup.project(reference).catch((error) => {
        const isUnknown = error instanceof LookupError && error.reason === 'unknown';
        const [project, ...others] = isUnknown ? projectsNamed(reference, entries) : [];
        if (!project || others.length > 0) throw error;
        return project;
      });
      return id;
    }),
  );
}

/** Returns the projects in the snapshot that have the given key or name. */
function projectsNamed(reference: string, entries: readonly SnapshotEntry[]): { id: string }[] {
  const name = reference.trim().toLowerCase();
  return entries.filter(({ scope, id, value }) => {
    if (value === undefined || scope !== `project:${id}`) return false;
    const { known } = decode(value);
    return [known?.key, known?.name].some((text) => String(text).toLowerCase() === name);
  });
}

const examples = `
In a terminal, each change is a line of text. Otherwise, each change is a line of JSON.

A change counts as delivered when it's printed, the command exits with 0, or the webhook responds with 2xx.
With --snapshot, the next run retries undelivered changes. They have the same IDs, unless their records have
changed again.

Examples:
  worktrack watch --project APO
  worktrack watch --project APO --include ticket --snapshot apo.snapshot --once
  worktrack watch --project APO --snapshot apo.snapshot --exec 'jq -r .type >> changes.log'
  worktrack watch --snapshot org.snapshot --post https://example.com/hooks --secret webhook-secret.txt

${environmentHelp}
  WORKTRACK_WEBHOOK_SECRET secret for --post, such as whsec_…

Exit codes:
  0    changes were delivered, or the watch was stopped (without --once)
  1    a change couldn't be printed, the command or webhook failed, too many records disappeared, the
       credential is invalid or lacks a scope, or the API didn't respond
  2    invalid command line or snapshot
  3    nothing changed (only with --once)
  4    not found (404), or no project has that name
  6    rate limit or server error (429, 5xx)
  129  stopped by SIGHUP (only with --once)
  130  stopped with Ctrl+C (only with --once)
  143  stopped by SIGTERM (only with --once)`;
