import { createHash } from 'node:crypto';
import type { LedgerEntry } from '../ledger-entry.js';
import type { ConflictWinner } from '../sync/fields.js';

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
 * Returns the data for the last search for a re-created row's first record. If the search is done, also
 * returns the records that it found.
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

/** The ID of a row's job. BullMQ ignores a job whose ID already exists, so a row is added only once. */
export const rowJobId = (key: string): string => `row-${digest(key)}`;

export const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);
