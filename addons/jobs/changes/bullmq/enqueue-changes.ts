import type { Job, JobsOptions, Queue } from 'bullmq';
import * as z from 'zod/mini';
import { fn, positiveInteger } from '../../../../src/option-schema.js';
import { settled } from '../../../../src/shared/abort.js';
import { batchesOf } from '../../../shared/lists.js';
import {
  type Backend,
  connectionFields,
  openBackend,
  optionsWithout,
  type QueueConnection,
  requireOneBackend,
  stalledAfterField,
} from '../../bullmq/connection.js';
import { toStorable } from '../../bullmq/jsonb.js';
import type { Change } from '../change.js';
import { checkFeedOptions, type FeedOptions, type Fields, feedOptions, type SweepInfo } from '../options.js';
import type { SnapshotEntry } from '../snapshot.js';
import { sweep } from '../sweep.js';
import { slowSweep } from '../watch.js';
import { openSharedSnapshot, type SharedSnapshot } from './shared-snapshot.js';

/** BullMQ job options that could lose, duplicate, or reorder changes. */
const reservedOptions = ['jobId', 'repeat', 'repeatJobKey', 'lifo', 'deduplication', 'parent'] as const;
type ReservedOption = (typeof reservedOptions)[number];

/** Options for {@link enqueueChanges}. */
export interface EnqueueChangesOptions extends FeedOptions, QueueConnection {
  /** The name of the queue that receives the changes. The sweeps have their own queue, `NAME-sweeps`. */
  name: string;
  /** The time from the start of one sweep to the start of the next, in milliseconds. @defaultValue 15000 */
  every?: number | undefined;
  /**
   * How long a process can be unresponsive before another process takes over its sweep, in milliseconds.
   * @defaultValue 30000
   */
  stalledAfter?: number | undefined;
  /**
   * BullMQ options for the jobs, such as `attempts`. By default, successful jobs are kept for a day, because
   * BullMQ ignores a duplicate only while the original job exists.
   */
  jobOptions?: Omit<JobsOptions, ReservedOption> | undefined;
  /** Called after each sweep in this process. If it returns a promise, the next sweep waits for it. */
  onSweep?: ((sweep: SweepInfo) => unknown) | undefined;
  /**
   * Called when a sweep in this process fails. The next sweep tries again. If the function returns a promise,
   * the next sweep waits for it.
   */
  onError?: ((error: Error) => unknown) | undefined;
}

/** A change feed's BullMQ queues. */
export interface ChangeQueue {
  /** BullMQ's queue of changes. Each job's name is the change's type, and its ID is the change's ID. */
  readonly changes: Queue<Change>;
  /** BullMQ's queue of sweeps. Keeps the last 100 failed sweeps. */
  readonly sweeps: Queue;
  /**
   * Stops this process's sweeps. If a sweep is running, another process restarts it. Doesn't wait for promises
   * returned by `onSweep` and `onError`.
   */
  close(): Promise<void>;
  /**
   * Deletes the snapshot, the schedule, and all jobs. Close the queue in all other processes first. The next
   * sweep starts from a new baseline.
   */
  delete(): Promise<void>;
}

/**
 * Watches records and adds a job for each change to a BullMQ queue. You can call this function in any number
 * of processes on any number of machines. Only one sweep runs at a time, and each change is enqueued once.
 * The snapshot is stored in the queue's database.
 *
 * Process the jobs with BullMQ's `Worker`. To receive the changes in order, set its concurrency to 1.
 *
 * @throws ConfigurationError if `bullmq`, `ioredis`, or `pg` isn't installed, or an option is invalid
 * @throws Error if Postgres isn't available
 *
 * @example
 * ```ts
 * const feed = await enqueueChanges({ name: 'apollo', redis: 'redis://127.0.0.1:6379', client, project });
 * process.once('SIGTERM', () => feed.close());
 * ```
 */
export async function enqueueChanges(options: EnqueueChangesOptions): Promise<ChangeQueue> {
  checkFeedOptions(z.strictObject(queueOptions()).check(requireOneBackend), 'enqueueChanges', options);
  const backend = await openBackend(options);
  return backend.closeOnError(() => start(options, backend));
}

