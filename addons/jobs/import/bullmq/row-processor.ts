import { isDeepStrictEqual } from 'node:util';
import type { Job, Queue } from 'bullmq';
import { unlessMissing } from '../../../../src/errors/expected-errors.js';
import { WorktrackError } from '../../../../src/errors/index.js';
import { listenerCaller } from '../../../../src/shared/call-listener.js';
import type { Backend } from '../../bullmq/connection.js';
import { type Attempt, type Retry, type RowResult, retryOrStop } from '../attempt.js';
import { forSync, importRow, searchAgain } from '../import-row.js';
import { Interrupted } from '../import-stop.js';
import { failRow } from '../ledger.js';
import { isInDoubt, type LedgerEntry, type RowError, rowError } from '../ledger-entry.js';
import type { AttemptOptions } from '../options.js';
import { type PreparedRow, prepareRow, rowWithoutPayload } from '../row.js';
import type { FieldValues } from '../sync/fields.js';
import { problemOf } from '../sync/operation.js';
import { syncAttempts, type UpdatableTarget } from '../sync/sync-row.js';
import type { LinkedEntry } from '../sync/task.js';
import type { RequestContext } from '../target.js';
import { type BullmqLedger, GroupBusyError } from './bullmq-ledger.js';
import { type RowJob, type RowSync, syncedJob } from './row-job.js';
import { backoffOf, type WorkerRequests, type WorkerSettings } from './worker-requests.js';

/** What the rows of a worker share. */
interface ProcessorOptions<Row> extends Pick<AttemptOptions<Row>, 'target'> {
  onFatal: ((error: unknown) => unknown) | undefined;
  settings: WorkerSettings;
  requests: WorkerRequests;
  bullmq: Pick<Backend['bullmq'], 'DelayedError' | 'UnrecoverableError' | 'WaitingError'>;
  queue: Pick<Queue, 'pause'>;
  ledger: BullmqLedger;
}

/** Imports or syncs the row of a job, and returns the job's result. Each write updates the job's data. */
export async function processRow<Row>(
  options: ProcessorOptions<Row>,
  job: Job<RowJob<Row>>,
  token: string,
): Promise<unknown> {
  const { bullmq, ledger, requests, settings } = options;
  const { key, row: original, sync, entry } = job.data;
  if (typeof key !== 'string') throw new bullmq.UnrecoverableError("the job wasn't added by queue.add()");
  const isDone = entry?.state === 'done' && !sync;
  if (isDone && original === undefined) return { recordId: entry.recordId };
  const processor = new RowProcessor(options, job, token);
  // If this process was suspended, it may have lost the job's lock without noticing.
  if (ledger.held.get(key)) return processor.delay(1000);
  const onPause = (milliseconds: number) => requests.resumeAfter(milliseconds);
  const release = ledger.held.hold({ job: job as Job, token, lockDuration: settings.stalledAfter, onPause });
  try {
    return await (isDone ? processor.searchOnceMore(entry) : processor.importAndSync());
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    await job.moveToWait(token);
    throw new bullmq.WaitingError();
  } finally {
    release();
  }
}

/** Processes a job's row. If an attempt has to wait, has BullMQ schedule it. */
class RowProcessor<Row> {
  readonly #options: ProcessorOptions<Row>;
  readonly #job: Job<RowJob<Row>>;
  readonly #token: string;
  readonly #ledger: BullmqLedger;
  readonly #requests: WorkerRequests;

  constructor(options: ProcessorOptions<Row>, job: Job<RowJob<Row>>, token: string) {
    this.#options = options;
    this.#ledger = options.ledger;
    this.#requests = options.requests;
    this.#job = job;
    this.#token = token;
  }

