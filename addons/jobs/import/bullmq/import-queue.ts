import type { JobType, Queue } from 'bullmq';
import * as z from 'zod/mini';
import { boolean } from '../../../../src/option-schema.js';
import { batchesOf } from '../../../shared/lists.js';
import { type Backend, connectionFields, openBackend, requireOneBackend } from '../../bullmq/connection.js';
import { type Ledger, LedgerError } from '../ledger.js';
import { checkImportOptions } from '../options.js';
import type { SuspectedDuplicate, UnresolvedRow } from '../report.js';
import { BullmqLedger, openStore } from './bullmq-ledger.js';
import type { RowJob } from './row-job.js';
import {
  type AddedRows,
  type AddRowsOptions,
  addRows,
  type ReplacedRows,
  replaceRows,
  requeue,
} from './row-reader.js';
import { type ImportConnection, queueClosed, type Store, whileOpen } from './store.js';
import { type SyncedRows, type SyncRowsOptions, syncRows } from './sync-rows.js';

/** Options for deleting an import's queue. */
export interface DeleteQueueOptions {
  /**
   * Whether to delete the queue even if a worker seems to be processing rows. A killed worker can leave the
   * queue in that state.
   *
   * @defaultValue false
   */
  force?: boolean | undefined;
}

/** The number of rows in each state. */
export interface ImportCounts {
  waiting: number;
  active: number;
  /** The number of rows waiting for a retry, a lookup, or another row. */
  delayed: number;
  done: number;
  /** The number of dead letters, which are rows that failed or are in doubt. */
  failed: number;
}

/** An import's queue. */
export interface ImportQueue<Row> {
  /** BullMQ's queue. Use it with Bull Board or for features that this interface doesn't provide. */
  readonly bullmq: Queue<RowJob<Row>>;
  /** The state of each row. Use it to look up record IDs, for example. */
  readonly ledger: Ledger;
  /**
   * Adds rows in batches. You can safely call this again after a crash, because rows that are already in the
   * queue are ignored.
   */
  add(rows: Iterable<Row> | AsyncIterable<Row>, options: AddRowsOptions<Row>): Promise<AddedRows>;
  /**
   * Replaces the content of rows, for example after you've corrected rows that failed. Retries dead letters whose
   * content has changed, and adds rows that aren't in the queue.
   */
  replace(rows: Iterable<Row> | AsyncIterable<Row>, options: AddRowsOptions<Row>): Promise<ReplacedRows>;
  /**
   * Syncs records with rows and waits for the workers to finish. Adds new rows, and has the workers update
   * the records of changed rows. If you set `onMissing`, the workers archive or delete the records of missing
   * rows after they have processed all other rows. By default, rows with conflicts, and changed rows whose
   * records were deleted, become dead letters.
   */
  sync(rows: Iterable<Row> | AsyncIterable<Row>, options: SyncRowsOptions<Row>): Promise<SyncedRows>;
  counts(): Promise<ImportCounts>;
  /** Iterates over the rows that failed or are in doubt, with their errors and candidates. */
  deadLetters(): AsyncIterable<UnresolvedRow<Row>>;
  /**
   * Iterates over the rows that might have two records. These rows were re-created because their first
   * records couldn't be found in time, and a later search found those records.
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
  /** Resumes the workers, for example after a rejected credential paused the queue. */
  resume(): Promise<void>;
  /**
   * Deletes all rows and the ledger. Close the workers first. If you add the same rows later, their records
   * are created again.
   *
   * @throws LedgerError if a worker is processing a row, unless `force` is true; nothing is deleted
   */
  delete(options?: DeleteQueueOptions): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the queue for an import that runs in several processes. Waits until Redis is available.
 *
 * @throws ConfigurationError if `bullmq`, `ioredis`, or `pg` isn't installed, or an option is invalid
 * @throws Error if Postgres isn't available
 * @throws LedgerError if the Postgres schema contains a different table named `worktrack_import`
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
  const rowQueue = { queue: bullmq, store };
  const closing = new AbortController();
  const call = <Result>(method: (rows: Queue<RowJob<Row>>) => Promise<Result>) =>
    whileOpen(bullmq, closing.signal, method);
  async function* deadLetters(): AsyncGenerator<UnresolvedRow<Row>, void, undefined> {
    // Fetch all IDs first, because retrying a row while the jobs are being listed would shift the pages. The
    // jobs themselves might not fit in memory.
    const ids = await call((rows) => rows.getRanges(['failed'], 0, -1, true));
    for (const page of batchesOf(ids, pageSize)) {
      for (const job of await call((rows) => Promise.all(page.map((id) => rows.getJob(id))))) {
        // The row may have been retried after its ID was fetched.
        if (!job || job.returnvalue) continue;
        const { key, row, entry } = job.data;
        yield { ...(entry ?? { key, state: 'failed', error: { message: job.failedReason } }), row };
      }
    }
  }
  return {
    bullmq,
    ledger,
    add: (rows, options) => call(() => addRows(rowQueue, rows, options)),
    replace: (rows, options) => call(() => replaceRows(rowQueue, rows, options)),
    sync: (rows, options) => call(() => syncRows(rowQueue, ledger, rows, options)),
    counts: () =>
      call(async (rows) => {
        const counts = await rows.getJobCounts(...countedTypes);
        const { waiting = 0, paused = 0, active = 0, delayed = 0, completed = 0, failed = 0 } = counts;
        // While the queue is paused, BullMQ on Postgres counts waiting rows as paused.
        return { waiting: waiting + paused, active, delayed, done: completed, failed };
      }),
    deadLetters,
    async *suspectedDuplicates() {
      for await (const { key, recordId, candidates = [] } of ledger.entries('done')) {
        if (recordId !== undefined && candidates.length > 0) yield { key, recordId, candidates };
      }
    },
    retry: (select = () => true) =>
      call(async () => {
        const reset = ({ attempts, failingSince, failedAfter, ...rest }: RowJob<unknown>) => rest;
        let retried = 0;
        for await (const row of deadLetters())
          if (select(row) && (await requeue(rowQueue, row.key, reset)) === 'retried') retried++;
        return retried;
      }),
    pause: () => call((rows) => rows.pause()),
    resume: () => call((rows) => rows.resume()),
    delete: (options = {}) =>
      call(async (rows) => {
        checkImportOptions(deleteOptions(), options);
        const { force = false } = options;
        const wasPaused = await rows.isPaused();
        await rows.pause();
        if (!force && (await rows.getActiveCount()) > 0) {
          if (!wasPaused) await rows.resume();
          throw new LedgerError(
            `the "${rows.name}" queue has active rows; close its workers, or pass { force: true } if they were killed`,
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

// The cast is needed because BullMQ's types don't include `paused`.
const countedTypes = ['waiting', 'paused', 'active', 'delayed', 'completed', 'failed'] as JobType[];

const queueOptions = () => z.strictObject(connectionFields()).check(requireOneBackend);

const deleteOptions = () =>
  z.strictObject({ force: boolean() } satisfies Record<keyof DeleteQueueOptions, z.ZodMiniType>);

const pageSize = 500;
