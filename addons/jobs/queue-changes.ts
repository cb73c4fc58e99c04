import { type JobsOptions, Queue } from 'bullmq';
import type * as z from 'zod/mini';
import type { Change } from './change.js';
import { watchChanges } from './feed.js';
import { type WatchChangesOptions, watchOptions } from './feed-options.js';
import {
  checkQueueOptions,
  connectionFields,
  connectionOf,
  optionsWithout,
  type QueueConnection,
} from './queue-connection.js';

/** Options for {@link changeQueue}: those of `watchChanges`, and the queue that receives the changes. */
export interface ChangeQueueOptions extends WatchChangesOptions, QueueConnection {
  /**
   * BullMQ's options for the jobs. By default, completed jobs are kept for a day, because BullMQ ignores a change
   * that is delivered twice only while its job exists.
   */
  jobOptions?: Omit<JobsOptions, (typeof reserved)[number]> | undefined;
}

/** Job options that would duplicate or lose changes. */
const reserved = ['jobId', 'deduplication', 'repeat'] as const;

/** A running change feed and its queue. */
export interface ChangeQueue {
  /** BullMQ's queue. A job's name is the change's type, its ID is the change's ID, and its data is the change. */
  readonly bullmq: Queue<Change, unknown, string>;
  /** Resolves when the feed is closed. Rejects with the error that ended it. */
  readonly finished: Promise<void>;
  close(): Promise<void>;
}

/**
 * Watches records and adds a job for each change to a BullMQ queue. A change counts as delivered once its job has
 * been added. If it's delivered twice, BullMQ ignores the second job, because it has the same ID. Process the
 * jobs with any number of BullMQ workers.
 *
 * @throws ConfigurationError if an option is unknown or invalid
 *
 * @example
 * ```ts
 * const feed = changeQueue({ name: 'changes', redis: 'redis://127.0.0.1:6379', client, project, book });
 * process.once('SIGTERM', () => feed.close());
 * await feed.finished;
 * ```
 */
export function changeQueue(options: ChangeQueueOptions): ChangeQueue {
  const fields = { ...watchOptions(), ...connectionFields(), jobOptions: optionsWithout(reserved) };
  checkQueueOptions('changeQueue', fields satisfies Record<keyof ChangeQueueOptions, z.ZodMiniType>, options);
  const { name, redis, postgres, prefix, jobOptions, ...feedOptions } = options;
  const closing = new AbortController();
  const signal = AbortSignal.any([closing.signal, feedOptions.signal ?? closing.signal]);
  const changes = watchChanges({ ...feedOptions, signal });
  const { connection, backend } = connectionOf(options);
  const queue = new Queue<Change, unknown, string>(name, connection, ...backend);
  queue.on('error', () => {});
  async function deliver(): Promise<void> {
    try {
      for await (const change of changes) {
        const data = storable(change);
        const defaults = { removeOnComplete: { age: 86_400 } };
        await queue.add(change.type, data, { ...defaults, ...jobOptions, jobId: change.id });
      }
    } finally {
      await queue.close();
    }
  }
  const finished = deliver();
  return {
    bullmq: queue,
    finished,
    async close() {
      closing.abort();
      await finished.catch(() => {});
    },
  };
}

/** Replaces the characters that Postgres can't store: NUL and lone surrogates. */
const storable = (change: Change): Change =>
  JSON.parse(JSON.stringify(change), (_, value) =>
    typeof value === 'string' ? value.replace(/[\0\p{Surrogate}]/gu, '\ufffd') : value,
  );
