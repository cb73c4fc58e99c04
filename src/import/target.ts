/** The kind of record that an import creates: how to create the record of a row, and how to find it again. */
export interface ImportTarget<Row, Payload = unknown, Found extends ImportedRecord = ImportedRecord> {
  /** The scope that the ledger is bound to, for example `tickets:prj_1`. */
  readonly scope: string;
  /** Turns a row into its payload. If it throws, the row fails. */
  toPayload(row: Row): Payload | Promise<Payload>;
  /** Creates the record, in one request. */
  create(payload: Payload, context: RequestContext): Promise<ImportedRecord>;
  /** Whether an error concerns every row, so that the import stops. 401 and 403 always do. */
  isFatal?(error: unknown): boolean;
  /** How to find the record of a row in doubt. Without it, such rows are parked. */
  readonly lookup?: ImportLookup<Row, Payload, Found> | undefined;
}

/** How to find the record of a row in doubt. */
export interface ImportLookup<Row, Payload, Found extends ImportedRecord> {
  /**
   * Returns the row's group: rows belong to one group if one search can find the records of all of them. They
   * are created one at a time, so that a record found for one row can't be the one that another is just
   * creating.
   */
  group(payload: Payload): string;
  /** Searches for the records that the row may have become. */
  find(payload: Payload, context: RequestContext): AsyncIterable<Found>;
  /** Whether the row has become this record. `maybe` parks the row instead of guessing. */
  match(payload: Payload, record: Found, row: Row): Match | Promise<Match>;
}

export type Match = 'yes' | 'maybe' | 'no';

/** The fields of a record that the import needs. */
export interface ImportedRecord {
  id: string;
  title?: string | undefined;
  created_at?: string | undefined;
}

/** The context of each request of an import. */
export interface RequestContext {
  signal: AbortSignal;
  /** Adds to the number of requests in the import's report. */
  countRequests(count: number): void;
}
