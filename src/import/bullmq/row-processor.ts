import type { Job, Queue } from 'bullmq';
import type { Backend } from '../../bullmq/connection.js';
import { WorktrackError } from '../../errors/index.js';
import { afterFailedRead, findDuplicates, importRow, type Step, type StepContext } from '../import-row.js';
import { ImportStop, Interrupted } from '../import-stop.js';
import { type Candidate, isInDoubt, type LedgerEntry, type RowError } from '../ledger.js';
import type { ImportSettings, StepOptions } from '../options.js';
import { conversionFailure, type PreparedRow, prepareRow, rowError, rowWithoutPayload } from '../row.js';
import { ServerClock } from '../server-clock.js';
import type { FieldValues } from '../sync/fields.js';
import type { LinkedEntry } from '../sync/operation.js';
import { readRecord, syncSteps, type UpdatableTarget } from '../sync/sync-row.js';
import { Availability, backoffOf } from './availability.js';
import { type BullmqLedger, GroupBusyError } from './bullmq-ledger.js';
import type { HeldJob } from './held-jobs.js';
import type { RowJob, RowSync, Store } from './store.js';

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
  /** The number of requests sent. */
  requests = 0;
  readonly #options: RowProcessorOptions<Row>;
  readonly #clock = new ServerClock();
  readonly #closing = new AbortController();
  readonly #stop = new ImportStop(this.#closing.signal);
  readonly #api: Availability;

  constructor(options: RowProcessorOptions<Row>) {
    this.#options = options;
    this.#api = new Availability(options.settings);
  }

  /**
   * Stops all waits and returns the waiting rows to the queue. In-flight requests get five seconds to finish.
   */
  stop(): void {
    this.#closing.abort();
  }

  /** Frees resources. Call this when no job is being processed. */
  close(): void {
    this.stop();
    this.#stop.close();
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
      onPause: (milliseconds: number) => this.#resumeAfter(milliseconds),
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
      if (result !== 'create') return result;
    }
    const row = await this.#prepare(job.data);
    if (isInDoubt(job.data.entry)) {
      await this.#enter(held, row);
      // A worker was killed while processing this row, and the server may still be handling the worker's
      // request.
      if (job.data.entry.state === 'started') await ledger.put({ ...job.data.entry, state: 'unknown' });
      await this.#wait(settings.lookupDelay);
    }
    const context = this.#context();
    for (;;) {
      await this.#untilAvailable();
      const step = await importRow(this.#options.target, row, context).catch((error) => {
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
    const context = this.#context();
    const row: PreparedRow<Row> = sync.remove
      ? rowWithoutPayload(key, undefined as never, entry.fingerprint)
      : await this.#prepare(held.job.data);
    let steps: ReturnType<typeof syncSteps<Row>> | undefined;
    const step = async (): Promise<Step> => {
      if (steps) return steps(context);
      let values: FieldValues | undefined;
      try {
        if (!sync.remove) values = await target.updates.valuesOf(row.payload, context);
      } catch (error) {
        if (error instanceof Interrupted) throw error;
        return error instanceof WorktrackError ? afterFailedRead(error, target) : fail(rowError(error));
      }
      const operation = { type: sync.remove ?? 'unchanged', key, recordId } as const;
      steps = syncSteps(
        target,
        { row, values, entry, operation, synced: undefined },
        { policy: sync, read: (_, request) => readRecord(target, recordId, request), isReviewed: false },
      );
      return steps(context);
    };
    for (;;) {
      await this.#untilAvailable();
      const result = await step();
      if (result.is === 'failed') return fail(result.entry.error ?? { message: 'failed' });
      if (result.is !== 'synced') {
        await this.#conclude(held, row, result);
        continue;
      }
      this.#api.reached();
      const { operation } = result;
      if (operation.type === 'recreate') {
        await ledger.startAnew(key);
        return 'create';
      }
      if (operation.type === 'gone') return fail({ code: 'gone', message: `record ${recordId} was deleted` });
      const conflicts = ('conflicts' in operation && operation.conflicts) || [];
      if (conflicts.length > 0) {
        const fields = conflicts.map(({ field }) => field).join(', ');
        return fail({ code: 'conflict', message: `changed in both the source and the record: ${fields}` });
      }
      await ledger.finishSync(key);
      return { recordId };
    }
  }

  /** Searches once more for the first record of a row that was re-created. */
  async #findDuplicates(held: HeldJob<Row>, entry: LedgerEntry) {
    const { key, row } = held.job.data;
    const { target, ledger } = this.#options;
    // Skip the search if the row can no longer be converted. The row is done anyway.
    const prepared = await prepareRow(target, key, row as Row).catch(() => undefined);
    let duplicates: Candidate[] = [];
    for (let isFound = !prepared; prepared && !isFound; ) {
      await this.#untilAvailable();
      try {
        duplicates = await findDuplicates(target, prepared, entry, this.#context());
        isFound = true;
      } catch (error) {
        await this.#conclude(held, prepared, afterFailedRead(error, target));
      }
    }
    await ledger.setDuplicates(key, duplicates);
    return { recordId: entry.recordId, duplicates };
  }

  #context(): StepContext {
    const { ledger, settings } = this.#options;
    let sent = 0;
    let reserved = 0;
    const reserve = () => {
      reserved++;
      return this.#reserve();
    };
    return {
      ledger,
      signal: this.#stop.requests,
      clock: this.#clock,
      tolerance: settings.maxClockSkew,
      countRequests: (count: number) => {
        this.requests += count;
        sent += count;
        // The client's retries are counted only after the call, so later requests must wait longer.
        while (sent > reserved) reserve().catch(() => {});
      },
      beforeRequest: async () => {
        await this.#wait(reserved > sent ? 0 : await reserve());
      },
    };
  }

  /** Reserves a time slot for a request. @returns how long to wait before sending it, in milliseconds */
  async #reserve(): Promise<number> {
    const { store, requestsPerMinute } = this.#options;
    return requestsPerMinute === undefined ? 0 : store.reserve(60_000 / requestsPerMinute);
  }

  /** Waits until a pause is over, and then for a new time slot, because all rows resume at the same time. */
  async #resumeAfter(milliseconds: number): Promise<void> {
    await this.#wait(milliseconds);
    await this.#wait(await this.#reserve());
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
      await this.#wait(40);
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
    if (step.is !== 'retry') this.#api.reached();
    switch (step.is) {
      case 'created':
      case 'recovered':
        // A re-created row stays in the queue, because the record of its first attempt may not be searchable
        // yet.
        if (held.job.data.row !== undefined) await this.#delay(held, settings.lastSearchDelay);
        return { recordId: step.record.id };
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
        await this.#wait(delay);
        return 'again';
      }
      case 'synced':
      case 'stale':
        return 'again';
      default:
        return this.#retry(held, row, step);
    }
  }

  async #retry(
    held: HeldJob<Row>,
    row: PreparedRow<Row>,
    step: Extract<Step, { is: 'retry' }>,
  ): Promise<'again'> {
    const { bullmq, ledger, settings, maxOutage } = this.#options;
    const { retry, lookupDelay } = settings;
    this.#api.failed();
    const now = Date.now();
    const { attempts: before = 0, failingSince = now, failedAfter } = held.job.data;
    // If no request has succeeded since the row's last failure, the API is unavailable. The row then waits
    // for the API without using up its attempts.
    const counts =
      this.#api.hasSucceededSince(failedAfter) || before === 0 || now - failingSince >= maxOutage;
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
    await ledger.setAttempts(row.key, { attempts, failingSince, failedAfter: this.#api.successes });
    const backoff = backoffOf(retry, attempts - 1);
    if (step.inDoubt) {
      // Don't requeue the row, because it would end up behind the rows that are waiting for it.
      await this.#wait(Math.max(lookupDelay, backoff));
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

  async #untilAvailable(): Promise<void> {
    for (let wait = this.#api.turn(); wait > 0; wait = this.#api.turn()) {
      await this.#wait(Math.min(wait, 1000));
    }
    if (this.#stop.isStopped) throw new Interrupted();
  }

  /** @throws Interrupted if the worker is being closed */
  async #wait(milliseconds: number): Promise<void> {
    if (milliseconds > 0) await this.#stop.wait(milliseconds);
    if (this.#stop.isStopped) throw new Interrupted();
  }
}
