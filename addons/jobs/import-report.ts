import { type ErrorContext, type FieldErrors, WorktrackError } from '../../src/index.js';
import { brandAs, counted, describeThrown } from '../../src/internal.js';
import type { RunStatus } from './run-control.js';

/** An import's progress. */
export interface ImportProgress {
  /** The number of rows read so far. */
  read: number;
  /** The number of finished rows: the sum of `created`, `recovered`, `skipped`, `failed`, and `unknown`. */
  finished: number;
  /** The number of records that this run created. */
  created: number;
  /** The number of rows whose records existed, although the book didn't contain them. */
  recovered: number;
  /** The number of rows that are done according to the book. */
  skipped: number;
  /** The number of skipped rows that have changed since they were imported. Their records aren't updated. */
  changed: number;
  /** The number of rows that have no record because the API rejected it or the row is invalid. */
  failed: number;
  /** The number of rows whose records may or may not exist. */
  unknown: number;
  /** What the import is waiting for, if anything. */
  status: RunStatus;
  /** The elapsed time, in milliseconds. */
  durationMs: number;
}

/** The result of an import. */
export interface ImportReport<Row> extends ImportProgress {
  /** Whether the import was stopped before it read all rows. */
  stopped: boolean;
  /** The first 1,000 failed rows. To get all failed rows, pass `onRow`. */
  failedRows: RowResult<Row>[];
  /** The first 1,000 rows whose records may or may not exist. The next run continues with them. */
  unknownRows: RowResult<Row>[];
  /** The keys of the first 1,000 rows that have changed since they were imported. */
  changedKeys: string[];
  /** The number of rows that have, or may have, several records. */
  duplicateCount: number;
  /** The first 1,000 rows that have, or may have, several records. Delete the extra records. */
  duplicates: DuplicateRow[];
}

/** What happened to a row. */
export interface RowResult<Row> {
  key: string;
  /** Undefined if the row was started by an earlier run and is no longer in the source. */
  row?: Row | undefined;
  state: 'created' | 'recovered' | 'skipped' | 'failed' | 'unknown';
  /** The ID of the row's record, if it's known. */
  id?: string | undefined;
  /** Why the row failed, or why nothing is known about its record. */
  error?: RowError | undefined;
}

/** Why a row failed. */
export interface RowError {
  message: string;
  /** The error's code, such as `wip_limit_reached`. */
  code?: string | undefined;
  /** The HTTP status of an error response. */
  status?: number | undefined;
  /** The problems of each invalid field. */
  fieldErrors?: FieldErrors | undefined;
}

/** A row with several records. */
export interface DuplicateRow {
  key: string;
  /**
   * The ID of the record to keep: the one in the book, or else the oldest. Undefined if the API created it
   * without returning its ID.
   */
  keep: string | undefined;
  /**
   * The IDs of the records to delete. Empty if the row was created twice with `mark: false`, or on a server that
   * doesn't keep marks. Its first record may or may not exist then.
   */
  extra: string[];
}

/** The maximum number of rows in each of a report's lists. */
const maxListed = 1000;

/** Counts an import's results. */
export class ImportTally<Row> {
  read = 0;
  readonly #counts = { created: 0, recovered: 0, skipped: 0, failed: 0, unknown: 0 };
  readonly #startedAt = performance.now();
  readonly #failedRows: RowResult<Row>[] = [];
  readonly #unknownRows: RowResult<Row>[] = [];
  readonly #changedKeys: string[] = [];
  readonly #duplicates = new Map<string, DuplicateRow>();
  #changed = 0;

  add(result: RowResult<Row>): void {
    this.#counts[result.state]++;
    if (result.state === 'failed') addUpToLimit(this.#failedRows, result);
    if (result.state === 'unknown') addUpToLimit(this.#unknownRows, result);
  }

  addChanged(key: string): void {
    this.#changed++;
    addUpToLimit(this.#changedKeys, key);
  }

  addDuplicate(duplicate: DuplicateRow): void {
    this.#duplicates.set(duplicate.key, duplicate);
  }

  progress(status: RunStatus): ImportProgress {
    const { created, recovered, skipped, failed, unknown } = this.#counts;
    return {
      ...this.#counts,
      read: this.read,
      finished: created + recovered + skipped + failed + unknown,
      changed: this.#changed,
      status,
      durationMs: Math.round(performance.now() - this.#startedAt),
    };
  }

  report(stopped: boolean): ImportReport<Row> {
    return {
      ...this.progress('running'),
      stopped,
      failedRows: this.#failedRows,
      unknownRows: this.#unknownRows,
      changedKeys: this.#changedKeys,
      duplicateCount: this.#duplicates.size,
      duplicates: [...this.#duplicates.values()].slice(0, maxListed),
    };
  }
}

function addUpToLimit<Item>(list: Item[], item: Item): void {
  if (list.length < maxListed) list.push(item);
}

/** Describes why a row failed, as plain data. */
export function rowError(cause: unknown): RowError {
  const { code, status, fieldErrors } = Object(cause) as Omit<RowError, 'message'>;
  const message = cause instanceof Error ? cause.message : describeThrown(cause);
  return {
    message,
    ...(typeof code === 'string' && { code }),
    ...(typeof status === 'number' && { status }),
    ...(fieldErrors && { fieldErrors }),
  };
}

/**
 * Thrown if an import can't continue, for example because the credential is rejected. `cause` is the reason, and
 * `report` contains the results so far. To continue, fix the cause and run the import again with the same book.
 */
export class ImportStoppedError extends WorktrackError {
  declare readonly name: 'ImportStoppedError';
  declare readonly code: 'import_stopped';
  /** The results so far. */
  declare readonly report: ImportReport<unknown>;

  static {
    brandAs(ImportStoppedError, 'ImportStoppedError', 'import_stopped');
  }

  constructor(report: ImportReport<unknown>, context: Partial<ErrorContext>) {
    const { cause } = context;
    const reason = cause instanceof Error ? cause.message : describeThrown(cause);
    const outcome = report.unknown > 0 ? 'unknown' : report.created > 0 ? 'done' : 'not_sent';
    super(`the import stopped after ${counted(report.finished, 'row')}: ${reason}`, { outcome, ...context });
    // The report isn't enumerable, because it's too long to be printed with the error.
    Object.defineProperty(this, 'report', { value: report, enumerable: false });
  }
}