  /** Creates a record for the row if it has none, and syncs the record. */
  async importAndSync(): Promise<{ recordId: string }> {
    const { target, settings } = this.#options;
    const { key, row: original, sync, entry } = this.#job.data;
    const row = sync?.remove
      ? rowWithoutPayload(key, undefined as Row, entry?.fingerprint)
      : await this.#requests.race(prepareRow(target, key, original as Row)).catch((error) => {
          if (error instanceof Interrupted) throw error;
          return this.#fail(rowError(error));
        });
    for (;;) {
      const isNew = this.#job.data.entry?.state !== 'done';
      if (isNew) await this.#createRecord(row);
      const { recordId } = this.#job.data.entry as LinkedEntry;
      if (sync && (await this.#syncRecord(row, sync, isNew)) === 'deleted') continue;
      // If the row was re-created, it stays in the queue for one more search, because the record of its first
      // attempt may not be searchable yet.
      if (this.#job.data.row !== undefined) await this.delay(settings.lastSearchDelay);
      return { recordId };
    }
  }

  async #createRecord(row: PreparedRow<Row>): Promise<void> {
    const { bullmq, settings, target } = this.#options;
    const { entry, sync } = this.#job.data;
    if (isInDoubt(entry)) {
      await this.#enterGroup(row);
      // A worker was killed while processing this row, and the server may still be handling the worker's
      // request.
      if (entry.state === 'started') await this.#ledger.put({ ...entry, state: 'unknown' });
      await this.#requests.wait(settings.lookupDelay);
    }
    const create: Attempt = (context) =>
      importRow(sync ? forSync(target) : target, row, context).catch(async (error) => {
        if (!(error instanceof GroupBusyError)) throw error;
        await this.#enterGroup(row);
        await this.#requests.untilAvailable();
        return create(context);
      });
    const result = await this.#perform(row, create);
    if (result.is !== 'failed' && result.is !== 'unknown') return;
    await this.#leaveGroup(row);
    throw new bullmq.UnrecoverableError(result.entry.error?.message ?? result.is);
  }

  /**
   * Updates or removes the record of a row. If the record was just created, sets the fields that a create
   * request can't set.
   *
   * @returns `deleted` if the record was deleted and must be created again
   */
  async #syncRecord(row: PreparedRow<Row>, sync: RowSync, isNew: boolean): Promise<'synced' | 'deleted'> {
    const target = this.#options.target as UpdatableTarget<Row>;
    const { updates } = target;
    if (!isNew || (updates && !isDeepStrictEqual(updates.forCreate(row.payload), row.payload))) {
      if (!updates) return this.#fail({ message: 'the target has no "updates"' });
      const options = {
        policy: { ...sync, onMissing: sync.remove },
        read: (recordId: string, request: RequestContext) => unlessMissing(updates.get(recordId, request)),
      };
      const result = await this.#perform(row, async (context) => {
        const entry = this.#job.data.entry as LinkedEntry;
        let values: FieldValues | undefined;
        try {
          if (!sync.remove) values = await updates.valuesOf(row.payload, context);
        } catch (error) {
          if (error instanceof WorktrackError || error instanceof Interrupted)
            return retryOrStop(error, target);
          return this.#fail(rowError(error));
        }
        return syncAttempts(target, { row, values, entry }, options)(context);
      });
      if (result.is === 'failed') return this.#fail(result.entry.error as RowError);
      const { operation } = result as Extract<RowResult, { is: 'synced' }>;
      if (operation.type === 'recreate') {
        // The row counts as new because its record was deleted.
        const { key, row: original, digest } = this.#job.data;
        await this.#ledger.update({ key, row: original, digest, sync, entry: { key, state: 'pending' } });
        return 'deleted';
      }
      const problem = problemOf(operation);
      if (problem) return this.#fail(problem);
    }
    await this.#ledger.update(syncedJob(this.#job.data));
    return 'synced';
  }

  /** Searches once more for a row's first record after the record was created again. */
  async searchOnceMore(entry: LedgerEntry) {
    const { key, row: original, digest } = this.#job.data;
    const { target } = this.#options;
    // Skip the search if the row can no longer be converted. The row is done anyway.
    const row = await this.#requests.race(prepareRow(target, key, original as Row).catch(() => undefined));
    const result = row && (await this.#perform(row, (context) => searchAgain(target, row, entry, context)));
    const duplicates = result?.is === 'searched' ? result.candidates : [];
    await this.#ledger.update({ key, digest, entry: { ...entry, candidates: duplicates } });
    return { recordId: entry.recordId, duplicates };
  }

  /** Retries the attempt until there is a result or the worker has to release the row. */
  async #perform(row: PreparedRow<Row>, attempt: Attempt): Promise<RowResult> {
    const { queue, onFatal } = this.#options;
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
        await queue.pause();
        listenerCaller('import')('onFatal', () => onFatal?.(result.error));
        return this.delay(1000);
      } else return result;
    }
  }

  async #retry(row: PreparedRow<Row>, { error, inDoubt }: Retry): Promise<void> {
    const { retry, lookupDelay, maxOutage } = this.#options.settings;
    const { api } = this.#requests;
    // If the worker is being closed, the attempt may have been aborted, so it doesn't count.
    await this.#requests.wait(0);
    api.failed();
    const now = Date.now();
    const { attempts: before = 0, failingSince = now, failedAfter } = this.#job.data;
    // If no request has succeeded since the row's last failure, the API is unavailable. The row then waits
    // until the API is available again, without using up its attempts.
    const counts = api.hasSucceededSince(failedAfter) || before === 0 || now - failingSince >= maxOutage;
    const attempts = counts ? before + 1 : before;
    if (attempts > retry.limit) return this.#fail(rowError(error), row);
    await this.#ledger.update({ ...this.#job.data, attempts, failingSince, failedAfter: api.successes });
    const backoff = backoffOf(retry, attempts - 1);
    // Don't requeue an in-doubt row, because it would end up behind the rows that are waiting for it.
    if (inDoubt) return this.#requests.wait(Math.max(lookupDelay, backoff));
    await this.#leaveGroup(row);
    await this.delay(backoff * (0.5 + Math.random() / 2));
  }

  /** Makes the row a dead letter, which can be retried. */
  async #fail(error: RowError, row?: PreparedRow<Row>): Promise<never> {
    const { key, entry } = this.#job.data;
    if (entry?.state === 'done') await this.#ledger.update({ ...this.#job.data, entry: { ...entry, error } });
    else await failRow(this.#ledger, row ?? { key }, error);
    if (row) await this.#leaveGroup(row);
    throw new this.#options.bullmq.UnrecoverableError(error.message);
  }

  /**
   * Locks the row's group. If a worker is processing another row in the group, waits briefly, because that's
   * cheaper than requeuing the row.
   */
  async #enterGroup({ group, key }: PreparedRow<Row>): Promise<void> {
    if (group === undefined) return;
    for (let attempt = 0; attempt < 20; attempt++) {
      const state = await this.#ledger.enter(group, key);
      if (state === 'in') return;
      if (state === 'blocked') break;
      await this.#requests.wait(40);
    }
    // On Postgres, BullMQ adds delayed rows to the front of the queue, and the rows of killed workers to the
    // end. If many delayed rows came back every second, workers would never reach the row that the group is
    // waiting for.
    await this.delay(Math.min(30_000, 1000 * 2 ** (this.#job.attemptsStarted - 1)));
  }

  async #leaveGroup({ group, key }: PreparedRow<Row>): Promise<void> {
    if (group !== undefined) await this.#ledger.leave(group, key);
  }

  async delay(milliseconds: number): Promise<never> {
    await this.#job.moveToDelayed(Date.now() + Math.ceil(milliseconds), this.#token);
    throw new this.#options.bullmq.DelayedError();
  }
}
