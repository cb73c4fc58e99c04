/** What an import creates: how one row is created, and how its record is found again. */
export interface ImportTarget<Row, Payload = unknown, Found extends ImportedRecord = ImportedRecord> {
  /** What the ledger is tied to, for example `tickets:prj_1`. */
  readonly scope: string;
  /** Turns a row into what is sent. If it throws, the row fails. */
  toPayload(row: Row): Payload | Promise<Payload>;
  /** Creates the record, in one request. */
  create(payload: Payload, context: RequestContext): Promise<ImportedRecord>;
  /** Whether an error concerns every row, so that the import stops. 401 and 403 always do. */
  isFatal?(error: unknown): boolean;
  /** How records are found that a row in doubt may have become. Without it such rows are parked. */
  readonly lookup?: ImportLookup<Row, Payload, Found> | undefined;
}

/** Finds the record of a row in doubt. */
export interface ImportLookup<Row, Payload, Found extends ImportedRecord> {
  /**
   * Names the rows whose records one search finds. Rows of one group are created one at a time, so that
   * a record found for one of them can't be the one that another is about to receive.
   */
  group(payload: Payload): string;
  /** Finds the records that the row may have become. */
  find(payload: Payload, context: RequestContext): AsyncIterable<Found>;
  /** Whether the row has become this record: `maybe` parks the row instead of guessing. */
  match(payload: Payload, record: Found, row: Row): Match | Promise<Match>;
}

export type Match = 'yes' | 'maybe' | 'no';

/** What the import needs to know about a record. */
export interface ImportedRecord {
  id: string;
  title?: string | undefined;
  created_at?: string | undefined;
}

/** What comes with each request of an import. */
export interface RequestContext {
  signal: AbortSignal;
  /** Reports requests that were sent, for the import's report. */
  countRequests(count: number): void;
}
