import type { Queue } from 'bullmq';
import { race } from '../../../../src/shared/abort.js';
import type { QueueConnection } from '../../bullmq/connection.js';
import { LedgerError } from '../ledger.js';
import type { RowJob } from './row-job.js';

/** The queue's name and its connection to Redis or Postgres. */
export interface ImportConnection extends QueueConnection {
  /** The queue's name. Use one queue per import, and run one import at a time per credential. */
  name: string;
}

/**
 * Returns the queue if it's open. On Postgres, BullMQ's methods never finish once a queue is closed.
 *
 * @throws LedgerError if the queue is closed
 */
export function requireOpen<Data>(queue: Queue<Data>): Queue<Data> {
  if (queue.closing) throw queueClosed(queue);
  return queue;
}

/**
 * Makes a call. Rejects if the queue is closed or the signal aborts before or during the call, because on
 * Postgres, the call might otherwise never finish.
 */
export const whileOpen = async <Data, Result>(
  queue: Queue<Data>,
  closing: AbortSignal,
  call: (queue: Queue<Data>) => Promise<Result>,
): Promise<Result> => race(call(requireOpen(queue)), closing);

export const queueClosed = ({ name }: { name: string }) => new LedgerError(`the "${name}" queue is closed`);

/**
 * The data shared by an import's workers, stored in the queue's database. Each call is a single atomic
 * command, so any number of processes can make calls.
 */
export interface Store {
  /**
   * Writes a job's data and updates the claims, groups, and in-doubt rows. Doesn't write anything unless the
   * result is `written`.
   */
  write(change: Change): Promise<WriteResult>;
  /** Returns the data of the jobs that exist, by job ID. */
  find(jobIds: readonly string[]): Promise<Map<string, RowJob<unknown>>>;
  /**
   * Locks a group.
   *
   * @param from the holder whose lock to take over. If omitted, the call takes the lock only if the group is
   * free or the row itself holds the lock.
   * @returns the group's holder after the call
   */
  lock(group: string, holder: Holder, from?: Holder): Promise<Holder>;
  /** Unlocks a group, unless another row or worker holds the lock. */
  unlock(group: string, holder: Holder): Promise<void>;
  /** Returns the key of the row that has claimed the record. */
  claimant(recordId: string): Promise<string | undefined>;
  /** Returns the keys of the group's in-doubt rows. */
  inDoubt(group: string): Promise<string[]>;
  /** @returns the existing value, or the new value if none existed */
  putIfAbsent(name: string, value: string): Promise<string>;
  /** Stores a value that expires. */
  put(name: string, value: string, expiresIn: number): Promise<void>;
  /** Returns a value, unless it has expired. */
  get(name: string): Promise<string | undefined>;
  /** Pauses all workers. Doesn't shorten a longer pause. */
  pause(milliseconds: number): Promise<void>;
  /**
   * Reserves a time slot for a request, `interval` milliseconds after the previous slot.
   *
   * @returns how long to wait before sending the request, in milliseconds
   */
  reserve(interval: number): Promise<number>;
  /** Deletes everything except the jobs. */
  deleteAll(): Promise<void>;
}

/** A row that holds a group's lock, and the token of its worker. */
export interface Holder {
  key: string;
  token: string;
}

/** A change to a job's data. */
export interface Change {
  jobId: string;
  key: string;
  data: RowJob<unknown>;
  /** The token of the worker's lock on the job. The write checks and renews the lock. */
  lock?: { token: string; duration: number } | undefined;
  /**
   * The job's data when it was read. Nothing is written if the data has changed since then, or if a worker is
   * processing the job.
   */
  before?: RowJob<unknown> | undefined;
  /**
   * Whether the row's API request will be sent right after this change. If so, the change isn't stored while
   * the queue is paused.
   */
  isStart?: boolean | undefined;
  /** The record that the row claims. */
  recordId?: string | undefined;
  /** The group that the row locks. Requires `lock`. */
  enters?: string | undefined;
  /** The group that the row unlocks. */
  leaves?: string | undefined;
  /** The row's group, if this change puts the row in doubt. */
  doubtIn?: string | undefined;
  /** The row's group, if this change resolves the doubt about the row. */
  resolvedIn?: string | undefined;
}

export type WriteResult =
  | { is: 'written' }
  /** The job doesn't exist. */
  | { is: 'missing' }
  /** A worker is processing the job. */
  | { is: 'active' }
  /** The job's data no longer matches `before`. */
  | { is: 'changed' }
  /** Another worker holds the job's lock. */
  | { is: 'lost' }
  /** Another row holds the group's lock. */
  | { is: 'busy' }
  /** Another row has claimed the record. */
  | { is: 'claimed' }
  /** All workers are paused for the given number of milliseconds. */
  | { is: 'paused'; wait: number };

/** Parses the result of a database script, such as `lost` or `paused:500`. */
export function writeResult(text: string): WriteResult {
  const [is, wait] = text.split(':');
  return { is, wait: Number(wait) } as WriteResult;
}

export const encodeHolder = ({ key, token }: Holder): string => `${token} ${key}`;

export function decodeHolder(text: string): Holder {
  const end = text.indexOf(' ');
  return { token: text.slice(0, end), key: text.slice(end + 1) };
}
