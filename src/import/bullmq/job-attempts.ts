import type { Job, Queue } from 'bullmq';
import type { Backend } from '../../bullmq/connection.js';
import { describeThrown } from '../../shared/describe-thrown.js';
import type { Attempt, Retry, RowResult } from '../attempt.js';
import { failRow } from '../ledger.js';
import { type RowError, rowError } from '../ledger-entry.js';
import type { AttemptOptions } from '../options.js';
import type { PreparedRow } from '../row.js';
import type { BullmqLedger } from './bullmq-ledger.js';
import type { RowJob } from './row-job.js';
import { backoffOf, type WorkerRequests, type WorkerSettings } from './worker-requests.js';

export interface ProcessorOptions<Row> extends Pick<AttemptOptions<Row>, 'target'> {
  onFatal: ((error: unknown) => unknown) | undefined;
  settings: WorkerSettings;
  requests: WorkerRequests;
  bullmq: Pick<Backend['bullmq'], 'DelayedError' | 'UnrecoverableError' | 'WaitingError'>;
  queue: Pick<Queue, 'pause'>;
  ledger: BullmqLedger;
}

/** Makes attempts for a job's row, and has BullMQ schedule the ones that can't be made right away. */
export class JobAttempts<Row> {
  readonly options: ProcessorOptions<Row>;
  readonly job: Job<RowJob<Row>>;
  readonly #requests: WorkerRequests;
  readonly #token: string;

  constructor(options: ProcessorOptions<Row>, job: Job<RowJob<Row>>, token: string) {
    this.options = options;
    this.#requests = options.requests;
    this.job = job;
    this.#token = token;
  }

  /** Makes attempts until there is a result or the row has to leave this worker. */
  async perform(row: PreparedRow<Row>, attempt: Attempt): Promise<RowResult> {
    const context = this.#requests.context();
    for (;;) {
      await this.#requests.untilAvailable();
      const result = await attempt(context);
      if (result.is === 'retry') {
        await this.#retry(row, result);
        continue;
      }
      this.#requests.api.reached();
      if (result.is === 'rate_limited') {
        await this.#requests.pause(result.delay);
      } else if (result.is === 'fatal') {
        await this.#reportFatal(result.error);
        return this.delay(1000);
      } else return result;
    }
  }

  async #reportFatal(error: unknown): Promise<void> {
    const { queue, onFatal } = this.options;
    await queue.pause();
    const report = async () => onFatal?.(error);
    report().catch((cause) => console.error(`worktrack: import: onFatal failed: ${describeThrown(cause)}`));
  }

  async #retry(row: PreparedRow<Row>, { error, inDoubt }: Retry): Promise<void> {
    const { ledger, settings } = this.options;
    const { retry, lookupDelay, maxOutage } = settings;
    const { api } = this.#requests;
    // If the worker is being closed, the attempt may have been aborted, so it doesn't count.
    await this.#requests.wait(0);
    api.failed();
    const now = Date.now();
    const { attempts: before = 0, failingSince = now, failedAfter } = this.job.data;
    // If no request has succeeded since the row's last failure, the API is unavailable. The row then waits
    // until the API is available again, without using up its attempts.
    const counts = api.hasSucceededSince(failedAfter) || before === 0 || now - failingSince >= maxOutage;
    const attempts = counts ? before + 1 : before;
    if (attempts > retry.limit) return this.fail(rowError(error), row);
    await ledger.update({ ...this.job.data, attempts, failingSince, failedAfter: api.successes });
    const backoff = backoffOf(retry, attempts - 1);
    // Don't requeue an in-doubt row, because it would end up behind the rows that are waiting for it.
    if (inDoubt) return this.#requests.wait(Math.max(lookupDelay, backoff));
    await this.leave(row);
    await this.delay(backoff * (0.5 + Math.random() / 2));
  }

  /** Makes the row a dead letter, which can be retried. */
  async fail(error: RowError, row?: PreparedRow<Row>): Promise<never> {
    const { ledger, bullmq } = this.options;
    const { key, entry } = this.job.data;
    if (entry?.state === 'done') await ledger.update({ ...this.job.data, entry: { ...entry, error } });
    else await failRow(ledger, row ?? { key }, error);
    if (row) await this.leave(row);
    throw new bullmq.UnrecoverableError(error.message);
  }

  /**
   * Locks the row's group. If a worker is processing another row in the group, waits briefly, because that's
   * cheaper than requeuing the row.
   */
  async enter({ group, key }: PreparedRow<Row>): Promise<void> {
    if (group === undefined) return;
    for (let attempt = 0; attempt < 20; attempt++) {
      const state = await this.options.ledger.enter(group, key);
      if (state === 'in') return;
      if (state === 'blocked') break;
      await this.#requests.wait(40);
    }
    // On Postgres, BullMQ adds delayed rows to the front of the queue, and the rows of killed workers to the
    // end. If many delayed rows came back every second, workers would never reach the row that the group is
    // waiting for.
    await this.delay(Math.min(30_000, 1000 * 2 ** (this.job.attemptsStarted - 1)));
  }

  async leave({ group, key }: PreparedRow<Row>): Promise<void> {
    if (group !== undefined) await this.options.ledger.leave(group, key);
  }

  async delay(milliseconds: number): Promise<never> {
    await this.job.moveToDelayed(Date.now() + Math.ceil(milliseconds), this.#token);
    throw new this.options.bullmq.DelayedError();
  }
}
