import type { Queue } from 'bullmq';
import * as z from 'zod/mini';
import { abortSignal, fn, positiveInteger, requiredFn } from '../../../../src/option-schema.js';
import { toStorable } from '../../bullmq/jsonb.js';
import { fingerprintOf, SeenRows } from '../digest-table.js';
import { checkImportOptions } from '../options.js';
import { checkKey } from '../row.js';
import { type RowJob, type RowSync, rowJobId } from './row-job.js';
import { requireOpen, type Store } from './store.js';

/** Options for adding rows. */
export interface AddRowsOptions<Row> {
  /** Returns the row's key, which must be unique in the import. */
  key: (row: Row, index: number) => string;
  /** The number of rows per batch. @defaultValue 1000 */
  batchSize?: number | undefined;
  /** Stops adding rows. Rows already added stay in the queue. */
  signal?: AbortSignal | undefined;
  /** Called after each batch with the number of rows read. If it fails, `add` throws its error. */
  onProgress?: ((read: number) => unknown) | undefined;
}

/** The result of reading rows. */
export interface ReadRows {
  read: number;
  /** The number of rows that were added to the queue. */
  added: number;
  /** The number of rows with the same key and content as an earlier row in the same call. */
  duplicates: number;
  /**
   * The first 1,000 keys that occurred several times in the same call, with different content. Only the first
   * row with each key was used.
   */
  conflicts: string[];
  /** The number of rows that were already in the queue with the same content. */
  unchanged: number;
}

/** The result of adding rows. */
export interface AddedRows extends ReadRows {
  /**
   * The first 1,000 keys that were already in the queue with different content. Those rows were ignored. To
   * replace them, call `queue.replace()`.
   */
  changed: string[];
}

/** The result of replacing rows. */
export interface ReplacedRows extends ReadRows {
  /** The number of rows whose content was replaced. */
  replaced: number;
  /** The keys of the first 1,000 rows that weren't replaced because they're done or being processed. */
  ignored: string[];
}

/**
 * How BullMQ retries a job after an error that the row didn't cause, such as a lost Redis connection. If the
 * row itself fails, BullMQ doesn't retry its job.
 */
const jobOptions = { attempts: 1000, backoff: { type: 'fixed', delay: 1000 } };

/** The queue of an import and the data shared by its workers. */
export interface RowQueue<Row> {
  queue: Queue<RowJob<Row>>;
  store: Store;
}

export async function addRows<Row>(
  rowQueue: RowQueue<Row>,
  rows: Iterable<Row> | AsyncIterable<Row>,
  options: AddRowsOptions<Row>,
): Promise<AddedRows> {
  const changed: string[] = [];
  const { seen, ...result } = await readRows(rowQueue, rows, options, async ({ key }) => {
    if (changed.length < maxKeys) changed.push(key);
  });
  return { ...result, changed };
}

export async function replaceRows<Row>(
  rowQueue: RowQueue<Row>,
  rows: Iterable<Row> | AsyncIterable<Row>,
  options: AddRowsOptions<Row>,
): Promise<ReplacedRows> {
  // Keep the entry, because an earlier attempt may have created the record.
  const { seen, ...result } = await changeRows(rowQueue, rows, options, (row, { entry, sync }) =>
    entry?.state === 'done' ? undefined : { ...row, entry, ...(sync && { sync }) },
  );
  return result;
}

/**
 * Adds new rows, and changes the jobs of changed rows.
 *
 * @param change returns a job's new data, or undefined to leave the job unchanged
 * @param sync how workers sync the rows, if this is a sync
 */
export async function changeRows<Row>(
  rowQueue: RowQueue<Row>,
  rows: Iterable<Row> | AsyncIterable<Row>,
  options: AddRowsOptions<Row>,
  change: (row: RowJob<Row>, before: RowJob<unknown>) => RowJob<Row> | undefined,
  sync?: RowSync,
): Promise<ReplacedRows & { seen: SeenRows }> {
  let replaced = 0;
  const ignored: string[] = [];
  const replace = async (row: RowJob<Row>, stored: RowJob<unknown>) => {
    const result = await requeue(rowQueue, row.key, (before) => change(row, before), stored);
    if (result !== 'unchanged') replaced++;
    else if (ignored.length < maxKeys) ignored.push(row.key);
  };
  const result = await readRows(rowQueue, rows, options, replace, sync);
  return { ...result, replaced, ignored };
}

/**
 * Reads rows in batches, and adds those that aren't in the queue yet.
 *
 * @param onChanged called with each row that differs from its version in the queue, along with that version
 * @returns the result and the keys of the rows that were read
 */
