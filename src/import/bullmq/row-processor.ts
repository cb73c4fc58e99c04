import { isDeepStrictEqual } from 'node:util';
import type { Job } from 'bullmq';
import { unlessMissing } from '../../errors/expected-errors.js';
import { WorktrackError } from '../../errors/index.js';
import { type Attempt, type RowResult, retryOrStop } from '../attempt.js';
import { forSync, importRow, searchAgain } from '../import-row.js';
import { Interrupted } from '../import-stop.js';
import { isInDoubt, type LedgerEntry, type RowError, rowError } from '../ledger-entry.js';
import { type PreparedRow, prepareRow, rowWithoutPayload } from '../row.js';
import type { FieldValues } from '../sync/fields.js';
import { problemOf } from '../sync/operation.js';
import { syncAttempts, type UpdatableTarget } from '../sync/sync-row.js';
import type { LinkedEntry } from '../sync/task.js';
import type { RequestContext } from '../target.js';
import { GroupBusyError } from './bullmq-ledger.js';
import type { HeldJob } from './held-jobs.js';
import { JobAttempts, type ProcessorOptions } from './job-attempts.js';
import { type RowJob, type RowSync, syncedJob } from './row-job.js';

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
  const attempts = new JobAttempts(options, job, token);
  // If this process was suspended, it may have lost the job's lock without noticing.
  if (ledger.held.get(key)) return attempts.delay(1000);
  const onPause = (milliseconds: number) => requests.resumeAfter(milliseconds);
  const held = { job, token, lockDuration: settings.stalledAfter, onPause };
  const release = ledger.held.hold(held as HeldJob<unknown>);
  try {
    return await (isDone ? searchOnceMore(attempts, entry) : importAndSync(attempts));
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    await job.moveToWait(token);
    throw new bullmq.WaitingError();
  } finally {
    release();
  }
}

/** Creates a record for the row if it has none, and syncs the record. */
async function importAndSync<Row>(attempts: JobAttempts<Row>): Promise<{ recordId: string }> {
  const { job, options } = attempts;
  const { target, requests, settings } = options;
  const { key, row: original, sync, entry } = job.data;
  const row = sync?.remove
    ? rowWithoutPayload(key, undefined as Row, entry?.fingerprint)
    : await requests.race(prepareRow(target, key, original as Row)).catch((error) => {
        if (error instanceof Interrupted) throw error;
        return attempts.fail(rowError(error));
      });
  for (;;) {
    const isNew = job.data.entry?.state !== 'done';
    if (isNew) await createRecord(attempts, row);
    const { recordId } = job.data.entry as LinkedEntry;
    if (sync && (await syncRecord(attempts, row, sync, isNew)) === 'deleted') continue;
    // If the row was re-created, it stays in the queue for one more search, because the record of its first
    // attempt may not be searchable yet.
    if (job.data.row !== undefined) await attempts.delay(settings.lastSearchDelay);
    return { recordId };
  }
}

async function createRecord<Row>(attempts: JobAttempts<Row>, row: PreparedRow<Row>): Promise<void> {
  const { bullmq, ledger, requests, settings, ...options } = attempts.options;
  const { entry, sync } = attempts.job.data;
  if (isInDoubt(entry)) {
    await attempts.enter(row);
    // A worker was killed while processing this row, and the server may still be handling the worker's
    // request.
    if (entry.state === 'started') await ledger.put({ ...entry, state: 'unknown' });
    await requests.wait(settings.lookupDelay);
  }
  const target = sync ? forSync(options.target) : options.target;
  const create: Attempt = (context) =>
    importRow(target, row, context).catch(async (error) => {
      if (!(error instanceof GroupBusyError)) throw error;
      await attempts.enter(row);
      await requests.untilAvailable();
      return create(context);
    });
  const result = await attempts.perform(row, create);
  if (result.is !== 'failed' && result.is !== 'unknown') return;
  await attempts.leave(row);
  throw new bullmq.UnrecoverableError(result.entry.error?.message ?? result.is);
}

/**
 * Updates or removes the record of a row. If the record was just created, sets the fields that a create
 * request can't set.
 *
 * @returns `deleted` if the record was deleted and must be created again
 */
async function syncRecord<Row>(
  attempts: JobAttempts<Row>,
  row: PreparedRow<Row>,
  sync: RowSync,
  isNew: boolean,
): Promise<'synced' | 'deleted'> {
  const { job } = attempts;
  const { ledger } = attempts.options;
  const target = attempts.options.target as UpdatableTarget<Row>;
  const { updates } = target;
  if (!isNew || (updates && !isDeepStrictEqual(updates.forCreate(row.payload), row.payload))) {
    if (!updates) return attempts.fail({ message: 'the target has no "updates"' });
    const options = {
      policy: { ...sync, onMissing: sync.remove },
      read: (recordId: string, request: RequestContext) => unlessMissing(updates.get(recordId, request)),
    };
    const result = await attempts.perform(row, async (context) => {
      const entry = job.data.entry as LinkedEntry;
      let values: FieldValues | undefined;
      try {
        if (!sync.remove) values = await updates.valuesOf(row.payload, context);
      } catch (error) {
        if (error instanceof WorktrackError || error instanceof Interrupted)
          return retryOrStop(error, target);
        return attempts.fail(rowError(error));
      }
      return syncAttempts(target, { row, values, entry }, options)(context);
    });
    if (result.is === 'failed') return attempts.fail(result.entry.error as RowError);
    const { operation } = result as Extract<RowResult, { is: 'synced' }>;
    if (operation.type === 'recreate') {
      // The row counts as new because its record was deleted.
      const { key, row: original, digest } = job.data;
      await ledger.update({ key, row: original, digest, sync, entry: { key, state: 'pending' } });
      return 'deleted';
    }
    const problem = problemOf(operation);
    if (problem) return attempts.fail(problem);
  }
  await ledger.update(syncedJob(job.data));
  return 'synced';
}

/** Searches once more for a row's first record after the record was created again. */
async function searchOnceMore<Row>(attempts: JobAttempts<Row>, entry: LedgerEntry) {
  const { key, row: original, digest } = attempts.job.data;
  const { target, ledger, requests } = attempts.options;
  // Skip the search if the row can no longer be converted. The row is done anyway.
  const row = await requests.race(prepareRow(target, key, original as Row).catch(() => undefined));
  const result = row && (await attempts.perform(row, (context) => searchAgain(target, row, entry, context)));
  const duplicates = result?.is === 'searched' ? result.candidates : [];
  await ledger.update({ key, digest, entry: { ...entry, candidates: duplicates } });
  return { recordId: entry.recordId, duplicates };
}
