import { ApiError, ConnectionError, RequestTimeoutError, ServerError } from '../../../src/errors/index.js';
import { delay, settled } from '../../../src/shared/abort.js';
import { reservations } from '../shared/reservations.js';
import type { Change } from './change.js';
import {
  checkReadOptions,
  checkWatchOptions,
  type ReadChangesOptions,
  type WatchChangesOptions,
} from './options.js';
import { type Snapshot, SnapshotError } from './snapshot.js';
import { sweep } from './sweep.js';
import { sweepControlOf } from './sweep-control.js';

/** The changes found by one sweep. */
export interface ChangeBatch {
  /**
   * The changes, oldest first. Changes to records without a timestamp, such as labels, come first. Deletions come
   * last, because their time is unknown.
   */
  changes: readonly Change[];
  /** The number of records read. */
  records: number;
  /**
   * Whether all watched projects are deleted and no documents are watched, so further sweeps would find
   * nothing.
   */
  isOver: boolean;
  /**
   * Marks changes as delivered, so that they aren't reported again.
   *
   * @param change the last delivered change. If omitted, all changes count as delivered.
   * @throws SnapshotError if changes from a later `readChanges` call were already acknowledged. This batch's
   * older values would replace them.
   */
  ack(change?: Change): Promise<void>;
}

/**
 * Reads the watched records once and returns what changed since the snapshot. Changes that aren't
 * acknowledged are returned again by the next call. They have the same IDs, unless their records have changed
 * again.
 *
 * @throws TooManyDeletionsError if more records disappeared than `maxDeletions` allows
 * @throws SnapshotError if the snapshot can't be read or written
 * @throws ConfigurationError if an option is unknown or invalid
 * @throws WorktrackError if a request fails; nothing was reported
 *
 * @example
 * ```ts
 * const { changes, ack } = await readChanges({ client, project, snapshot: fileSnapshot('changes.ndjson') });
 * for (const change of changes) console.log(change.type, change.recordId);
 * await ack();
 * ```
 */
export async function readChanges(options: ReadChangesOptions): Promise<ChangeBatch> {
  checkReadOptions(options);
  const { changes, records, isOver, ack } = await readBatch(options);
  return { changes, records, isOver, ack };
}

/** For each snapshot, how many batches were read, and the number of the latest acknowledged batch. */
const batches = new WeakMap<Snapshot, { read: number; acknowledged: number }>();

async function readBatch(options: ReadChangesOptions): Promise<WatchedBatch> {
  const progress = batches.get(options.snapshot) ?? { read: 0, acknowledged: 0 };
  batches.set(options.snapshot, progress);
  const number = ++progress.read;
  const isOutdated = () => number < progress.acknowledged;
  const { deltas, quiet, records, isOver } = await sweep(options);
  options.signal?.throwIfAborted();
  if (quiet.length) await options.snapshot.write(quiet);
  const changes = deltas.map(({ change }) => change);
  let delivered = 0;
  return {
    changes,
    records,
    isOver,
    isOutdated,
    async ack(change) {
      const end = change ? changes.indexOf(change) + 1 : changes.length;
      if (change && end === 0) throw new TypeError('ack: pass a change from the same batch');
      if (end <= delivered) return;
      if (isOutdated())
        throw new SnapshotError('ack: changes from a later readChanges call were already acknowledged');
      progress.acknowledged = number;
      await options.snapshot.write(deltas.slice(delivered, end).flatMap(({ entries }) => entries));
      delivered = end;
    },
  };
}

interface WatchedBatch extends ChangeBatch {
  /** Whether changes from a later batch were already acknowledged. */
  isOutdated(): boolean;
}

/**
 * Watches records and yields each change. A change counts as delivered when you request the next change. If
 * the process crashes while handling a change, the change is delivered again.
 *
 * Waits and tries again while the API is unavailable or rate-limited. Finishes when the signal aborts, or when
 * all watched projects are deleted and no documents are watched.
 *
 * @throws TooManyDeletionsError if more records disappeared than `maxDeletions` allows
 * @throws SnapshotError if the snapshot is in use or can't be read or written
 * @throws ConfigurationError if an option is unknown or invalid
 * @throws WorktrackError if a request fails in another way, such as with a 401 or 403
 *
 * @example
 * ```ts
 * for await (const change of watchChanges({ client, project, snapshot: fileSnapshot('changes.ndjson') })) {
 *   if (change.type === 'ticket.moved') console.log(`${change.after.title} is on another board`);
 * }
 * ```
 */
export function watchChanges(options: WatchChangesOptions): AsyncGenerator<Change, void, undefined> {
  checkWatchOptions(options);
  return watch(options);
}

async function* watch(options: WatchChangesOptions): AsyncGenerator<Change, void, undefined> {
  const { every = { min: 15_000, max: 240_000 }, onSweep, onError, ...readOptions } = options;
  const { client, signal } = readOptions;
  const { min, max } = typeof every === 'number' ? { min: every, max: every } : every;
  const release = reserve(readOptions.snapshot, signal);
  const control = sweepControlOf(client);
  if (control) readOptions.now ??= control.now;
  let nextInMs = 0;
  try {
    for (;;) {
      if (control) await control.nextSweep(nextInMs, signal);
      else if (nextInMs > 0) await delay(nextInMs, signal ?? never).catch(() => {});
      if (signal?.aborted) return;
      const startedAt = performance.now();
      const batch = await readBatch(readOptions).catch(async (error) => {
        if (!signal?.aborted && !isTemporary(error)) throw error;
        if (!signal?.aborted) await settled(onError?.(error), signal);
      });
      const durationMs = Math.round(performance.now() - startedAt);
      nextInMs = batch?.changes.length ? min : Math.min(max, Math.max(min, nextInMs * 2));
      if (!batch) continue;
      const { changes, records } = batch;
      const hint = slowSweep(records, durationMs, min);
      await settled(onSweep?.({ records, changes: changes.length, durationMs, nextInMs, hint }), signal);
      yield* deliver(batch, signal);
      if (batch.isOver) return;
    }
  } finally {
    release();
    control?.end();
  }
}

/**
 * Prevents two feeds from using a snapshot at the same time, because each of them would miss the changes that
 * are delivered to the other one.
 */
const reserve = reservations(
  () => new SnapshotError('the snapshot is in use by another feed; use a separate snapshot for each feed'),
);

const never = new AbortController().signal;

/** Yields each change, and acknowledges it when the consumer requests the next one. */
async function* deliver({ changes, ack, isOutdated }: WatchedBatch, signal: AbortSignal | undefined) {
  for (const change of changes) {
    if (signal?.aborted) return;
    yield change;
    // Since this feed was stopped, another feed may have delivered newer changes.
    if (signal?.aborted && isOutdated()) return;
    await ack(change);
  }
}

/** Returns advice if a sweep took longer than the interval. */
export const slowSweep = (records: number, durationMs: number, interval: number): string | undefined =>
  durationMs <= interval
    ? undefined
    : `reading ${records} records took ${durationMs} ms, longer than the interval of ${interval} ms; increase "every" or watch fewer records`;

/** Whether the cause is temporary: the API is unavailable, overloaded, or rate-limited. */
const isTemporary = (error: unknown): boolean =>
  error instanceof ConnectionError ||
  error instanceof RequestTimeoutError ||
  (error instanceof ApiError && [408, 429].includes(error.status)) ||
  error instanceof ServerError;
