import type { LedgerEntry } from './ledger.js';

/** The progress of an import. */
export interface ImportProgress {
  /** The number of rows read so far. */
  read: number;
  /**
   * The number of rows that this run has finished: the sum of the counts below, except `changed` and
   * `inFlight`.
   */
  settled: number;
  /** The number of records that this run created. */
  created: number;
  /** The number of rows in doubt whose record was found. */
  recovered: number;
  /** The number of rows that were done before this run. */
  skipped: number;
  /** The number of skipped rows that have changed since they were imported. Their records weren't updated. */
  changed: number;
  /** The number of rows whose key was read before in this run, with the same content. */
  duplicates: number;
  /** The number of rows that couldn't be created. */
  failed: number;
  /** The number of rows that may or may not have been created. */
  unknown: number;
  /** The number of rows in progress. */
  inFlight: number;
  /** The number of requests that this run sent, including lookups and retries. */
  requests: number;
  /** The time since the start, in milliseconds. */
  durationMs: number;
  /** The number of rows that this run created or recovered per minute. */
  rowsPerMinute: number;
  /** The number of requests per minute. */
  requestsPerMinute: number;
}

/** The result of an import. */
export interface ImportReport<Row> extends ImportProgress {
  /** Whether the signal stopped it before the end of the rows. */
  stopped: boolean;
  /** The first thousand rows that failed, with the reasons. The ledger has all of them. */
  failedRows: SettledRow<Row>[];
  /**
   * The first thousand rows in doubt, with their candidates. The ledger has all of them. An entry has no
   * `row` if the row is in doubt in the ledger but is missing from the input.
   */
  unknownRows: SettledRow<Row>[];
}

/** A row that isn't done, with the reason. */
export interface SettledRow<Row> extends LedgerEntry {
  row?: Row | undefined;
}

const maxRows = 1000;

/** Counts the results during an import. */
export class Tally<Row> {
  readonly #startedAt = performance.now();
  readonly #counts = {
    read: 0,
    created: 0,
    recovered: 0,
    skipped: 0,
    changed: 0,
    duplicates: 0,
    failed: 0,
    unknown: 0,
    inFlight: 0,
    requests: 0,
  };
  readonly #rows: Record<'failed' | 'unknown', SettledRow<Row>[]> = { failed: [], unknown: [] };

  add(name: keyof Tally<Row>['counts'], count = 1): void {
    this.#counts[name] += count;
  }

  get counts() {
    return { ...this.#counts };
  }

  keep(kind: 'failed' | 'unknown', row: SettledRow<Row>): void {
    this.#counts[kind]++;
    if (this.#rows[kind].length < maxRows) this.#rows[kind].push(row);
  }

  progress(): ImportProgress {
    const { created, recovered, skipped, duplicates, failed, unknown, requests } = this.#counts;
    const durationMs = performance.now() - this.#startedAt;
    const perMinute = (count: number) => Math.round((count / Math.max(durationMs, 1)) * 600_000) / 10;
    return {
      ...this.#counts,
      settled: created + recovered + skipped + duplicates + failed + unknown,
      durationMs: Math.round(durationMs),
      rowsPerMinute: perMinute(created + recovered),
      requestsPerMinute: perMinute(requests),
    };
  }

  report(stopped: boolean): ImportReport<Row> {
    return { ...this.progress(), stopped, failedRows: this.#rows.failed, unknownRows: this.#rows.unknown };
  }
}
