import type { LedgerEntry } from './ledger.js';

/** An import's progress. */
export interface ImportProgress {
  /** The number of rows read so far. */
  read: number;
  /**
   * The number of rows this run has finished: the sum of `created`, `recovered`, `skipped`, `duplicates`,
   * `failed`, and `unknown`.
   */
  settled: number;
  /** The number of records this run created. */
  created: number;
  /** The number of in-doubt rows whose records were found. */
  recovered: number;
  /** The number of rows already done before this run. */
  skipped: number;
  /** The number of skipped rows that have changed since they were imported. Their records weren't updated. */
  changed: number;
  /** The number of rows with the same key and content as an earlier row in this run. */
  duplicates: number;
  /** The number of rows that couldn't be created. */
  failed: number;
  /** The number of rows that may or may not have been created. */
  unknown: number;
  /** The number of rows in progress. */
  inFlight: number;
  /** The number of requests this run sent, including lookups and retries. */
  requests: number;
  /** The elapsed time, in milliseconds. */
  durationMs: number;
  /** The number of rows created or recovered per minute. */
  rowsPerMinute: number;
  /** The number of requests sent per minute. */
  requestsPerMinute: number;
}

/** The result of an import. */
export interface ImportReport<Row> extends ImportProgress {
  /** Whether the import was stopped early. */
  stopped: boolean;
  /**
   * The first 1,000 failed rows, with the reasons. The ledger contains all of them, except rows that reuse a
   * key.
   */
  failedRows: SettledRow<Row>[];
  /**
   * The first 1,000 in-doubt rows, with their candidates. The ledger contains all of them. `row` is undefined
   * if the row is in the ledger but not in the input.
   */
  unknownRows: SettledRow<Row>[];
}

/** A row that failed or is in doubt, with the reason. */
export interface SettledRow<Row> extends LedgerEntry {
  row?: Row | undefined;
}

const maxRows = 1000;

/** Counts an import's results. */
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

  addRow(kind: 'failed' | 'unknown', row: SettledRow<Row>): void {
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
