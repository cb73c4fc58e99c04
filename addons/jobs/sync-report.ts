import { type ErrorContext, WorktrackError } from '../../src/index.js';
import { brandAs, counted, describeThrown } from '../../src/internal.js';
import type { DuplicateRow, RowError } from './import-report.js';
import type { RunStatus } from './run-control.js';

/** A sync's progress. */
export interface SyncProgress {
  /** The number of rows read so far. */
  read: number;
  /** The number of records that this run created. */
  created: number;
  /** The number of records that this run updated, moved, or unarchived. */
  updated: number;
  /** The number of records that this run archived because their rows are missing. */
  archived: number;
  /** The number of records that this run deleted because their rows are missing. */
  deleted: number;
  /** The number of rows without anything to write. */
  unchanged: number;
  /** The number of rows with fields that weren't written because they also changed in the record. */
  conflicts: number;
  /** The number of rows whose records were deleted by someone else. */
  gone: number;
  /** The number of planned operations that weren't performed because they no longer fit. */
  stale: number;
  /** The number of rows that are invalid or were rejected. */
  failed: number;
  /** The number of rows whose records may or may not exist. The next run continues with them. */
  unknown: number;
  /** The number of rows with values that the server ignored. They're sent again only if the source changes. */
  ignored: number;
  /** What the sync is waiting for, if anything. */
  status: RunStatus;
  /** The elapsed time, in milliseconds. */
  durationMs: number;
}

/** The result of a sync. Each list contains at most 1,000 rows. */
export interface SyncReport extends SyncProgress {
  /** Whether the sync was stopped early. */
  stopped: boolean;
  /** The number of records that weren't removed because there were more than `maxRemovals`. */
  blockedRemovals: number;
  updatedRows: SyncedRow[];
  conflictRows: ConflictRow[];
  goneRows: SyncedRow[];
  staleRows: ProblemRow[];
  failedRows: ProblemRow[];
  unknownRows: ProblemRow[];
  ignoredRows: SyncedRow[];
  /** The rows that have several records. Delete the extra records. */
  duplicates: DuplicateRow[];
}

/** A row of a source. */
export interface SyncedRow {
  key: string;
  /** The ID of the row's record, if it has one. */
  id?: string | undefined;
  /** The names of the fields that were updated or ignored. */
  fields?: readonly string[] | undefined;
}

/** A row that needs attention. */
export interface ProblemRow extends SyncedRow {
  error: RowError;
}

/** A row with conflicts. */
export interface ConflictRow extends SyncedRow {
  conflicts: readonly FieldConflict[];
}

/** A field that has different values in the source and in the record, and that a person may have changed. */
export interface FieldConflict {
  field: string;
  /** The source's value. Undefined if the row is missing. */
  source: unknown;
  /** The record's value. */
  target: unknown;
}

/** What a sync does with a row, or with a record whose row is missing. */
export type TaskType =
  | 'create'
  | 'recreate'
  | 'update'
  | 'archive'
  | 'delete'
  | 'conflict'
  | 'gone'
  | 'failed'
  | 'unchanged';

/** What a sync will do. It's plain data, so you can save it with `JSON.stringify()`. */
export interface SyncPlan {
  version: 1;
  /** What the sync reads and writes, such as `tickets:prj_1:Jira`. */
  scope: string;
  /** The number of rows by the type of their operation. */
  counts: Readonly<Record<TaskType, number>>;
  /** The number of records that the sync won't remove because there are more than `maxRemovals`. */
  blockedRemovals: number;
  /** All operations, except those of unchanged rows. */
  operations: readonly SyncOperation[];
}

