import { setTimeout as sleep } from 'node:timers/promises';
import type { JobType, Queue } from 'bullmq';
import * as z from 'zod/mini';
import { nonNegativeIntegerOrInfinity, oneOf } from '../../../../src/option-schema.js';
import type { Ledger } from '../ledger.js';
import type { LedgerEntry } from '../ledger-entry.js';
import { checkImportOptions, type SyncOptions } from '../options.js';
import type { ConflictWinner } from '../sync/fields.js';
import { findMissing, isRemoved } from '../sync/task.js';
import type { RowJob, RowSync } from './row-job.js';
import {
  type AddRowsOptions,
  addRowsOptions,
  changeRows,
  type ReadRows,
  type RowQueue,
  requeue,
} from './row-reader.js';
import { requireOpen } from './store.js';

/** Options for {@link ImportQueue.sync}. */
export interface SyncRowsOptions<Row>
  extends AddRowsOptions<Row>,
    Pick<SyncOptions, 'onMissing' | 'maxRemovals'> {
  /**
   * What to do if a field changed in both the source and the record. With `report`, the row becomes a dead
   * letter.
   *
   * @defaultValue `'report'`
   */
  onConflict?: ConflictWinner | undefined;
  /**
   * What to do if a row has changed but its record was deleted. With `report`, the row becomes a dead letter.
   *
   * @defaultValue `'report'`
   */
  onGone?: 'report' | 'recreate' | undefined;
}

/** The result of a sync. */
export interface SyncedRows extends ReadRows {
  /** The number of changed rows that were queued for the workers, including those that became dead letters. */
  changed: number;
  /**
   * The keys of the first 1,000 changed rows that weren't synced. A row isn't synced while a worker is
   * processing it.
   */
  ignored: string[];
  /** The number of missing rows whose records a worker archived or deleted. */
  removed: number;
  /**
   * The number of missing rows whose records were kept. Records are kept if too many rows are missing or the
   * source is empty.
   */
  blockedRemovals: number;
}

/** Queues new and changed rows, waits for the workers, and then queues the removals. */
export async function syncRows<Row>(
  rowQueue: RowQueue<Row>,
  ledger: Ledger,
  rows: Iterable<Row> | AsyncIterable<Row>,
  options: SyncRowsOptions<Row>,
): Promise<SyncedRows> {
  checkImportOptions(syncRowsOptions(), options);
  const { onConflict = 'report', onGone = 'report', onMissing = 'keep', maxRemovals, ...read } = options;
  const sync: RowSync = { onConflict, onGone };
  const update = (row: RowJob<Row>, { entry }: RowJob<unknown>) => ({ ...row, entry });
  const { replaced, seen, ...result } = await changeRows(rowQueue, rows, read, update, sync);
  const synced: SyncedRows = { ...result, changed: replaced, removed: 0, blockedRemovals: 0 };
  const { queue } = rowQueue;
  if (!(await isDrained(queue, options.signal)) || onMissing === 'keep') return synced;
  const entries: LedgerEntry[] = [];
  for await (const entry of ledger.entries('done')) entries.push(entry);
  const { missing, isBlocked } = findMissing(entries, (key) => seen.has(key), { ...result, maxRemovals });
  if (isBlocked) return { ...synced, blockedRemovals: missing.length };
  for (const { key } of missing) {
    await requeue(rowQueue, key, ({ entry }) =>
      entry?.state === 'done' ? { key, entry, sync: { ...sync, remove: onMissing } } : undefined,
    );
  }
  await isDrained(queue, options.signal);
  for (const { key } of missing) {
    const entry = await ledger.get(key);
    if (entry && isRemoved(entry)) synced.removed++;
  }
  return synced;
}

/** Waits until no row is waiting or being processed. @returns false if the signal was aborted */
async function isDrained<Row>(queue: Queue<RowJob<Row>>, signal: AbortSignal | undefined): Promise<boolean> {
  while (!signal?.aborted) {
    const counts = await requireOpen(queue).getJobCounts(...openTypes);
    if (Object.values(counts).every((count) => count === 0)) return true;
    await sleep(interval, undefined, { signal }).catch(() => {});
  }
  return false;
}

// The cast is needed because BullMQ's types don't include `paused`.
const openTypes = ['waiting', 'paused', 'active', 'delayed'] as JobType[];
const interval = 100;

const syncRowsOptions = () =>
  z.extend(addRowsOptions(), {
    onConflict: oneOf(['report', 'source', 'target']),
    onGone: oneOf(['report', 'recreate']),
    onMissing: oneOf(['keep', 'archive', 'delete']),
    maxRemovals: nonNegativeIntegerOrInfinity(),
  });
