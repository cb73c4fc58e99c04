import type { LedgerEntry } from './ledger.js';

/** How far an import has come. */
export interface ImportProgress {
  /** Rows read so far. */
  read: number;
  /** Rows that are settled in this run: all of the counts below except `inFlight`. */
  settled: number;
  /** Records created by this run. */
  created: number;
  /** Rows in doubt whose record was found. */
  recovered: number;
  /** Rows that were done before this run. */
  skipped: number;
  /** Of the skipped rows, those that have changed since; their records were left as they are. */
  changed: number;
  /** Rows whose key was read before in this run, with the same content. */
  duplicates: number;
  /** Rows that weren't created. */
  failed: number;
  /** Rows that may or may not have been created. */
  unknown: number;
  /** Rows in work. */
  inFlight: number;
  /** Requests sent by this run, lookups and retries included. */
  requests: number;
  /** Milliseconds since the start. */
  durationMs: number;
  /** Rows that this run created or recovered, per minute. */
  rowsPerMinute: number;
  /** Requests per minute. */
  requestsPerMinute: number;
}

/** What has become of an import. */
export interface ImportReport<Row> extends ImportProgress {
  /** Whether the signal stopped it before the end of the rows. */
  stopped: boolean;
  /** The first thousand rows that failed, with the reason; the ledger has all of them. */
  failedRows: SettledRow<Row>[];
  /**
   * The first thousand rows in doubt, with their candidates; the ledger has all of them. A row that the
   * ledger has in doubt, but that wasn't among the rows, has no `row`.
   */
  unknownRows: SettledRow<Row>[];
}

/** A row that isn't done, and why. */
export interface SettledRow<Row> extends LedgerEntry {
  row?: Row | undefined;
}

const mostRows = 1000;

/** Counts what happens during an import. */
export class Tally<Row> {
  readonly #began = performance.now();
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
    if (this.#rows[kind].length < mostRows) this.#rows[kind].push(row);
  }

  progress(): ImportProgress {
    const { created, recovered, skipped, duplicates, failed, unknown, requests } = this.#counts;
    const durationMs = performance.now() - this.#began;
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
