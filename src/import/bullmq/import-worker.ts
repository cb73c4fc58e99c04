import { setTimeout as sleep } from 'node:timers/promises';
import type { Job, Queue, Worker, WorkerOptions } from 'bullmq';
import * as z from 'zod/mini';
import { fn, object, option, positiveInteger } from '../../shared/option-types.js';
import { importRow, type Step, type StepContext } from '../import-row.js';
import { isInDoubt } from '../ledger.js';
import {
  checkImportOptions,
  type ImportSettings,
  type StepOptions,
  stepFields,
  stepSettings,
} from '../options.js';
import { type PreparedRow, prepareRow } from '../prepare-row.js';
import { rowError } from '../row-error.js';
import { BullmqLedger } from './bullmq-ledger.js';
import {
  type Backend,
  connectionFields,
  type ImportConnection,
  openBackend,
  type RowJob,
  requireOneBackend,
} from './connection.js';
import { limiterOf } from './limiter.js';

/** Worker options. */
export interface ImportWorkerOptions<Row> extends ImportConnection, StepOptions<Row> {
  /**
   * The maximum number of requests per minute, shared by all workers. Unlimited by default. Use the same
   * value for all workers of a queue. Lookups for in-doubt rows aren't counted.
   */
  requestsPerMinute?: number | undefined;
  /**
   * The time, in milliseconds, after which another worker takes over an unresponsive worker's rows. Make
   * it longer than any request or process suspension. @defaultValue 60000
   */
  stalledAfter?: number | undefined;
  /** Additional options for BullMQ's worker, for example `metrics`. */
  bullmqOptions?: Partial<Omit<WorkerOptions, 'connection' | 'concurrency' | 'limiter'>> | undefined;
  /**
   * Called after the queue is paused because no row can be created, for example if the credential is
   * rejected.
   */
  onFatal?: ((error: unknown) => void) | undefined;
}

/** An import worker. */
export interface ImportWorker {
  /** BullMQ's worker. Use it to listen to events. */
  readonly bullmq: Worker;
  /** The number of requests this worker has sent. */
  readonly requests: number;
  /** Finishes the rows in progress and then disconnects. */
  close(): Promise<void>;
}

/**
 * Starts a worker. You can run workers in any number of processes on any number of machines. They share the
 * queue, the request budget, and the rate-limit pauses.
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
  const settings = stepSettings(options);
  const { requestsPerMinute, stalledAfter = defaultStalledAfter } = options;
  const limiter = limiterOf(requestsPerMinute);
  const backend = await openBackend(options);
  const rows = await backend.openQueue<RowJob<Row>>(options.name);
  const ledger = await BullmqLedger.open(backend, rows as Queue);
  await ledger.bind(options.target.scope);
  const processor = new RowProcessor(options, settings, backend, rows, ledger);
  const worker = new backend.bullmq.Worker<RowJob<Row>>(
    options.name,
    (job, token) => processor.process(job, token),
    {
      ...backend.options,
      concurrency: settings.concurrency,
      ...(limiter && { limiter }),
      lockDuration: stalledAfter,
      stalledInterval: Math.ceil(stalledAfter / 2),
      // Restarting a row is always safe, because the next worker checks whether the record exists.
      maxStalledCount: 1_000_000,
      ...options.bullmqOptions,
    },
    ...backend.factory,
  );
  worker.on('error', () => {});
  await worker.waitUntilReady();
  return {
    bullmq: worker,
    get requests() {
      return processor.requests;
    },
    async close() {
      await worker.close();
      await ledger.close();
      await rows.close();
    },
  };
}

const defaultStalledAfter = 60_000;

const workerOptions = () =>
  z
    .strictObject({
      ...connectionFields(),
      ...stepFields(),
      requestsPerMinute: positiveInteger(),
      stalledAfter: option(
        'an integer of at least 100',
        (value) => Number.isInteger(value) && (value as number) >= 100,
      ),
      bullmqOptions: object(),
      onFatal: fn(),
    } satisfies Record<keyof ImportWorkerOptions<unknown>, z.ZodMiniType>)
    .check(requireOneBackend);

/** Performs the next step of a job's row and schedules the following step with BullMQ. */
class RowProcessor<Row> {
  requests = 0;
  readonly #options: ImportWorkerOptions<Row>;
  readonly #settings: ImportSettings;
  readonly #bullmq: Backend['bullmq'];
  readonly #queue: Queue<RowJob<Row>>;
  readonly #ledger: BullmqLedger;
  readonly #context: StepContext;

