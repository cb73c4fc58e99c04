import { isDeepStrictEqual } from 'node:util';
import type { Job, Queue } from 'bullmq';
import type { Backend } from '../../bullmq/connection.js';
import { unlessMissing } from '../../errors/expected-errors.js';
import { WorktrackError } from '../../errors/index.js';
import {
  type AttemptContext,
  type AttemptResult,
  type Retry,
  type RowResult,
  retryAfter,
} from '../attempt.js';
import { forSync, importRow, searchAgain } from '../import-row.js';
import { Interrupted } from '../import-stop.js';
import { failRow } from '../ledger.js';
import { isInDoubt, type LedgerEntry, type RowError, rowError } from '../ledger-entry.js';
import type { StepOptions } from '../options.js';
import { type PreparedRow, prepareRow, rowWithoutPayload } from '../row.js';
import type { FieldValues } from '../sync/fields.js';
import { problemOf } from '../sync/operation.js';
import { syncAttempts, type UpdatableTarget } from '../sync/sync-row.js';
import type { LinkedEntry } from '../sync/task.js';
import type { RequestContext } from '../target.js';
import { type BullmqLedger, GroupBusyError } from './bullmq-ledger.js';
import type { HeldJob } from './held-jobs.js';
import { type RowJob, type RowSync, syncedJob } from './store.js';
import { backoffOf, type WorkerRequests, type WorkerSettings } from './worker-requests.js';

interface RowProcessorOptions<Row> extends Pick<StepOptions<Row>, 'target'> {
  onFatal: ((error: unknown) => void) | undefined;
  settings: WorkerSettings;
  requests: WorkerRequests;
  bullmq: Pick<Backend['bullmq'], 'DelayedError' | 'UnrecoverableError' | 'WaitingError'>;
  queue: Pick<Queue, 'pause'>;
  ledger: BullmqLedger;
}

/** Imports a job's row and schedules its next attempt with BullMQ. */
export class RowProcessor<Row> {
  readonly #options: RowProcessorOptions<Row>;
  readonly #requests: WorkerRequests;

  constructor(options: RowProcessorOptions<Row>) {
    this.#options = options;
    this.#requests = options.requests;
  }

  async process(job: Job<RowJob<Row>>, token: string): Promise<unknown> {
    const { bullmq, ledger, settings } = this.#options;
    const { key, row, sync, entry } = job.data;
    if (typeof key !== 'string') throw new bullmq.UnrecoverableError("the job wasn't added by queue.add()");
    if (entry?.state === 'done' && row === undefined && !sync) return { recordId: entry.recordId };
    const onPause = (milliseconds: number) => this.#requests.resumeAfter(milliseconds);
    const held = { job, token, lockDuration: settings.stalledAfter, onPause };
    // If this process was suspended, it may have lost the job's lock without noticing.
    if (ledger.held.get(key)) return this.#delay(held, 1000);
    const release = ledger.held.hold(held as HeldJob<unknown>);
    try {
      if (entry?.state === 'done' && !sync) return await this.#searchAgain(held, entry);
      return await this.#import(held);
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error;
      await job.moveToWait(token);
      throw new bullmq.WaitingError();
    } finally {
      release();
    }
  }

