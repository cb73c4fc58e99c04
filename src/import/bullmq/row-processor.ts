import type { Job, Queue } from 'bullmq';
import { importRow, type Step, type StepContext } from '../import-row.js';
import { isInDoubt } from '../ledger.js';
import type { ImportSettings, StepOptions } from '../options.js';
import { conversionFailure, type PreparedRow, prepareRow } from '../prepare-row.js';
import { rowError } from '../row-error.js';
import type { BullmqLedger } from './bullmq-ledger.js';
import type { Backend, RowJob } from './connection.js';

interface RowProcessorOptions<Row> extends Pick<StepOptions<Row>, 'target'> {
  onFatal: ((error: unknown) => void) | undefined;
  settings: ImportSettings;
  /** In milliseconds. */
  stalledAfter: number;
  bullmq: Backend['bullmq'];
  queue: Queue<RowJob<Row>>;
  ledger: BullmqLedger;
}

/** Performs the next step of a job's row and schedules the following step with BullMQ. */
export class RowProcessor<Row> {
  /** The number of requests sent. */
  requests = 0;
  readonly #options: RowProcessorOptions<Row>;
  readonly #context: StepContext;

  constructor(options: RowProcessorOptions<Row>) {
    const { settings, ledger } = options;
    this.#options = options;
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
    const { key, entry } = job.data;
    if (entry?.state === 'done') {
      if (entry.group !== undefined) await this.#options.ledger.leave(entry.group, key);
      return { recordId: entry.recordId };
    }
    const renew = () => job.extendLock(token as string, this.#options.stalledAfter);
    const release = this.#options.ledger.cacheJob(job as Job, renew);
    try {
      const prepared = await this.#prepare(job.data);
      const { group } = prepared;
      if (group !== undefined && !(await this.#enter(group, key))) {
        // On Postgres, BullMQ adds delayed rows to the front of the queue and rows from killed workers to the
        // end. If delayed rows returned every second, workers would never reach the row that blocks the
        // group.
        return await this.#delay(job, token, Math.min(30_000, 1000 * 2 ** (job.attemptsStarted - 1)));
      }
      if (job.data.entry?.state === 'started') {
        // The row's worker was killed, and the server may still be processing its request.
        await this.#options.ledger.put({ ...job.data.entry, state: 'unknown' });
        await sleep(this.#options.settings.lookupDelay);
      }
      return await this.#conclude(job, token, prepared, await this.#step(job, prepared));
    } finally {
      release();
    }
  }

  /**
   * Looks up an in-doubt row's record immediately instead of requeuing the row. A requeued row would end up
   * behind the rows in its group that are waiting for it.
   */
  async #step(job: Job<RowJob<Row>>, prepared: PreparedRow<Row>): Promise<Step> {
    const { retry, lookupDelay } = this.#options.settings;
    for (;;) {
      const step = await importRow(this.#options.target, prepared, this.#context);
      const attempts = (job.data.attempts ?? 0) + 1;
      if (step.is !== 'retry' || !step.inDoubt || attempts >= retry.attempts) return step;
      await job.updateData({ ...job.data, attempts });
      await sleep(Math.max(lookupDelay, Math.min(retry.maxDelay, retry.delay * 2 ** (attempts - 1))));
    }
  }

  async #prepare({ key, row, entry }: RowJob<Row>): Promise<PreparedRow<Row>> {
    try {
      return await prepareRow(this.#options.target, key, row as Row);
    } catch (cause) {
      const failed = conversionFailure(key, entry, cause);
      await this.#options.ledger.put(failed);
      throw new this.#options.bullmq.UnrecoverableError(failed.error.message);
    }
  }

  /**
   * Waits briefly while a worker processes another row in the group. This is cheaper than requeuing the row.
   */
  async #enter(group: string, key: string): Promise<boolean> {
    for (let attempt = 0; attempt < 20; attempt++) {
      const result = await this.#options.ledger.enter(group, key);
      if (result !== 'busy') return result === 'in';
      await sleep(40);
    }
    return false;
  }

  async #conclude(
    job: Job<RowJob<Row>>,
    token: string | undefined,
    { key, group, fingerprint }: PreparedRow<Row>,
    step: Step,
  ): Promise<unknown> {
    const { retry } = this.#options.settings;
    const leave = async () => {
      if (group !== undefined) await this.#options.ledger.leave(group, key);
    };
    switch (step.is) {
      case 'created':
      case 'recovered':
        await leave();
        return { recordId: step.recordId };
      case 'failed':
      case 'unknown':
        await leave();
        throw new this.#options.bullmq.UnrecoverableError(step.entry.error?.message ?? step.is);
      case 'fatal':
        await this.#options.queue.pause();
        this.#options.onFatal?.(step.error);
        return this.#delay(job, token, 1000);
      case 'paused':
        if (!isInDoubt(job.data.entry)) await leave();
        // BullMQ rejects 0 and fractions.
        await this.#options.queue.rateLimit(Math.max(1, Math.ceil(step.delay ?? retry.delay)));
        throw this.#options.bullmq.Worker.RateLimitError();
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
        await this.#options.ledger.put({ ...job.data.entry, key, group, fingerprint, state, error });
        await leave();
        throw new this.#options.bullmq.UnrecoverableError(error.message);
      }
    }
  }

  async #delay(job: Job<RowJob<Row>>, token: string | undefined, delay: number): Promise<never> {
    await job.moveToDelayed(Date.now() + Math.ceil(delay), token);
    throw new this.#options.bullmq.DelayedError();
  }
}

const sleep = (milliseconds: number) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, milliseconds);
  });
