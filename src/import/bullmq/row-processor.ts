import { isDeepStrictEqual } from 'node:util';
import type { Job, Queue } from 'bullmq';
import type { Backend } from '../../bullmq/connection.js';
import { afterFailedRead, findDuplicates, forSync, importRow, type Step } from '../import-row.js';
import { Interrupted } from '../import-stop.js';
import { type Candidate, isInDoubt, type LedgerEntry, type RowError } from '../ledger.js';
import type { ImportSettings, StepOptions } from '../options.js';
import { conversionFailure, type PreparedRow, prepareRow, rowError, rowWithoutPayload } from '../row.js';
import type { LinkedEntry } from '../sync/operation.js';
import type { UpdatableTarget } from '../sync/sync-row.js';
import { backoffOf } from './availability.js';
import { type BullmqLedger, GroupBusyError } from './bullmq-ledger.js';
import type { HeldJob } from './held-jobs.js';
import { jobSyncSteps, problemOf } from './job-sync.js';
import type { RowJob, RowSync, Store } from './store.js';
import { WorkerRequests } from './worker-requests.js';

interface RowProcessorOptions<Row> extends Pick<StepOptions<Row>, 'target'> {
  onFatal: ((error: unknown) => void) | undefined;
  settings: ImportSettings;
  /** In milliseconds. */
  stalledAfter: number;
  /** In milliseconds. */
  maxOutage: number;
  requestsPerMinute: number | undefined;
  bullmq: Pick<Backend['bullmq'], 'DelayedError' | 'UnrecoverableError' | 'WaitingError'>;
  queue: Pick<Queue, 'pause'>;
  ledger: BullmqLedger;
  store: Pick<Store, 'pause' | 'reserve'>;
}

/** Imports a job's row and schedules its next attempt with BullMQ. */
export class RowProcessor<Row> {
  readonly #options: RowProcessorOptions<Row>;
  readonly #requests: WorkerRequests;

  constructor(options: RowProcessorOptions<Row>) {
    this.#options = options;
    this.#requests = new WorkerRequests(options);
  }

  /** The number of requests sent. */
  get requests(): number {
    return this.#requests.count;
  }

  /**
   * Stops all waits and returns the waiting rows to the queue. In-flight requests get five seconds to finish.
   */
  stop(): void {
    this.#requests.stop();
  }

  /** Frees resources. Call this when no job is being processed. */
  close(): void {
    this.#requests.close();
  }

  async process(job: Job<RowJob<Row>>, token: string): Promise<unknown> {
    const { bullmq, ledger, stalledAfter: lockDuration } = this.#options;
    const { key, entry } = job.data;
    if (typeof key !== 'string') throw new bullmq.UnrecoverableError("the job wasn't added by queue.add()");
    if (entry?.state === 'done' && job.data.row === undefined && !job.data.sync)
      return { recordId: entry.recordId };
    const held = {
      job,
      token,
      lockDuration,
      onPause: (milliseconds: number) => this.#requests.resumeAfter(milliseconds),
    };
    // If this process was suspended, it may have lost the job's lock without noticing.
    if (ledger.held.get(key)) return this.#delay(held, 1000);
    const release = ledger.held.hold(held as HeldJob<unknown>);
    try {
      return await this.#import(held);
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error;
      await job.moveToWait(token);
      throw new bullmq.WaitingError();
    } finally {
      release();
    }
  }