async function start(options: EnqueueChangesOptions, backend: Backend): Promise<ChangeQueue> {
  const { name, every = 15_000, stalledAfter = 30_000, onSweep, onError } = options;
  const changes = await backend.openQueue<Change>(name);
  const sweeps = await backend.openQueue(sweepsOf(name));
  const snapshot = await openSharedSnapshot(changes as Queue);
  const perform = async (job: Job, token: string | undefined, signal: AbortSignal | undefined) => {
    const startedAt = performance.now();
    try {
      const { records, count, isOver } = await enqueueOnce(options, changes, snapshot, signal);
      if (isOver) await sweeps.removeJobScheduler(schedule);
      const durationMs = Math.round(performance.now() - startedAt);
      const nextInMs = Math.max(0, every - durationMs);
      const hint = slowSweep(records, durationMs, every);
      await settled(onSweep?.({ records, changes: count, durationMs, nextInMs, hint }), signal);
    } catch (error) {
      if (!signal?.aborted) {
        await settled(onError?.(error as Error), signal);
        throw error;
      }
      await job.moveToWait(token);
      throw new backend.bullmq.WaitingError();
    }
  };
  await sweeps.setGlobalConcurrency(1);
  await sweeps.upsertJobScheduler(
    schedule,
    { every },
    { name: schedule, opts: { removeOnComplete: true, removeOnFail: 100 } },
  );
  // When BullMQ uses PGlite, it can't notify workers of new jobs, so they must poll.
  const drainDelay = Math.min(5, every / 1000);
  const worker = backend.startWorker(sweepsOf(name), perform, stalledAfter, { drainDelay });
  worker.on('closing', () => worker.cancelAllJobs());
  worker.on('lockRenewalFailed', () => worker.cancelAllJobs());
  await worker.waitUntilReady();
  const close = async () => {
    await worker.close();
    await backend.closeQueues();
  };
  return {
    changes,
    sweeps,
    close,
    async delete() {
      await worker.close();
      await sweeps.obliterate({ force: true });
      await changes.obliterate({ force: true });
      await snapshot.delete();
      await close();
    },
  };
}

/**
 * Reads all records once and enqueues the changes.
 *
 * Before each batch of changes is enqueued, the snapshot records the changes as delivered and stores the
 * batch itself. If the process is killed in between, the next sweep enqueues the same batch again, and BullMQ
 * ignores existing jobs. The write fails if another sweep has started, so a process that was suspended can't
 * enqueue outdated changes.
 */
async function enqueueOnce(
  options: EnqueueChangesOptions,
  queue: Queue<Change>,
  shared: SharedSnapshot,
  signal: AbortSignal | undefined,
) {
  const snapshot = await shared.startSweep();
  const enqueue = async (changes: readonly Change[], entries: readonly SnapshotEntry[]) => {
    await snapshot.write([...entries, batchEntry(changes)]);
    const jobs = changes.map((data) =>
      toStorable(queue, {
        name: data.type,
        data,
        opts: { removeOnComplete: { age: 86_400 }, ...options.jobOptions, jobId: data.id },
      }),
    );
    await queue.addBulk(jobs as never);
    await snapshot.write([batchEntry([])]);
  };
  for (const { scope, value } of await snapshot.read()) {
    if (scope === batchScope && value !== undefined) await enqueue(JSON.parse(value), []);
  }
  const { deltas, quiet, records, isOver } = await sweep({ ...options, snapshot, signal });
  signal?.throwIfAborted();
  if (quiet.length) await snapshot.write(quiet);
  for (const batch of batchesOf(deltas, batchSize)) {
    signal?.throwIfAborted();
    await enqueue(
      batch.map(({ change }) => change),
      batch.flatMap(({ entries }) => entries),
    );
  }
  return { records, count: deltas.length, isOver };
}

const batchSize = 100;
const batchScope = 'batch';

/** The snapshot entry for the changes that are being enqueued. */
const batchEntry = (changes: readonly Change[]): SnapshotEntry => ({
  scope: batchScope,
  id: '',
  value: changes.length ? JSON.stringify(changes) : undefined,
});

const schedule = 'sweep';
const sweepsOf = (name: string) => `${name}-sweeps`;

const queueOptions = () =>
  ({
    ...feedOptions(),
    ...connectionFields(),
    every: positiveInteger(),
    stalledAfter: stalledAfterField(),
    jobOptions: optionsWithout(reservedOptions),
    onSweep: fn(),
    onError: fn(),
  }) satisfies Fields<EnqueueChangesOptions>;
