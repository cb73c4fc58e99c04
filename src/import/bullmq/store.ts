import type { RowJob } from './row-job.js';

/**
 * The data that an import's workers share, in the queue's database. Each call is a single atomic command, so
 * it's safe to call from any number of processes.
 */
export interface Store {
  /** Writes a job's data, and what follows from it, unless the result isn't `written`. */
  write(change: Change): Promise<WriteResult>;
  /** Returns the data of the jobs that exist, by job ID. */
  find(jobIds: readonly string[]): Promise<Map<string, RowJob<unknown>>>;
  /**
   * Locks a group.
   *
   * @param from the holder whose lock to take over. Without it, a lock is only taken if the group is free or
   * the row itself holds the lock.
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
  /** Pauses all workers. A longer pause isn't shortened. */
  pause(milliseconds: number): Promise<void>;
  /**
   * Reserves a time for a request, `interval` milliseconds after the previous one.
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
  /** The token of the worker's lock on the job, which the write checks and renews. */
  lock?: { token: string; duration: number } | undefined;
  /** Whether to write nothing if a worker is processing the job. */
  unlessActive?: boolean | undefined;
  /** Whether the row's request follows, so nothing is written during a pause. */
  isStart?: boolean | undefined;
  /** The record that the row claims. */
  recordId?: string | undefined;
  /** The group that the row locks. Requires `lock`. */
  enters?: string | undefined;
  /** The group that the row leaves. */
  leaves?: string | undefined;
  /** The group in which the row is now in doubt. */
  doubtIn?: string | undefined;
  /** The group in which the row is no longer in doubt. */
  resolvedIn?: string | undefined;
}

export type WriteResult =
  | { is: 'written' }
  /** The job doesn't exist. */
  | { is: 'missing' }
  /** A worker is processing the job. */
  | { is: 'active' }
  /** Another worker holds the job's lock. */
  | { is: 'lost' }
  /** Another row holds the group's lock. */
  | { is: 'busy' }
  /** Another row has claimed the record. */
  | { is: 'claimed' }
  /** All workers are paused for the given number of milliseconds. */
  | { is: 'paused'; wait: number };

/** Reads the result of a database's script, such as `lost` or `paused:500`. */
export function writeResult(text: string): WriteResult {
  const [is, wait] = text.split(':');
  return { is, wait: Number(wait) } as WriteResult;
}

export const encodeHolder = ({ key, token }: Holder): string => `${token} ${key}`;

export function decodeHolder(text: string): Holder {
  const end = text.indexOf(' ');
  return { token: text.slice(0, end), key: text.slice(end + 1) };
}