  async #import(held: HeldJob<Row>): Promise<unknown> {
    const { ledger, settings } = this.#options;
    const { job } = held;
    if (job.data.entry?.state === 'done') {
      if (!job.data.sync) return this.#findDuplicates(held, job.data.entry);
      const result = await this.#sync(held, job.data.sync, job.data.entry as LinkedEntry);
      if (result !== 'create') return this.#finish(held, result.recordId);
    }
    const row = await this.#prepare(job.data);
    if (isInDoubt(job.data.entry)) {
      await this.#enter(held, row);
      // A worker was killed while processing this row, and the server may still be handling the worker's
      // request.
      if (job.data.entry.state === 'started') await ledger.put({ ...job.data.entry, state: 'unknown' });
      await this.#requests.wait(settings.lookupDelay);
    }
    const { target } = this.#options;
    const context = this.#requests.context();
    for (;;) {
      await this.#requests.untilAvailable();
      const step = await importRow(job.data.sync ? forSync(target) : target, row, context).catch((error) => {
        if (error instanceof GroupBusyError) return undefined;
        throw error;
      });
      if (!step) await this.#enter(held, row);
      const result = step ? await this.#conclude(held, row, step) : 'again';
      if (result !== 'again') return result;
    }
  }

  /** Updates or removes the record of a row. @returns `create` if the record must be re-created */
  async #sync(
    held: HeldJob<Row>,
    sync: RowSync,
    entry: LinkedEntry,
  ): Promise<{ recordId: string } | 'create'> {
    const { ledger, bullmq } = this.#options;
    const { key, recordId } = entry;
    const fail = async (error: RowError) => {
      await ledger.finishSync(key, error);
      throw new bullmq.UnrecoverableError(error.message);
    };
    const target = this.#options.target as UpdatableTarget<Row>;
    if (!target.updates) return fail({ message: 'the target has no "updates"' });
    const row: PreparedRow<Row> = sync.remove
      ? rowWithoutPayload(key, undefined as never, entry.fingerprint)
      : await this.#prepare(held.job.data);
    const step = jobSyncSteps(target, row, entry, sync);
    const context = this.#requests.context();
    for (;;) {
      await this.#requests.untilAvailable();
      const result = await step(context);
      if (result.is === 'failed') return fail(result.entry.error ?? { message: 'failed' });
      if (result.is !== 'synced') {
        await this.#conclude(held, row, result);
        continue;
      }
      this.#requests.api.reached();
      const { operation } = result;
      if (operation.type === 'recreate') {
        await ledger.startAnew(key);
        return 'create';
      }
      const problem = problemOf(operation);
      if (problem) return fail(problem);
      await ledger.finishSync(key);
      return { recordId };
    }
  }

  /**
   * Finishes the sync of a row whose record was just created, by setting the fields that a create request can't
   * set. Returns whether the record was deleted in the meantime and must be re-created.
   */
  async #mustRecreate(held: HeldJob<Row>, { key, payload }: PreparedRow<Row>): Promise<boolean> {
    const { ledger, target } = this.#options;
    const { sync, entry } = held.job.data;
    if (!sync) return false;
    if (!target.updates || isDeepStrictEqual(target.updates.forCreate(payload), payload)) {
      await ledger.finishSync(key);
      return false;
    }
    return (await this.#sync(held, sync, entry as LinkedEntry)) === 'create';
  }

  /** Searches once more for the first record of a row that was re-created. */
  async #findDuplicates(held: HeldJob<Row>, entry: LedgerEntry) {
    const { key, row } = held.job.data;
    const { target, ledger } = this.#options;
    // Skip the search if the row can no longer be converted. The row is done anyway.
    const prepared = await prepareRow(target, key, row as Row).catch(() => undefined);
    let found: Candidate[] | undefined;
    while (prepared && !found) {
      await this.#requests.untilAvailable();
      try {
        found = await findDuplicates(target, prepared, entry, this.#requests.context());
        this.#requests.api.reached();
      } catch (error) {
        await this.#conclude(held, prepared, afterFailedRead(error, target));
      }
    }
    const duplicates = found ?? [];
    await ledger.setDuplicates(key, duplicates);
    return { recordId: entry.recordId, duplicates };
  }

  async #prepare({ key, row, entry }: RowJob<Row>): Promise<PreparedRow<Row>> {
    try {
      return await prepareRow(this.#options.target, key, row as Row);
    } catch (cause) {
      const failed = conversionFailure(key, entry, cause);
      if (entry?.state === 'done') await this.#options.ledger.finishSync(key, failed.error);
      else await this.#options.ledger.put(failed);
      throw new this.#options.bullmq.UnrecoverableError(failed.error.message);
    }
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
    // end. If many delayed rows came back every second, workers would never reach the row that blocks the
    // group.
    await this.#delay(held, Math.min(30_000, 1000 * 2 ** (held.job.attemptsStarted - 1)));
  }

  /** @returns the job's result, or `again` if the row's next step must follow immediately */
  async #conclude(
    held: HeldJob<Row>,
    row: PreparedRow<Row>,
    step: Step,
  ): Promise<{ recordId: string } | 'again'> {
    const { bullmq, queue, store, settings, onFatal } = this.#options;
    if (step.is !== 'retry') this.#requests.api.reached();
    switch (step.is) {
      case 'created':
      case 'recovered':
        if (await this.#mustRecreate(held, row)) return 'again';
        return this.#finish(held, step.record.id);
      case 'failed':
      case 'unknown':
        await this.#leave(row);
        throw new bullmq.UnrecoverableError(step.entry.error?.message ?? step.is);
      case 'fatal':
        await queue.pause();
        onFatal?.(step.error);
        return this.#delay(held, 1000);
      case 'paused': {
        const delay = Math.max(1, step.delay ?? settings.retry.delay);
        await store.pause(delay);
        await this.#requests.wait(delay);
        return 'again';
      }
      case 'synced':
      case 'stale':
        return 'again';
      default:
        return this.#retry(held, row, step);
    }
  }

  /**
   * Finishes a row that is done. If the row was re-created and not yet searched for once more, it stays in the
   * queue, because the record of its first attempt may not be searchable yet.
   */
  async #finish(held: HeldJob<Row>, recordId: string): Promise<{ recordId: string }> {
    if (held.job.data.row !== undefined) await this.#delay(held, this.#options.settings.lastSearchDelay);
    return { recordId };
  }

  async #retry(
    held: HeldJob<Row>,
    row: PreparedRow<Row>,
    step: Extract<Step, { is: 'retry' }>,
  ): Promise<'again'> {
    const { bullmq, ledger, settings, maxOutage } = this.#options;
    const { retry, lookupDelay } = settings;
    this.#requests.api.failed();
    const now = Date.now();
    const { attempts: before = 0, failingSince = now, failedAfter } = held.job.data;
    // If no request has succeeded since the row's last failure, the API is unavailable. The row then waits
    // for the API without using up its attempts.
    const counts =
      this.#requests.api.hasSucceededSince(failedAfter) || before === 0 || now - failingSince >= maxOutage;
    const attempts = counts ? before + 1 : before;
    if (attempts > retry.limit) {
      const { key, group, fingerprint } = row;
      const { entry } = held.job.data;
      const error = rowError(step.error);
      if (entry?.state === 'done') await ledger.finishSync(key, error);
      else if (isInDoubt(entry)) await ledger.put({ ...entry, state: 'unknown', error });
      else await ledger.put({ key, group, fingerprint, state: 'failed', error });
      await this.#leave(row);
      throw new bullmq.UnrecoverableError(error.message);
    }
    await ledger.setAttempts(row.key, { attempts, failingSince, failedAfter: this.#requests.api.successes });
    const backoff = backoffOf(retry, attempts - 1);
    if (step.inDoubt) {
      // Don't requeue the row, because it would end up behind the rows that are waiting for it.
      await this.#requests.wait(Math.max(lookupDelay, backoff));
      return 'again';
    }
    await this.#leave(row);
    return this.#delay(held, backoff * (0.5 + Math.random() / 2));
  }

  async #leave({ group, key }: PreparedRow<Row>): Promise<void> {
    if (group !== undefined) await this.#options.ledger.leave(group, key);
  }

  async #delay({ job, token }: HeldJob<Row>, delay: number): Promise<never> {
    await job.moveToDelayed(Date.now() + Math.ceil(delay), token);
    throw new this.#options.bullmq.DelayedError();
  }
}