  constructor(
    options: ImportWorkerOptions<Row>,
    settings: ImportSettings,
    { bullmq }: Backend,
    queue: Queue<RowJob<Row>>,
    ledger: BullmqLedger,
  ) {
    this.#options = options;
    this.#settings = settings;
    this.#bullmq = bullmq;
    this.#queue = queue;
    this.#ledger = ledger;
    this.#context = {
      ledger,
      signal: new AbortController().signal,
      clock: { since: undefined },
      tolerance: settings.lookupTolerance,
      countRequests: (count) => {
        this.requests += count;
      },
    };
  }

  async process(job: Job<RowJob<Row>>, token: string | undefined): Promise<unknown> {
    const { key, row, entry } = job.data;
    if (entry?.state === 'done') {
      if (entry.group !== undefined) await this.#ledger.leave(entry.group, key);
      return { recordId: entry.recordId };
    }
    const renew = () => job.extendLock(token ?? '', this.#options.stalledAfter ?? defaultStalledAfter);
    const release = this.#ledger.cacheJob(job as Job, renew);
    try {
      const prepared = await this.#prepare(key, row as Row);
      const { group } = prepared;
      if (group !== undefined && !(await this.#enter(group, key))) {
        // On Postgres, BullMQ adds delayed rows to the front of the queue and rows from killed workers to the
        // end. If delayed rows returned every second, workers would never reach the row that blocks the
        // group.
        return await this.#delay(job, token, Math.min(30_000, 1000 * 2 ** (job.attemptsStarted - 1)));
      }
      if (job.data.entry?.state === 'started') {
        // The row's worker was killed, and the server may still be processing its request.
        await this.#ledger.put({ ...job.data.entry, state: 'unknown' });
        await sleep(this.#settings.lookupDelay);
      }
      return await this.#conclude(job, token, prepared, await this.#step(job, prepared));
    } finally {
      release();
    }
  }

  /**
   * Looks up an in-doubt row immediately instead of requeuing it. In the queue, it would end up behind other
   * rows in its group, which are waiting for it.
   */
  async #step(job: Job<RowJob<Row>>, prepared: PreparedRow<Row>): Promise<Step> {
    const { retry, lookupDelay } = this.#settings;
    for (;;) {
      const step = await importRow(this.#options.target, prepared, this.#context);
      const attempts = (job.data.attempts ?? 0) + 1;
      if (step.is !== 'again' || !step.inDoubt || attempts >= retry.attempts) return step;
      await job.updateData({ ...job.data, attempts });
      await sleep(Math.max(lookupDelay, Math.min(retry.maxDelay, retry.delay * 2 ** (attempts - 1))));
    }
  }

  async #prepare(key: string, row: Row): Promise<PreparedRow<Row>> {
    try {
      return await prepareRow(this.#options.target, key, row);
    } catch (cause) {
      const error = rowError(cause);
      await this.#ledger.put({ key, state: 'failed', error });
      throw new this.#bullmq.UnrecoverableError(error.message);
    }
  }

  /**
   * Waits briefly while a worker processes another row in the group. This is cheaper than requeuing the row.
   */
  async #enter(group: string, key: string): Promise<boolean> {
    for (let attempt = 0; attempt < 20; attempt++) {
      const result = await this.#ledger.enter(group, key);
      if (result !== 'busy') return result === 'in';
      await new Promise((resolve) => setTimeout(resolve, 25 + 25 * Math.random()));
    }
    return false;
  }

  async #conclude(
    job: Job<RowJob<Row>>,
    token: string | undefined,
    { key, group, fingerprint }: PreparedRow<Row>,
    step: Step,
  ): Promise<unknown> {
    const { retry } = this.#settings;
    const leave = async () => {
      if (group !== undefined) await this.#ledger.leave(group, key);
    };
    switch (step.is) {
      case 'created':
      case 'recovered':
        await leave();
        return { recordId: step.recordId };
      case 'failed':
      case 'unknown':
        await leave();
        throw new this.#bullmq.UnrecoverableError(step.entry.error?.message ?? step.is);
      case 'fatal':
        await this.#queue.pause();
        this.#options.onFatal?.(step.error);
        return this.#delay(job, token, 1000);
      case 'paused':
        if (!isInDoubt(job.data.entry)) await leave();
        await this.#queue.rateLimit(step.delay ?? retry.delay);
        throw this.#bullmq.Worker.RateLimitError();
      default: {
        const attempts = (job.data.attempts ?? 0) + 1;
        if (attempts < retry.attempts) {
          await job.updateData({ ...job.data, attempts });
          const backoff =
            Math.min(retry.maxDelay, retry.delay * 2 ** (attempts - 1)) * (0.5 + Math.random() / 2);
          await leave();
          return this.#delay(job, token, backoff);
        }
        const error = rowError(step.error);
        const state = isInDoubt(job.data.entry) ? 'unknown' : 'failed';
        await this.#ledger.put({ ...job.data.entry, key, group, fingerprint, state, error });
        await leave();
        throw new this.#bullmq.UnrecoverableError(error.message);
      }
    }
  }

  async #delay(job: Job<RowJob<Row>>, token: string | undefined, delay: number): Promise<never> {
    await job.moveToDelayed(Date.now() + Math.ceil(delay), token);
    throw new this.#bullmq.DelayedError();
  }
}