async function readRows<Row>(
  { queue, store }: RowQueue<Row>,
  rows: Iterable<Row> | AsyncIterable<Row>,
  options: AddRowsOptions<Row>,
  onChanged: (row: RowJob<Row>, stored: RowJob<unknown>) => Promise<void>,
  sync?: RowSync,
): Promise<ReadRows & { seen: SeenRows }> {
  checkImportOptions(addRowsOptions(), options);
  const { key: keyOf, batchSize = 1000, signal, onProgress } = options;
  const result: ReadRows = { read: 0, added: 0, duplicates: 0, conflicts: [], unchanged: 0 };
  const seen = new SeenRows();
  let batch: RowJob<Row>[] = [];
  const send = async () => {
    requireOpen(queue);
    const stored = await store.find(batch.map(({ key }) => rowJobId(key)));
    const added = batch.filter(({ key }) => !stored.has(rowJobId(key)));
    if (added.length > 0) await addJobs(queue, added);
    result.added += added.length;
    for (const row of batch) {
      const before = stored.get(rowJobId(row.key));
      if (!before) continue;
      // A row whose last sync failed or hasn't been processed yet counts as changed, even if its digest is
      // the same.
      if (before.digest === row.digest && !(sync && before.sync)) result.unchanged++;
      else await onChanged(row, before);
    }
    await onProgress?.(result.read);
    batch = [];
  };
  for await (const row of rows) {
    if (signal?.aborted) break;
    const key = keyOf(row, result.read);
    checkKey(key, result.read);
    if (/\0|\p{Surrogate}/u.test(key))
      throw new TypeError(`the key of row ${result.read} contains a NUL character or a lone surrogate`);
    result.read++;
    const digest = fingerprintOf(row);
    const seenAs = seen.add(key, digest);
    if (seenAs === 'new') {
      batch.push({ key, row, digest, ...(sync && { sync }) });
      if (batch.length >= batchSize) await send();
    } else if (seenAs === 'duplicate') result.duplicates++;
    else if (result.conflicts.length < maxKeys) result.conflicts.push(key);
  }
  if (batch.length > 0) await send();
  return { ...result, seen };
}

const maxKeys = 1000;

async function addJobs<Row>(queue: Queue<RowJob<Row>>, rows: readonly RowJob<Row>[]): Promise<void> {
  const jobs = rows.map((data) =>
    toStorable(queue, {
      name: data.key.slice(0, 100),
      data,
      opts: { ...jobOptions, jobId: rowJobId(data.key) },
    }),
  );
  await queue.addBulk(jobs as never);
}

/**
 * Changes the data of a row's job, unless a worker is processing the row. Puts a dead letter, or a finished
 * row that must be synced, back in the queue.
 *
 * @param change returns the new data, or undefined to leave the job unchanged. Called again if a worker has
 * changed the job since it was read. Otherwise, the change would undo what the worker wrote.
 * @param stored the job's data, if it has been read already
 * @returns `changed` if the row was already in the queue, for example because another call has retried it
 */
export async function requeue<Row>(
  { queue, store }: RowQueue<Row>,
  key: string,
  change: (before: RowJob<unknown>) => RowJob<unknown> | undefined,
  stored?: RowJob<unknown>,
): Promise<'unchanged' | 'changed' | 'retried'> {
  const jobId = rowJobId(key);
  const read = async () => (await store.find([jobId])).get(jobId);
  for (let before = stored ?? (await read()); before; before = await read()) {
    const data = change(before);
    if (!data) return 'unchanged';
    const { is } = await store.write({ jobId, key, data, before });
    if (is === 'written') return (await retryJob(queue, data)) ? 'retried' : 'changed';
    if (is !== 'changed') return 'unchanged';
  }
  return 'unchanged';
}

async function retryJob<Row>(queue: Queue<RowJob<Row>>, { key, sync }: RowJob<unknown>): Promise<boolean> {
  const jobId = rowJobId(key);
  const state = await requireOpen(queue).getJobState(jobId);
  if (state !== 'failed' && !(state === 'completed' && sync)) return false;
  try {
    const job = await queue.getJob(jobId);
    await job?.retry(state);
    return job !== undefined;
  } catch (error) {
    if ((await queue.getJobState(jobId)) !== state) return false;
    throw error;
  }
}

export const addRowsOptions = () =>
  z.strictObject({
    key: requiredFn(),
    batchSize: positiveInteger(),
    signal: abortSignal(),
    onProgress: fn(),
  } satisfies Record<keyof AddRowsOptions<unknown>, z.ZodMiniType>);
