import type { JobType, Queue } from 'bullmq';
import * as z from 'zod/mini';
import { type Backend, connectionFields, openBackend, requireOneBackend } from '../../bullmq/connection.js';
import { abortSignal, boolean, fn, positiveInteger, requiredFn } from '../../contract/option-types.js';
import { race } from '../../http/time-limit.js';
import { DigestTable, fingerprintOf } from '../digest-table.js';
import { type Candidate, type Ledger, LedgerError } from '../ledger.js';
import { checkImportOptions } from '../options.js';
import type { UnresolvedRow } from '../report.js';
import { BullmqLedger, openStore } from './bullmq-ledger.js';
import { type ImportConnection, queueClosed, type RowJob, requireOpen, rowJobId } from './row-job.js';
import type { Store } from './store.js';

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

/** Options for deleting an import's queue. */
export interface DeleteQueueOptions {
  /**
   * Whether to delete rows that a worker is processing. Use it if the worker was killed.
   *
   * @defaultValue false
   */
  force?: boolean | undefined;
}

/** The result of reading rows. */
export interface ReadRows {
  read: number;
  /** The number of rows that were added to the queue. */
  added: number;
  /** The number of rows with the same key and content as an earlier row of the same call. */
  duplicates: number;
  /** The first 1,000 keys that the same call reused with different content. Those rows were ignored. */
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
  /** The first 1,000 keys whose rows are done or being processed. Those rows weren't replaced. */
  ignored: string[];
}

/** A row that may have two records. */
export interface SuspectedDuplicate {
  key: string;
  /** The ID of the record that the import assigned to the row. */
  recordId: string;
  /** The other records that may have been created from the row. */
  candidates: Candidate[];
}

/** The number of rows in each state. */
export interface ImportCounts {
  waiting: number;
  active: number;
  /** Rows waiting to be retried. */
  delayed: number;
  done: number;
  /** Dead letters: rows that failed or are in doubt. */
  failed: number;
}