/** What a sync will do with a row, or with a record whose row is missing. */
export interface SyncOperation {
  /**
   * - `create`, `update`, `archive`, and `delete` write to the record.
   * - `recreate` creates a record again.
   * - `conflict` reports fields that changed in both the source and the record.
   * - `gone` reports that someone else deleted the record.
   * - `failed` reports a row that is invalid.
   */
  type: Exclude<TaskType, 'unchanged'>;
  /** The row's key. */
  key: string;
  /** The ID of the row's record, if it has one. */
  id?: string | undefined;
  /** The title of the row or its record. */
  title?: string | undefined;
  /** The values before and after the write, by field. A new record has no values before. */
  changes: Readonly<Record<string, { before?: unknown; after: unknown }>>;
  /** The fields that aren't written because they also changed in the record. */
  conflicts: readonly FieldConflict[];
  /** Why the row is invalid. */
  error?: RowError | undefined;
  /** A digest of the row. Empty if it's missing. */
  source: string;
  /** A digest of the operation and of the state of the record that it fits. */
  digest: string;
}

/** The lists of a report, by the count that they belong to. */
const listOf = {
  updated: 'updatedRows',
  conflicts: 'conflictRows',
  gone: 'goneRows',
  stale: 'staleRows',
  failed: 'failedRows',
  unknown: 'unknownRows',
  ignored: 'ignoredRows',
} as const;

type Listed = typeof listOf;
type Lists = Pick<SyncReport, Listed[keyof Listed] | 'duplicates'>;

/** The maximum number of rows in each of a report's lists. */
const maxListed = 1000;

/** Counts a sync's results. */
export class SyncTally {
  readonly counts = {
    ...{ read: 0, created: 0, updated: 0, archived: 0, deleted: 0, unchanged: 0 },
    ...{ conflicts: 0, gone: 0, stale: 0, failed: 0, unknown: 0, ignored: 0 },
  };
  blockedRemovals = 0;
  readonly #startedAt = performance.now();
  readonly #lists: Lists = {
    ...{ updatedRows: [], conflictRows: [], goneRows: [], staleRows: [], failedRows: [] },
    ...{ unknownRows: [], ignoredRows: [], duplicates: [] },
  };

  /** Counts a row, and adds it to its list. */
  add<Kind extends keyof Listed>(kind: Kind, row: SyncReport[Listed[Kind]][number]): void {
    this.counts[kind]++;
    const rows: (typeof row)[] = this.#lists[listOf[kind]];
    if (rows.length < maxListed) rows.push(row);
  }

  addDuplicate(duplicate: DuplicateRow): void {
    const { duplicates } = this.#lists;
    if (duplicates.length < maxListed && !duplicates.some(({ key }) => key === duplicate.key))
      duplicates.push(duplicate);
  }

  progress(status: RunStatus): SyncProgress {
    return { ...this.counts, status, durationMs: Math.round(performance.now() - this.#startedAt) };
  }

  report(stopped: boolean): SyncReport {
    const { blockedRemovals } = this;
    return { ...this.progress('running'), stopped, blockedRemovals, ...this.#lists };
  }
}

/**
 * Thrown if a sync can't continue, for example because the credential is rejected or the source can't be read.
 * `cause` is the reason, and `report` contains the results so far. To continue, fix the cause and run the sync
 * again with the same book.
 */
export class SyncStoppedError extends WorktrackError {
  declare readonly name: 'SyncStoppedError';
  declare readonly code: 'sync_stopped';
  /** The results so far. */
  declare readonly report: SyncReport;

  static {
    brandAs(SyncStoppedError, 'SyncStoppedError', 'sync_stopped');
  }

  constructor(report: SyncReport, context: Partial<ErrorContext>) {
    const { cause } = context;
    const { unknown, created, updated, archived, deleted, read } = report;
    const reason = cause instanceof Error ? cause.message : describeThrown(cause);
    const written = created + updated + archived + deleted;
    const outcome = unknown > 0 ? 'unknown' : written > 0 ? 'done' : 'not_sent';
    super(`the sync stopped after ${counted(read, 'row')}: ${reason}`, { outcome, ...context });
    // The report isn't enumerable, because it's too long to be printed with the error.
    Object.defineProperty(this, 'report', { value: report, enumerable: false });
  }
}
