import type { Candidate, LedgerEntry, RowError } from './ledger-entry.js';
import type { FieldConflict } from './sync/fields.js';

/** An import's progress. */
export interface ImportProgress {
  /** The number of rows read so far. */
  read: number;
  /**
   * The number of rows this run has finished: the sum of `created`, `recovered`, `skipped`, `duplicates`,
   * `failed`, `unknown`, `updated`, `gone`, and `stale`.
   */
  finished: number;
  /** The number of records this run created. */
  created: number;
  /** The number of in-doubt rows whose records were found. */
  recovered: number;
  /** The number of rows that were done before this run. */
  skipped: number;
  /** The number of skipped rows that have changed since they were imported. Their records weren't updated. */
  changed: number;
  /** The number of rows whose records were updated, including those that were unarchived. */
  updated: number;
  /** The number of archived records. A record is archived if its row is missing from the source. */
  archived: number;
  /** The number of deleted records. A record is deleted if its row is missing from the source. */
  deleted: number;
  /**
   * The number of rows with conflicts, which are fields that weren't written because they also changed in the
   * record.
   */
  conflicts: number;
  /** The number of rows whose records were deleted by someone else. */
  gone: number;
  /** The number of rows that changed after the plan was reviewed. Their records weren't written. */
  stale: number;
  /** The number of rows that have the same key and content as an earlier row in this run. */
  duplicates: number;
  /** The number of rows whose records couldn't be created or updated. */
  failed: number;
  /** The number of rows that are in doubt: their records may or may not have been created. */
  unknown: number;
  /** The number of rows in progress. */
  inFlight: number;
  /** The number of requests this run sent, including lookups and retries. */
  requests: number;
  /** The number of re-created rows. A row is re-created if a search doesn't find its record. */
  recreated: number;
  /**
   * The import's status. `rate_limited` means that the import is waiting because of a 429. `unavailable`
   * means that the API was available earlier in this run and no longer responds. The import then waits for
   * the API until you abort the import. A report contains the last status, which is usually `running`.
   */
  status: ImportStatus;
  /** The elapsed time, in milliseconds. */
  durationMs: number;
  /** The number of rows created, recovered, or updated per minute. */
  rowsPerMinute: number;
  /** The number of requests sent per minute. */
  requestsPerMinute: number;
}

export type ImportStatus = 'running' | 'rate_limited' | 'unavailable';

/** The result of an import. */
export interface ImportReport<Row> extends ImportProgress {
  /** Whether the import was stopped early. */
  stopped: boolean;
  /**
   * The first 1,000 failed rows, with the reasons. To get all failed rows, pass `onUnresolved`. The ledger
   * also contains the failed rows, except rows that reuse a key, already have a record, or failed when a sync
   * was planned.
   */
  failedRows: UnresolvedRow<Row>[];
  /** The first 1,000 changed rows, and the fields that were updated. */
  changedRows: ChangedRow[];
  /** The first 1,000 rows with conflicts. */
  conflictRows: ConflictRow[];
  /** The first 1,000 rows whose records were deleted by someone else. */
  goneRows: LinkedRow[];
  /** The first 1,000 rows that no longer match the reviewed plan. */
  staleRows: StaleRow[];
  /**
   * The number of missing rows whose records were kept. Records are kept if the source was empty or more than
   * `maxRemovals` rows are missing.
   */
  blockedRemovals: number;
  /**
   * The first 1,000 in-doubt rows, with their candidates. The ledger contains all in-doubt rows. `row` is
   * undefined if the row is in the ledger but not in the input.
   */
  unknownRows: UnresolvedRow<Row>[];
  /**
   * The first 1,000 rows that might have two records: they were re-created because a search found nothing,
   * and then another search found a record. Increase `lookupDelay`, and delete the extra records.
   */
  suspectedDuplicates: SuspectedDuplicate[];
}

/** A row and its record, if any. */
export interface LinkedRow {
  /** The row's key. */
  key: string;
  recordId?: string | undefined;
}

/** A row that no longer matches the reviewed plan. */
export interface StaleRow extends LinkedRow {
  /** Why an operation in the plan no longer applies. Undefined if the row needs a different operation. */
  error?: RowError | undefined;
}