/** An import's queue. */
export interface ImportQueue<Row> {
  /** BullMQ's queue. Use it with Bull Board, or for features this interface doesn't provide. */
  readonly bullmq: Queue<RowJob<Row>>;
  /** The state of each row. Use it to look up record IDs, for example. */
  readonly ledger: Ledger;
  /**
   * Adds rows in batches. It's safe to call again after a crash, because rows already in the queue are
   * ignored.
   */
  add(rows: Iterable<Row> | AsyncIterable<Row>, options: AddRowsOptions<Row>): Promise<AddedRows>;
  /**
   * Replaces the content of rows, for example after you corrected the rows that failed. Dead letters whose
   * content has changed are retried. Rows that aren't in the queue are added.
   */
  replace(rows: Iterable<Row> | AsyncIterable<Row>, options: AddRowsOptions<Row>): Promise<ReplacedRows>;
  counts(): Promise<ImportCounts>;
  /** Iterates over the rows that failed or are in doubt, with their errors and candidates. */
  deadLetters(): AsyncIterable<UnresolvedRow<Row>>;
  /**
   * Iterates over the rows that may have two records. They were created again because their first record
   * couldn't be found in time, and a later search found it.
   */
  suspectedDuplicates(): AsyncIterable<SuspectedDuplicate>;
  /**
   * Retries dead letters. For in-doubt rows, the record is looked up first.
   *
   * @param select a filter for the rows to retry (all by default)
   * @returns the number of rows that will be retried
   */
  retry(select?: (row: UnresolvedRow<Row>) => boolean): Promise<number>;
  /** Stops all workers from starting more rows. */
  pause(): Promise<void>;
  /** Resumes the workers, for example if a rejected credential caused the queue to pause. */
  resume(): Promise<void>;
  /**
   * Deletes all rows and the ledger. Close the workers first. Afterwards, adding the same rows would create
   * their records again.
   *
   * @throws LedgerError if a worker is processing a row, unless `force` is true; nothing is deleted
   */
  delete(options?: DeleteQueueOptions): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the queue for an import that runs in several processes. If Redis isn't available, waits until it is.
 *
 * @throws ConfigurationError if `bullmq`, `ioredis`, or `pg` isn't installed, or an option is invalid
 * @throws Error if Postgres isn't available
 *
 * @example
 * ```ts
 * const queue = await createImportQueue<Row>({ name: 'tickets', redis: 'redis://127.0.0.1:6379' });
 * await queue.add(rows, { key: (row) => row.id });
 * ```
 */
export async function createImportQueue<Row>(connection: ImportConnection): Promise<ImportQueue<Row>> {
  checkImportOptions(queueOptions(), connection);
  const backend = await openBackend(connection);
  return backend.closeOnError(async () => {
    const bullmq = await backend.openQueue<RowJob<Row>>(connection.name);
    const store = await openStore(bullmq as Queue);
    return importQueue(backend, bullmq, store);
  });
}

function importQueue<Row>(backend: Backend, bullmq: Queue<RowJob<Row>>, store: Store): ImportQueue<Row> {
  const ledger = new BullmqLedger(bullmq as Queue, store);
  const closing = new AbortController();
  /** Rejects if the queue is closed before or during the call. On Postgres, the call might never finish. */
  const whileOpen = async <Result>(call: (rows: Queue<RowJob<Row>>) => Promise<Result>) =>
    race(call(requireOpen(bullmq)), closing.signal);
  return {
    bullmq,
    ledger,
    add: (newRows, options) => whileOpen((rows) => new RowReader(rows, store, options).add(newRows)),
    replace: (newRows, options) => whileOpen((rows) => new RowReader(rows, store, options).replace(newRows)),
    counts: () =>
      whileOpen(async (rows) => {
        const counts = await rows.getJobCounts(...countedTypes);
        const { waiting = 0, paused = 0, active = 0, delayed = 0, completed = 0, failed = 0 } = counts;
        // If the queue is paused, BullMQ on Postgres counts waiting rows as paused.
        return { waiting: waiting + paused, active, delayed, done: completed, failed };
      }),
    deadLetters: () => untilClosed(deadLetters(requireOpen(bullmq)), closing.signal),
    async *suspectedDuplicates() {
      for await (const { key, recordId, candidates = [] } of ledger.entries('done')) {
        if (recordId !== undefined && candidates.length > 0) yield { key, recordId, candidates };
      }
    },
    retry: (select = () => true) =>
      whileOpen(async (rows) => {
        let retried = 0;
        for await (const row of deadLetters(rows)) {
          if (!select(row)) continue;
          const jobId = rowJobId(row.key);
          const data = (await store.find([jobId])).get(jobId);
          if (data && (await retryJob(requireOpen(rows), store, data))) retried++;
        }
        return retried;
      }),
    pause: () => whileOpen((rows) => rows.pause()),
    resume: () => whileOpen((rows) => rows.resume()),
    delete: (options = {}) =>
      whileOpen(async (rows) => {
        checkImportOptions(deleteOptions(), options);
        const { force = false } = options;
        const wasPaused = await rows.isPaused();
        await rows.pause();
        if (!force && (await rows.getActiveCount()) > 0) {
          if (!wasPaused) await rows.resume();
          throw new LedgerError(
            `the queue "${rows.name}" has active rows; close its workers, or pass "force" if they were killed`,
          );
        }
        await rows.obliterate({ force });
        await store.deleteAll();
      }),
    async close() {
      closing.abort(queueClosed(bullmq));
      await ledger.close();
      await backend.closeQueues();
    },
  };
}

/** @returns false if the row isn't a dead letter, for example because another call has already retried it */
async function retryJob<Row>(
  queue: Queue<RowJob<Row>>,
  store: Store,
  { attempts, failingSince, failedAt, ...data }: RowJob<unknown>,
): Promise<boolean> {
  const { key } = data;
  const jobId = rowJobId(key);
  if ((await queue.getJobState(jobId)) !== 'failed') return false;
  // If a worker is already processing the job, its changes must not be overwritten.
  const result = await store.write({ jobId, key, data, unlessActive: true });
  if (result.is !== 'written') return false;
  try {
    const job = await queue.getJob(jobId);
    await job?.retry('failed');
    return job !== undefined;
  } catch (error) {
    if ((await queue.getJobState(jobId)) !== 'failed') return false;
    throw error;
  }
}

// BullMQ's types don't include `paused`.
const countedTypes = ['waiting', 'paused', 'active', 'delayed', 'completed', 'failed'] as JobType[];

const queueOptions = () => z.strictObject(connectionFields()).check(requireOneBackend);

const addRowsOptions = () =>
  z.strictObject({
    key: requiredFn(),
    batchSize: positiveInteger(),
    signal: abortSignal(),
    onProgress: fn(),
  } satisfies Record<keyof AddRowsOptions<unknown>, z.ZodMiniType>);

const deleteOptions = () =>
  z.strictObject({ force: boolean() } satisfies Record<keyof DeleteQueueOptions, z.ZodMiniType>);

/**
 * These options apply to errors that the row didn't cause, such as a lost Redis connection. If the row itself
 * fails, its job ends.
 */
const jobOptions = { attempts: 1000, backoff: { type: 'fixed', delay: 1000 } };

/** Reads rows, and adds them to the queue or replaces them there. */
class RowReader<Row> {
  readonly #queue: Queue<RowJob<Row>>;
  readonly #store: Store;
  readonly #options: AddRowsOptions<Row>;
  readonly #result: ReadRows = { read: 0, added: 0, duplicates: 0, conflicts: [], unchanged: 0 };

