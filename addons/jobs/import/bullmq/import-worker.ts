import type { Queue, Worker, WorkerOptions } from 'bullmq';
import * as z from 'zod/mini';
import { fn, nonNegativeInteger, positiveInteger } from '../../../../src/option-schema.js';
import {
  type Backend,
  connectionFields,
  openBackend,
  optionsWithout,
  requireOneBackend,
  stalledAfterField,
} from '../../bullmq/connection.js';
import { type AttemptOptions, attemptFields, attemptSettings, checkImportOptions } from '../options.js';
import { BullmqLedger, openStore } from './bullmq-ledger.js';
import type { RowJob } from './row-job.js';
import { processRow } from './row-processor.js';
import type { ImportConnection } from './store.js';
import { WorkerRequests } from './worker-requests.js';

/**
 * BullMQ worker options that are set from the import's own options, or that would delete ledger entries or
 * release row locks.
 */
const reservedOptions = [
  'connection',
  'prefix',
  'concurrency',
  'limiter',
  'lockDuration',
  'lockRenewTime',
  'stalledInterval',
  'maxStalledCount',
  'maxStartedAttempts',
  'removeOnComplete',
  'removeOnFail',
  'skipLockRenewal',
  'skipStalledCheck',
] as const;
type ReservedOption = (typeof reservedOptions)[number];

/** Options for {@link createImportWorker}. */
export interface ImportWorkerOptions<Row> extends ImportConnection, AttemptOptions<Row> {
  /**
   * The maximum number of requests per minute, shared by all workers. Unlimited by default. Use the same
   * value for all workers of a queue.
   */
  requestsPerMinute?: number | undefined;
  /**
   * How long a worker can be unresponsive before another worker takes over its rows, in milliseconds. Must
   * exceed both the duration of any request and the longest time that a process could be suspended.
   * @defaultValue 60000
   */
  stalledAfter?: number | undefined;
  /**
   * How long a row can keep failing while the API is unavailable before its failures count toward
   * `retry.limit`, in milliseconds. After that time, they count, and a row that has no retries left becomes a
   * dead letter. A row also becomes a dead letter if all of its attempts fail while other rows succeed.
   * @defaultValue 3600000
   */
  maxOutage?: number | undefined;
  /** Additional options for BullMQ's worker, for example `metrics`. */
  bullmqOptions?: Partial<Omit<WorkerOptions, ReservedOption>> | undefined;
  /**
   * Called when the queue has been paused because of an error that affects every row, such as a rejected
   * credential. If it fails, its error is printed to the console.
   */
  onFatal?: ((error: unknown) => unknown) | undefined;
}

/** An import worker. */
export interface ImportWorker {
  /** BullMQ's worker. Use it to listen for events. */
  readonly bullmq: Worker;
  /** The number of requests this worker has sent. */
  readonly requests: number;
  /**
   * Gives in-flight requests up to five seconds to finish, and then disconnects. Rows that are waiting, for
   * example to be retried, return to the queue.
   */
  close(): Promise<void>;
}

/**
 * Starts a worker. You can run workers in any number of processes on any number of machines. They share the
 * queue, `requestsPerMinute`, and the rate-limit pauses.
 *
 * @throws ConfigurationError if `bullmq`, `ioredis`, or `pg` isn't installed, or an option is invalid
 * @throws LedgerError if the queue belongs to another import
 *
 * @example
 * ```ts
 * const worker = await createImportWorker({
 *   name: 'tickets',
 *   redis: 'redis://127.0.0.1:6379',
 *   requestsPerMinute: 600,
 *   target: ticketTarget({ client, project, toTicket }),
 * });
 * process.once('SIGTERM', () => worker.close());
 * ```
 */
export async function createImportWorker<Row>(options: ImportWorkerOptions<Row>): Promise<ImportWorker> {
  checkImportOptions(workerOptions(), options);
  const backend = await openBackend(options);
  return backend.closeOnError(() => startWorker(options, backend));
}

async function startWorker<Row>(options: ImportWorkerOptions<Row>, backend: Backend): Promise<ImportWorker> {
  const { target, onFatal, requestsPerMinute, stalledAfter = 60_000, maxOutage = 3_600_000 } = options;
  const settings = { ...attemptSettings(options), requestsPerMinute, stalledAfter, maxOutage };
  const rows = await backend.openQueue<RowJob<Row>>(options.name);
  const store = await openStore(rows as Queue);
  const ledger = new BullmqLedger(rows as Queue, store);
  await ledger.bind(target.scope);
  const requests = new WorkerRequests(settings, ledger, store);
  const { bullmq } = backend;
  const processing = { target, onFatal, settings, requests, bullmq, queue: rows, ledger };
  // A row can safely be restarted any number of times, because the next worker checks whether the record exists.
  const worker = backend.startWorker<RowJob<Row>>(
    options.name,
    (job, token) => processRow(processing, job, token as string),
    stalledAfter,
    { concurrency: settings.concurrency, skipLockRenewal: true, ...options.bullmqOptions },
  );
  const renewal = setInterval(() => ledger.held.renewLocks(), stalledAfter / 4);
  worker.on('closing', () => requests.stop());
  worker.on('closed', () => clearInterval(renewal));
  try {
    await worker.waitUntilReady();
  } catch (error) {
    clearInterval(renewal);
    throw error;
  }
  return {
    bullmq: worker,
    get requests() {
      return requests.count;
    },
    async close() {
      await worker.close();
      requests.close();
      await backend.closeQueues();
    },
  };
}

const workerOptions = () =>
  z
    .strictObject({
      ...connectionFields(),
      ...attemptFields(),
      requestsPerMinute: positiveInteger(),
      stalledAfter: stalledAfterField(),
      maxOutage: nonNegativeInteger(),
      bullmqOptions: optionsWithout(reservedOptions),
      onFatal: fn(),
    } satisfies Record<keyof ImportWorkerOptions<unknown>, z.ZodMiniType>)
    .check(requireOneBackend);
