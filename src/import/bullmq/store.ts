import { createHash } from 'node:crypto';
import type { Queue } from 'bullmq';
import type { QueueConnection } from '../../bullmq/connection.js';
import { LedgerError } from '../ledger.js';
import type { LedgerEntry } from '../ledger-entry.js';
import type { ConflictWinner } from '../sync/fields.js';

/** The queue's name and its connection to Redis or Postgres. */
export interface ImportConnection extends QueueConnection {
  /** The queue's name. Use one queue per import, and run one import at a time per credential. */
  name: string;
}

/** How a worker must sync a row. */
export interface RowSync {
  onConflict: ConflictWinner;
  onGone: 'report' | 'recreate';
  /** Set if the row is missing from the source. */
  remove?: 'archive' | 'delete' | undefined;
}

/** The number of a worker's successful requests. */
export interface Successes {
  /** The worker's ID. Numbers from different workers can't be compared. */
  worker: string;
  count: number;
}

/** An import job's data. */
export interface RowJob<Row> {
  key: string;
  /** The row. To save memory, it is removed when the job is done. */
  row?: Row | undefined;
  /** A digest of the row, for detecting changes. */
  digest?: string | undefined;
  /** Set if the row must be synced rather than just imported. */
  sync?: RowSync | undefined;
  entry?: LedgerEntry | undefined;
  /**
   * The number of failed attempts since the row was added or retried. Attempts that fail because the API is
   * unavailable aren't counted.
   */
  attempts?: number | undefined;
  /** When the first of these attempts failed, in milliseconds since 1970. */
  failingSince?: number | undefined;
  /** How many of the worker's requests had succeeded when the last of these attempts failed. */
  failedAfter?: Successes | undefined;
}

/** Returns the data of a job whose row has a record. */
export function doneJob(job: RowJob<unknown>, entry: LedgerEntry): RowJob<unknown> & { entry: LedgerEntry } {
  const { key, row, digest, sync, entry: before } = job;
  // Drop the row's content, because the content of a million rows would fill Redis's memory. Keep the content
  // of a re-created row, because the processor searches once more for the record from the row's first
  // attempt.
  const isRecreated = entry.recreated ?? before?.recreated;
  const kept = isRecreated ? lastSearch(before) : { group: before?.group };
  const done: LedgerEntry = { ...kept, ...entry, state: 'done' };
  return sync ? { ...job, entry: done } : { key, digest, ...(isRecreated && { row }), entry: done };
}

/**
 * Returns the parts of a re-created row's entry that the last search for its first record needs, and the
 * records that the search has found.
 */
function lastSearch(entry: LedgerEntry | undefined): Partial<LedgerEntry> {
  const { state, group, title, at, since, baseline, recreated, candidates } = entry ?? ({} as LedgerEntry);
  return { group, title, at, since, baseline, recreated, ...(state === 'done' && { candidates }) };
}

/** Returns the data of a job whose row has been synced. */
export function syncedJob({ key, row, digest, entry }: RowJob<unknown>): RowJob<unknown> {
  // Omit the digest of a removed row so that the row counts as changed if it appears in the source again. A
  // re-created row keeps its content, because it's needed for the last search for the first record.
  const isSearched = !entry?.recreated || entry.candidates !== undefined;
  return { key, entry, ...(!entry?.removed && { digest }), ...(!isSearched && { row }) };
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

export const queueClosed = ({ name }: { name: string }) => new LedgerError(`the "${name}" queue is closed`);

/** The ID of a row's job. BullMQ ignores a job whose ID already exists, so a row is added only once. */
export const rowJobId = (key: string): string => `row-${digest(key)}`;

export const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

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