  /** Creates a row's record, if it has none, and syncs it. Each write updates the job's data. */
  async #import(held: HeldJob<Row>): Promise<{ recordId: string }> {
    const { target, settings } = this.#options;
    const { job } = held;
    const { key, row: content, sync, entry } = job.data;
    const row = sync?.remove
      ? rowWithoutPayload(key, undefined as Row, entry?.fingerprint)
      : await prepareRow(target, key, content as Row).catch((error) => this.#fail(held, rowError(error)));
    for (;;) {
      const isNew = job.data.entry?.state !== 'done';
      if (isNew) await this.#create(held, row);
      const { recordId } = job.data.entry as LinkedEntry;
      if (sync && !(await this.#sync(held, row, sync, isNew))) continue;
      // If the row was re-created, it stays in the queue for one more search, because the record of its first
      // attempt may not be searchable yet.
      if (job.data.row !== undefined) await this.#delay(held, settings.lastSearchDelay);
      return { recordId };
    }
  }

  async #create(held: HeldJob<Row>, row: PreparedRow<Row>): Promise<void> {
    const { bullmq, ledger, settings } = this.#options;
    const { entry, sync } = held.job.data;
    if (isInDoubt(entry)) {
      await this.#enter(held, row);
      // A worker was killed while processing this row, and the server may still be handling the worker's
      // request.
      if (entry.state === 'started') await ledger.put({ ...entry, state: 'unknown' });
      await this.#requests.wait(settings.lookupDelay);
    }
    const target = sync ? forSync(this.#options.target) : this.#options.target;
    const create = (context: AttemptContext): Promise<AttemptResult> =>
      importRow(target, row, context).catch(async (error) => {
        if (!(error instanceof GroupBusyError)) throw error;
        await this.#enter(held, row);
        await this.#requests.untilAvailable();
        return create(context);
      });
    const step = await this.#perform(held, row, create);
    if (step.is !== 'failed' && step.is !== 'unknown') return;
    await this.#leave(row);
    throw new bullmq.UnrecoverableError(step.entry.error?.message ?? step.is);
  }

  /**
   * Updates or removes the record of a row. If the record was just created, sets the fields that a create
   * request can't set.
   *
   * @returns false if the record must be re-created
   */
  async #sync(held: HeldJob<Row>, row: PreparedRow<Row>, sync: RowSync, isNew: boolean): Promise<boolean> {
    const { ledger } = this.#options;
    const target = this.#options.target as UpdatableTarget<Row>;
    const { updates } = target;
    if (isNew && (!updates || isDeepStrictEqual(updates.forCreate(row.payload), row.payload))) {
      await ledger.update(syncedJob(held.job.data));
      return true;
    }
    if (!updates) return this.#fail(held, { message: 'the target has no "updates"' });
    const options = {
      policy: { ...sync, onMissing: sync.remove },
      read: (recordId: string, request: RequestContext) => unlessMissing(updates.get(recordId, request)),
    };
    const step = await this.#perform(held, row, async (context) => {
      const entry = held.job.data.entry as LinkedEntry;
      let values: FieldValues | undefined;
      try {
        if (!sync.remove) values = await updates.valuesOf(row.payload, context);
      } catch (error) {
        if (error instanceof WorktrackError || error instanceof Interrupted) return retryAfter(error, target);
        return this.#fail(held, rowError(error));
      }
      return syncAttempts(target, { row, values, entry }, options)(context);
    });
    if (step.is === 'failed') return this.#fail(held, step.entry.error as RowError);
    const { operation } = step as Extract<AttemptResult, { is: 'synced' }>;
    if (operation.type === 'recreate') {
      // The row counts as new because its record was deleted.
      const { key, row: content, digest } = held.job.data;
      await ledger.update({ key, row: content, digest, sync, entry: { key, state: 'pending' } });
      return false;
    }
    const problem = problemOf(operation);
    if (problem) return this.#fail(held, problem);
    await ledger.update(syncedJob(held.job.data));
    return true;
  }

  /** Searches once more for the first record of a row that was re-created. */
  async #searchAgain(held: HeldJob<Row>, entry: LedgerEntry) {
    const { key, row, digest } = held.job.data;
    const { target, ledger } = this.#options;
    // Skip the search if the row can no longer be converted. The row is done anyway.
    const prepared = await prepareRow(target, key, row as Row).catch(() => undefined);
    const search = (context: AttemptContext) =>
      searchAgain(target, prepared as PreparedRow<Row>, entry, context);
    const step = prepared && (await this.#perform(held, prepared, search));
    const duplicates = step?.is === 'searched' ? step.candidates : [];
    await ledger.update({ key, digest, entry: { ...entry, candidates: duplicates } });
    return { recordId: entry.recordId, duplicates };
  }

  /** Performs steps until one is final or the row has to leave this worker. */
  async #perform(
    held: HeldJob<Row>,
    row: PreparedRow<Row>,
    perform: (context: AttemptContext) => Promise<AttemptResult>,
  ): Promise<RowResult> {
    const { queue, onFatal } = this.#options;
    const context = this.#requests.context();
    for (;;) {
      await this.#requests.untilAvailable();
      const step = await perform(context);
      if (step.is === 'retry') {
        await this.#retry(held, row, step);
        continue;
      }
      this.#requests.api.reached();
      if (step.is === 'rate_limited') {
        await this.#requests.pause(step.delay);
      } else if (step.is === 'fatal') {
        await queue.pause();
        onFatal?.(step.error);
        return this.#delay(held, 1000);
      } else return step;
    }
  }

  async #retry(
    held: HeldJob<Row>,
    row: PreparedRow<Row>,
    step: Extract<Retry, { is: 'retry' }>,
  ): Promise<void> {
    const { ledger, settings } = this.#options;
    const { retry, lookupDelay, maxOutage } = settings;
    const { api } = this.#requests;
    api.failed();
    const now = Date.now();
    const { attempts: before = 0, failingSince = now, failedAfter } = held.job.data;
    // If no request has succeeded since the row's last failure, the API is unavailable. The row then waits
    // until the API is available again, without using up its attempts.
    const counts = api.hasSucceededSince(failedAfter) || before === 0 || now - failingSince >= maxOutage;
    const attempts = counts ? before + 1 : before;
    if (attempts > retry.limit) return this.#fail(held, rowError(step.error), row);
    await ledger.update({ ...held.job.data, attempts, failingSince, failedAfter: api.successes });
    const backoff = backoffOf(retry, attempts - 1);
    // Don't requeue an in-doubt row, because it would end up behind the rows that are waiting for it.
    if (step.inDoubt) return this.#requests.wait(Math.max(lookupDelay, backoff));
    await this.#leave(row);
    await this.#delay(held, backoff * (0.5 + Math.random() / 2));
  }

  /** Makes the row a dead letter, which can be retried. */
  async #fail({ job }: HeldJob<Row>, error: RowError, row?: PreparedRow<Row>): Promise<never> {
    const { ledger, bullmq } = this.#options;
    const { key, entry } = job.data;
    if (entry?.state === 'done') await ledger.update({ ...job.data, entry: { ...entry, error } });
    else await failRow(ledger, row ?? { key }, error);
    if (row) await this.#leave(row);
    throw new bullmq.UnrecoverableError(error.message);
  }

  /**
   * Locks the row's group. If a worker is processing another row in the group, waits briefly, because that's
   * cheaper than requeuing the row.
   */
  async #enter(held: HeldJob<Row>, { group, key }: PreparedRow<Row>): Promise<void> {
    if (group === undefined) return;
    for (let attempt = 0; attempt < 20; attempt++) {
      const result = await this.#options.ledger.enter(group, key);
      if (result === 'in') return;
      if (result === 'blocked') break;
      await this.#requests.wait(40);
    }
    // On Postgres, BullMQ adds delayed rows to the front of the queue, and the rows of killed workers to the
    // end. If many delayed rows came back every second, workers would never reach the row that the group is
    // waiting for.
    await this.#delay(held, Math.min(30_000, 1000 * 2 ** (held.job.attemptsStarted - 1)));
  }

  async #leave({ group, key }: PreparedRow<Row>): Promise<void> {
    if (group !== undefined) await this.#options.ledger.leave(group, key);
  }

  async #delay({ job, token }: HeldJob<Row>, delay: number): Promise<never> {
    await job.moveToDelayed(Date.now() + Math.ceil(delay), token);
    throw new this.#options.bullmq.DelayedError();
  }
}
