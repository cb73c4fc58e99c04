import type { Queue } from 'bullmq';
import * as z from 'zod/mini';
import { toStorable } from '../../bullmq/jsonb.js';
import { abortSignal, fn, positiveInteger, requiredFn } from '../../option-schema.js';
import { DigestTable, fingerprintOf } from '../digest-table.js';
import type { RowSync, Store } from './store.js';
import { type RowJob, requireOpen, rowJobId } from './store.js';

/** Options for adding rows. */
export interface AddRowsOptions<Row> {
  /** Returns the row's key, which must be unique in the import. */
  key: (row: Row, index: number) => string;
  /** The number of rows per batch. @defaultValue 1000 */
  batchSize?: number | undefined;
  /** Stops adding rows. Rows already added stay in the queue. */
  signal?: AbortSignal | undefined;
  /** Called after each batch with the number of rows read. */
  onProgress?: ((read: number) => void) | undefined;
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

/** Reads rows and adds them to the queue or replaces existing rows. */
export class RowReader<Row> {
  readonly #queue: Queue<RowJob<Row>>;
  readonly #store: Store;
  readonly #options: AddRowsOptions<Row>;
  readonly #sync: RowSync | undefined;
  /** The keys of the rows that were read. */
  readonly seen = new DigestTable();
  readonly #result: ReadRows = { read: 0, added: 0, duplicates: 0, conflicts: [], unchanged: 0 };

  /** @param sync how workers sync the rows, if this is a sync */
  constructor(queue: Queue<RowJob<Row>>, store: Store, options: AddRowsOptions<Row>, sync?: RowSync) {
    this.#queue = queue;
    this.#store = store;
    this.#options = options;
    this.#sync = sync;
  }

  async add(rows: Iterable<Row> | AsyncIterable<Row>): Promise<AddedRows> {
    const changed: string[] = [];
    for await (const { existing } of this.#batches(rows)) {
      for (const { key } of existing) if (changed.length < maxKeys) changed.push(key);
    }
    return { ...this.#result, changed };
  }

  replace(rows: Iterable<Row> | AsyncIterable<Row>): Promise<ReplacedRows> {
    // Keep the entry, because an earlier attempt may have created the record.
    return this.#change(rows, (row, { entry, sync }) =>
      entry?.state === 'done' ? undefined : { ...row, entry, ...(sync && { sync }) },
    );
  }

  /** Adds new rows, and queues changed rows so that workers update their records. */
  sync(rows: Iterable<Row> | AsyncIterable<Row>): Promise<ReplacedRows> {
    return this.#change(rows, (row, { entry }) => ({ ...row, entry }));
  }

  /** @param change returns a job's new data, or undefined to leave the job unchanged */
  async #change(
    rows: Iterable<Row> | AsyncIterable<Row>,
    change: (row: RowJob<Row>, before: RowJob<unknown>) => RowJob<Row> | undefined,
  ): Promise<ReplacedRows> {
    let replaced = 0;
    const ignored: string[] = [];
    for await (const { existing, stored } of this.#batches(rows)) {
      for (const row of existing) {
        const data = await changeJob(
          this.#store,
          row.key,
          (before) => change(row, before),
          stored.get(rowJobId(row.key)),
        );
        if (data) {
          replaced++;
          await retryJob(this.#queue, data);
        } else if (ignored.length < maxKeys) ignored.push(row.key);
      }
    }
    return { ...this.#result, replaced, ignored };
  }

  /**
   * Adds the rows that aren't in the queue, in batches.
   *
   * @returns for each batch, the rows that differ from their versions in the queue, along with those versions
   */
  async *#batches(rows: Iterable<Row> | AsyncIterable<Row>) {
    const { key: keyOf, batchSize = 1000, signal, onProgress } = this.#options;
    const result = this.#result;
    const { seen } = this;
    let batch: RowJob<Row>[] = [];
    for await (const row of rows) {
      if (signal?.aborted) break;
      const key = keyOf(row, result.read);
      if (typeof key !== 'string' || key === '') {
        throw new TypeError(`the key of row ${result.read} must be a non-empty string`);
      }
      if (/\0|\p{Surrogate}/u.test(key)) {
        throw new TypeError(`the key of row ${result.read} contains a NUL character or a lone surrogate`);
      }
      result.read++;
      const digest = fingerprintOf(row);
      const fingerprint = Number.parseInt(digest, 16);
      const before = seen.get(key);
      if (before === undefined) {
        seen.set(key, fingerprint);
        batch.push({ key, row, digest, ...(this.#sync && { sync: this.#sync }) });
        if (batch.length >= batchSize) {
          yield await this.#send(batch);
          onProgress?.(result.read);
          batch = [];
        }
      } else if (before === fingerprint) result.duplicates++;
      else if (result.conflicts.length < maxKeys) result.conflicts.push(key);
    }
    if (batch.length > 0) {
      yield await this.#send(batch);
      onProgress?.(result.read);
    }
  }

  async #send(batch: RowJob<Row>[]) {
    const queue = requireOpen(this.#queue);
    const stored = await this.#store.find(batch.map(({ key }) => rowJobId(key)));
    const added = batch.filter(({ key }) => !stored.has(rowJobId(key)));
    if (added.length > 0) {
      await queue.addBulk(
        added.map((data) => {
          const opts = { ...jobOptions, jobId: rowJobId(data.key) };
          return toStorable(queue, { name: data.key.slice(0, 100), data, opts });
        }) as never,
      );
    }
    const existing = batch.filter(({ key, digest }) => {
      const before = stored.get(rowJobId(key));
      // A row whose last sync failed or hasn't been processed yet counts as changed, even if its digest is the
      // same.
      return before && (before.digest !== digest || (this.#sync && before.sync !== undefined));
    });
    this.#result.added += added.length;
    this.#result.unchanged += batch.length - added.length - existing.length;
    return { existing, stored };
  }
}

const maxKeys = 1000;

/**
 * Changes the data of a row's job, unless a worker is processing the row.
 *
 * @param change returns the new data, or undefined to leave the job unchanged. Called again if a worker has
 * changed the job since it was read. Otherwise, the change would undo what the worker wrote.
 * @param before the job's data, if it has been read already
 * @returns the new data, or undefined if the job wasn't changed
 */
export async function changeJob(
  store: Store,
  key: string,
  change: (before: RowJob<unknown>) => RowJob<unknown> | undefined,
  before?: RowJob<unknown>,
): Promise<RowJob<unknown> | undefined> {
  const jobId = rowJobId(key);
  const read = async () => (await store.find([jobId])).get(jobId);
  for (let current = before ?? (await read()); current; current = await read()) {
    const data = change(current);
    if (!data) return undefined;
    const { is } = await store.write({ jobId, key, data, before: current });
    if (is === 'written') return data;
    if (is !== 'changed') return undefined;
  }
  return undefined;
}

/**
 * Puts a dead letter, or a finished row that must be synced, back in the queue.
 *
 * @returns false if the row is in another state, for example because another call has already retried it
 */
export async function retryJob<Row>(
  queue: Queue<RowJob<Row>>,
  { key, sync }: RowJob<unknown>,
): Promise<boolean> {
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