  constructor(queue: Queue<RowJob<Row>>, store: Store, options: AddRowsOptions<Row>) {
    checkImportOptions(addRowsOptions(), options);
    this.#queue = queue;
    this.#store = store;
    this.#options = options;
  }

  async add(rows: Iterable<Row> | AsyncIterable<Row>): Promise<AddedRows> {
    const changed: string[] = [];
    for await (const { existing } of this.#batches(rows)) {
      for (const { key } of existing) if (changed.length < maxKeys) changed.push(key);
    }
    return { ...this.#result, changed };
  }

  async replace(rows: Iterable<Row> | AsyncIterable<Row>): Promise<ReplacedRows> {
    let replaced = 0;
    const ignored: string[] = [];
    for await (const { existing, stored } of this.#batches(rows)) {
      for (const row of existing) {
        const before = stored.get(rowJobId(row.key)) as RowJob<unknown>;
        if (await this.#replace(row, before)) replaced++;
        else if (ignored.length < maxKeys) ignored.push(row.key);
      }
    }
    return { ...this.#result, replaced, ignored };
  }

  async #replace(row: RowJob<Row>, before: RowJob<unknown>): Promise<boolean> {
    if (before.entry?.state === 'done') return false;
    const { key } = row;
    // The entry stays, because the row's record may exist.
    const data = { ...row, entry: before.entry };
    const { is } = await this.#store.write({ jobId: rowJobId(key), key, data, unlessActive: true });
    if (is !== 'written') return false;
    await retryJob(requireOpen(this.#queue), this.#store, data);
    return true;
  }

  /**
   * Adds the rows that aren't in the queue, in batches.
   *
   * @returns for each batch, the rows whose content differs from the row in the queue, and the stored rows
   */
  async *#batches(rows: Iterable<Row> | AsyncIterable<Row>) {
    const { key: keyOf, batchSize = 1000, signal, onProgress } = this.#options;
    const result = this.#result;
    const seen = new DigestTable();
    let batch: RowJob<Row>[] = [];
    for await (const row of rows) {
      if (signal?.aborted) break;
      const key = keyOf(row, result.read);
      if (typeof key !== 'string' || key === '') {
        throw new TypeError(`the key of row ${result.read} must be a non-empty string`);
      }
      result.read++;
      const digest = fingerprintOf(row);
      const fingerprint = Number.parseInt(digest, 16);
      const before = seen.get(key);
      if (before === undefined) {
        seen.set(key, fingerprint);
        batch.push({ key, row, digest });
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
        added.map((data) => ({
          name: data.key.slice(0, 100),
          data,
          opts: { ...jobOptions, jobId: rowJobId(data.key) },
        })) as never,
      );
    }
    const existing = batch.filter(({ key, digest }) => {
      const before = stored.get(rowJobId(key));
      return before && before.digest !== digest;
    });
    this.#result.added += added.length;
    this.#result.unchanged += batch.length - added.length - existing.length;
    return { existing, stored };
  }
}

const maxKeys = 1000;

/** Rejects if the queue is closed before or during a call, which might never finish. */
async function* untilClosed<Item>(
  items: AsyncGenerator<Item, void, undefined>,
  closing: AbortSignal,
): AsyncGenerator<Item, void, undefined> {
  for (;;) {
    const next = await race(items.next(), closing);
    if (next.done) return;
    yield next.value;
  }
}

async function* deadLetters<Row>(
  queue: Queue<RowJob<Row>>,
): AsyncGenerator<UnresolvedRow<Row>, void, undefined> {
  // Fetches all jobs first, because retrying rows while listing them would shift the pages.
  const jobs = await requireOpen(queue).getJobs(['failed'], 0, -1, true);
  for (const { data, failedReason } of jobs) {
    const { key, row, entry } = data;
    yield { ...(entry ?? { key, state: 'failed', error: { message: failedReason } }), row };
  }
}
