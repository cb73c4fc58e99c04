import { createHash } from 'node:crypto';
import type { Queue } from 'bullmq';
import type { QueueConnection } from '../../bullmq/connection.js';
import { type LedgerEntry, LedgerError } from '../ledger.js';
import type { ConflictWinner } from '../sync/fields.js';

/** The queue's name and its connection to Redis or Postgres. */
export interface ImportConnection extends QueueConnection {
  /** The queue's name. Use one queue per import, and run one import at a time per credential. */
  name: string;
}

/** How a worker syncs a row that has a record. */
export interface RowSync {
  onConflict: ConflictWinner;
  onGone: 'report' | 'recreate';
  /** Set if the row is missing from the source. */
  remove?: 'archive' | 'delete' | undefined;
}

/** An import job's data. */
export interface RowJob<Row> {
  key: string;
  /** The row. To save memory, it is removed when the job is done. */
  row?: Row | undefined;
  /** A digest of the row, for detecting changes. */
  digest?: string | undefined;
  /** Set if the row's record has to be updated, archived, or deleted. */
  sync?: RowSync | undefined;
  /** The row's ledger entry. */
  entry?: LedgerEntry | undefined;
  /**
   * The number of failed attempts since the row was added or retried. Attempts while the API is unavailable
   * aren't counted.
   */
  attempts?: number | undefined;
  /** When the first of these attempts failed, in milliseconds since 1970. */
  failingSince?: number | undefined;
  /** When the last of these attempts failed, in milliseconds since 1970. */
  failedAt?: number | undefined;
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

export const queueClosed = ({ name }: { name: string }) => new LedgerError(`the queue "${name}" is closed`);

/** The ID of a row's job. BullMQ ignores a job whose ID already exists, so a row is added only once. */
export const rowJobId = (key: string): string => `row-${digest(key)}`;

export const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);
