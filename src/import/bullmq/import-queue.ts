import type { Job, JobType, Queue } from 'bullmq';
import * as z from 'zod/mini';
import { race } from '../../http/race.js';
import { abortSignal, boolean, fn, positiveInteger, requiredFn } from '../../shared/option-types.js';
import { DigestTable } from '../digest-table.js';
import { type Ledger, LedgerError } from '../ledger.js';
import { checkImportOptions } from '../options.js';
import { fingerprintOf } from '../prepare-row.js';
import type { SettledRow } from '../report.js';
import { BullmqLedger } from './bullmq-ledger.js';
import {
  type Backend,
  connectionFields,
  type ImportConnection,
  openBackend,
  queueClosed,
  type RowJob,
  requireOneBackend,
  requireOpen,
} from './connection.js';
import { rowJobId } from './job-id.js';

/** Options for adding rows. */
export interface AddRowsOptions<Row> {
  /**
   * Returns the row's key, which must be unique in the import. Rows whose key is already in the queue are
   * ignored.
   */
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

/** The result of adding rows. */
export interface AddedRows {
  read: number;
  /**
   * The number of rows with the same key and content as an earlier row. Rows added by an earlier run aren't
   * counted.
   */
  duplicates: number;
  /** The first 1,000 keys reused with different content. Those rows weren't added. */
  conflicts: string[];
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
  counts(): Promise<ImportCounts>;
  /** Iterates over the rows that failed or are in doubt, with their errors and candidates. */
  deadLetters(): AsyncIterable<SettledRow<Row>>;
  /**
   * Retries dead letters. For in-doubt rows, the record is looked up first.
   *
   * @param select a filter for the rows to retry (all by default)
   * @returns the number of rows that will be retried
   */
  retry(select?: (row: SettledRow<Row>) => boolean): Promise<number>;
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
    const ledger = await BullmqLedger.open(backend, bullmq as Queue);
    return importQueue(backend, bullmq, ledger);
  });
}

function importQueue<Row>(
  backend: Backend,
  bullmq: Queue<RowJob<Row>>,
  ledger: BullmqLedger,
): ImportQueue<Row> {
  const closing = new AbortController();
  /** Rejects if the queue is closed before or during the call. On Postgres, the call might never finish. */
  const whileOpen = async <Result>(call: (rows: Queue<RowJob<Row>>) => Promise<Result>) =>
    race(call(requireOpen(bullmq)), closing.signal);
  return {
    bullmq,
    ledger,
    add: (newRows, options) => whileOpen((rows) => addRows(rows, newRows, options)),
    counts: () =>
      whileOpen(async (rows) => {
        const counts = await rows.getJobCounts(...countedTypes);
        const { waiting = 0, paused = 0, active = 0, delayed = 0, completed = 0, failed = 0 } = counts;
        // If the queue is paused, BullMQ on Postgres counts waiting rows as paused.
        return { waiting: waiting + paused, active, delayed, done: completed, failed };
      }),
    deadLetters: () => deadLetters(requireOpen(bullmq)),
    retry: (select = () => true) =>
      whileOpen(async (rows) => {
        let retried = 0;
        for await (const row of deadLetters(rows)) {
          if (!select(row)) continue;
          const job = await requireOpen(rows).getJob(rowJobId(row.key));
          if (job && (await retryJob(backend, job))) retried++;
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
        await ledger.deleteNotes();
      }),
    close() {
      closing.abort(queueClosed(bullmq));
      return backend.closeQueues();
    },
  };
}

/** @returns false if another call has already retried the job */
async function retryJob<Row>({ bullmq }: Backend, job: Job<RowJob<Row>>): Promise<boolean> {
  // If a worker is already processing the job, its changes must not be overwritten.
  if (!(await job.isFailed())) return false;
  await job.updateData({ ...job.data, attempts: 0 });
  try {
    await job.retry('failed');
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === bullmq.ErrorCode.JobNotInState) return false;
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

async function addRows<Row>(
  queue: Queue<RowJob<Row>>,
  rows: Iterable<Row> | AsyncIterable<Row>,
  options: AddRowsOptions<Row>,
): Promise<AddedRows> {
  checkImportOptions(addRowsOptions(), options);
  const { key: keyOf, batchSize = 1000, signal, onProgress } = options;
  const seen = new DigestTable();
  const added: AddedRows = { read: 0, duplicates: 0, conflicts: [] };
  let batch: Parameters<Queue['addBulk']>[0] = [];
  const send = async () => {
    await requireOpen(queue).addBulk(batch as never);
    batch = [];
    onProgress?.(added.read);
  };
  for await (const row of rows) {
    if (signal?.aborted) break;
    const key = keyOf(row, added.read);
    if (typeof key !== 'string' || key === '') {
      throw new TypeError(`the key of row ${added.read} must be a non-empty string`);
    }
    added.read++;
    const fingerprint = Number.parseInt(fingerprintOf(row), 16);
    const before = seen.get(key);
    if (before === undefined) {
      seen.set(key, fingerprint);
      batch.push({
        name: key.slice(0, 100),
        data: { key, row },
        opts: { ...jobOptions, jobId: rowJobId(key) },
      });
      if (batch.length >= batchSize) await send();
    } else if (before === fingerprint) added.duplicates++;
    else if (added.conflicts.length < 1000) added.conflicts.push(key);
  }
  if (batch.length > 0) await send();
  return added;
}

async function* deadLetters<Row>(
  queue: Queue<RowJob<Row>>,
): AsyncGenerator<SettledRow<Row>, void, undefined> {
  // Fetches all jobs first, because retrying rows while listing them would shift the pages.
  const jobs = await requireOpen(queue).getJobs(['failed'], 0, -1, true);
  for (const { data, failedReason } of jobs) {
    const { key, row, entry } = data;
    yield { ...(entry ?? { key, state: 'failed', error: { message: failedReason } }), row };
  }
}
