import { decode } from '../../src/changes/compare.js';
import {
  type Change,
  fileSnapshot,
  memorySnapshot,
  readChanges,
  type Snapshot,
  type SnapshotEntry,
  SnapshotError,
  TooManyDeletionsError,
  type WatchChangesOptions,
  watchChanges,
} from '../../src/changes/index.js';
import { AuthenticationError, PermissionDeniedError, type Worktrack } from '../../src/index.js';
import { Lookup } from '../../src/lookup.js';
import { LookupError } from '../../src/names.js';
import { UsageError } from '../command-line.js';
import { type ConnectionOptions, createClient } from '../connection.js';
import type { CommandContext } from '../context.js';
import { readOptionFile } from '../files.js';
import { stopOnSignal } from '../stop-on-signal.js';
import { toSafeJson } from '../terminal/text.js';
import { type Deliver, execute, post } from './deliver.js';
import { describeChange } from './describe-change.js';

/** The parsed options of `worktrack watch`. */
export interface WatchFlags extends ConnectionOptions {
  project?: string[];
  include?: string;
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
export async function runWatchCommand(flags: WatchFlags, context: CommandContext): Promise<void> {
  if (flags.once && flags.snapshot === undefined) {
    throw new UsageError('--once requires --snapshot <file>, which stores what earlier runs delivered');
  }
  const stop = new AbortController();
  const deliver = await delivery(flags, context, stop.signal);
  const client = await createClient(flags, context, {});
  const snapshot = flags.snapshot === undefined ? memorySnapshot() : fileSnapshot(flags.snapshot);
  const { ignoreSignals, exitCode } = stopOnSignal(() => stop.abort());
  const options: WatchChangesOptions = {
    client,
    include: flags.include?.split(',') as WatchChangesOptions['include'],
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
    // With `--once`, 0 means that something changed.
    if (flags.once) context.exitCode = exitCode() ?? 1;
  } finally {
    ignoreSignals();
    await snapshot.close();
  }
}

/** Returns the error that results in the right message and exit code. */
function toCliError(error: unknown): unknown {
  if (error instanceof SnapshotError) return new UsageError(error.message);
  // Change the error class, because these errors usually result in exit code 3, which here means that nothing
  // changed.
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

async function delivery(flags: WatchFlags, context: CommandContext, signal: AbortSignal): Promise<Deliver> {
  if (flags.exec !== undefined) return execute(flags.exec, context.env);
  if (flags.post === undefined) {
    if (flags.secret !== undefined) throw new UsageError('--secret requires --post <url>');
    const toLine = context.isTerminal ? describeChange : (change: Change) => toSafeJson(change, 0);
    return (change) =>
      context.write(toLine(change)).catch((cause: Error) => {
        throw new Error(`could not print change ${change.id}`, { cause });
      });
  }
  const secret =
    flags.secret === undefined
      ? context.env.WORKTRACK_WEBHOOK_SECRET
      : (await readOptionFile('--secret', flags.secret)).trim();
  if (!secret)
    throw new UsageError('--post requires a secret; pass --secret <file> or set WORKTRACK_WEBHOOK_SECRET');
  const url = webhookUrl(flags.post, flags.allowPlainHttp === true);
  return post({ url, secret, signal, onRetry: context.printError });
}

function webhookUrl(text: string, allowPlainHttp: boolean): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'https:') return url;
  if (url?.protocol !== 'http:') throw new UsageError(`--post: "${text}" isn't an HTTP URL`);
  const isLoopback = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (isLoopback || allowPlainHttp) return url;
  throw new UsageError('--post: use https, or pass --allow-plain-http to send changes over plain HTTP');
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