/** A row that has changed. */
export interface ChangedRow extends LinkedRow {
  /** The names of the updated fields. Empty if the record wasn't updated. */
  fields: string[];
}

/** A row with fields that changed in both the source and the record. */
export interface ConflictRow extends LinkedRow {
  conflicts: readonly FieldConflict[];
}

/** A row that might have two records. */
export interface SuspectedDuplicate {
  /** The row's key. */
  key: string;
  /** The record that belongs to the row. */
  recordId: string;
  /** The other records. Empty if the search failed. */
  candidates: Candidate[];
}

/** A row that failed or is in doubt, with the reason. */
export interface UnresolvedRow<Row> extends LedgerEntry {
  row?: Row | undefined;
}

/** The lists in a report, by the field that counts their rows. */
const lists = {
  failed: 'failedRows',
  unknown: 'unknownRows',
  changed: 'changedRows',
  updated: 'changedRows',
  conflicts: 'conflictRows',
  gone: 'goneRows',
  stale: 'staleRows',
} as const;

type Lists = typeof lists;

const maxRows = 1000;

/** Counts an import's results. */
export class Tally<Row> {
  readonly #startedAt = performance.now();
  readonly counts = {
    read: 0,
    created: 0,
    recovered: 0,
    skipped: 0,
    changed: 0,
    updated: 0,
    archived: 0,
    deleted: 0,
    conflicts: 0,
    gone: 0,
    stale: 0,
    duplicates: 0,
    failed: 0,
    unknown: 0,
    inFlight: 0,
    requests: 0,
    recreated: 0,
  };
  readonly #waiting: Record<ImportStatus, number> = { running: 0, rate_limited: 0, unavailable: 0 };
  readonly #rows: Pick<ImportReport<Row>, Lists[keyof Lists] | 'suspectedDuplicates'> = {
    changedRows: [],
    conflictRows: [],
    goneRows: [],
    staleRows: [],
    failedRows: [],
    unknownRows: [],
    suspectedDuplicates: [],
  };
  readonly #onUnresolved: (row: UnresolvedRow<Row>) => void;
  blockedRemovals = 0;

  constructor(onUnresolved: (row: UnresolvedRow<Row>) => void) {
    this.#onUnresolved = onUnresolved;
  }

  add(name: keyof Tally<Row>['counts'], count = 1): void {
    this.counts[name] += count;
  }

  /** Counts a row. Adds it to the report unless the report's limit has been reached. */
  addRow<Kind extends keyof Lists>(kind: Kind, row: ImportReport<Row>[Lists[Kind]][number]): void {
    this.counts[kind]++;
    const rows: (typeof row)[] = this.#rows[lists[kind]];
    if (rows.length < maxRows) rows.push(row);
    if (kind === 'failed' || kind === 'unknown') this.#onUnresolved(row as UnresolvedRow<Row>);
  }

  addSuspected(duplicate: SuspectedDuplicate): void {
    const { suspectedDuplicates } = this.#rows;
    if (suspectedDuplicates.length < maxRows) suspectedDuplicates.push(duplicate);
  }

  /** @returns a function to call when the row continues */
  wait(status: ImportStatus): () => void {
    this.#waiting[status]++;
    return () => this.#waiting[status]--;
  }

  progress(): ImportProgress {
    const { created, recovered, skipped, duplicates, failed, unknown, updated, gone, stale, requests } =
      this.counts;
    const durationMs = performance.now() - this.#startedAt;
    const perMinute = (count: number) => Math.round((count / Math.max(durationMs, 1)) * 600_000) / 10;
    return {
      ...this.counts,
      status: this.#waiting.unavailable
        ? 'unavailable'
        : this.#waiting.rate_limited
          ? 'rate_limited'
          : 'running',
      finished: created + recovered + skipped + duplicates + failed + unknown + updated + gone + stale,
      durationMs: Math.round(durationMs),
      rowsPerMinute: perMinute(created + recovered + updated),
      requestsPerMinute: perMinute(requests),
    };
  }

  report(stopped: boolean): ImportReport<Row> {
    return {
      ...this.progress(),
      stopped,
      blockedRemovals: this.blockedRemovals,
      ...this.#rows,
    };
  }
}
