import type { FieldValues, SyncFields } from './sync/fields.js';

/** Defines how an import creates a row's record and how it finds the record again. */
export interface ImportTarget<Row, Payload = unknown, Found extends ImportedRecord = ImportedRecord> {
  /** The scope that the ledger is bound to, for example `tickets:prj_1`. */
  readonly scope: string;
  /** Converts a row to its payload. If it throws, the row fails. */
  toPayload(row: Row): Payload | Promise<Payload>;
  /** Creates the record with a single request. */
  create(payload: Payload, context: RequestContext): Promise<Found>;
  /**
   * Returns whether an error affects every row. Such errors stop the import. A 401 always stops the import,
   * and so does a 403, except in a search for a row's record.
   */
  isFatal?(error: unknown): boolean;
  /**
   * Returns whether the API responds to another request, even with an error. Called if a row's last attempt
   * fails with a 502, 503, or 504, which a gateway sends if the API is down. If this function is
   * omitted, the API is assumed to be available.
   */
  isAvailable?(context: RequestContext): Promise<boolean>;
  /** How to find the record of an in-doubt row. If omitted, such rows stay in doubt. */
  readonly lookup?: ImportLookup<Row, Payload, Found> | undefined;
  /** How to read and change the records of rows that were imported earlier. Required for syncs. */
  readonly updates?: RecordUpdates<Payload, Found> | undefined;
}

/** How to read and change the records of rows that were imported earlier. Required for syncs. */
export interface RecordUpdates<Payload, Found extends ImportedRecord> {
  /** The fields that can be written. `archived` is required if records can be archived. */
  readonly fields: SyncFields<Found>;
  /** Returns the values that a row sets, by field. If it throws, the row fails. */
  valuesOf(payload: Payload, context: RequestContext): FieldValues | Promise<FieldValues>;
  /** Returns the values that were sent to create a record. */
  valuesSent(payload: Payload, record: Found): FieldValues;
  /** Returns the payload without the fields that can't be set when a record is created. */
  forCreate(payload: Payload): Payload;
  /** Lists records, page by page. May miss records, which are then read individually. */
  list(context: RequestContext): AsyncIterable<{ data: readonly Found[]; last_page: number }>;
  get(recordId: string, context: RequestContext): Promise<Found>;
  /** Returns the error that `update` would throw because of invalid values, so that a plan can list the error. */
  check?(values: FieldValues): Error | undefined;
  /** Writes the given fields. Called again if the response is lost. */
  update(record: Found, values: FieldValues, context: RequestContext): Promise<Found>;
  delete(recordId: string, context: RequestContext): Promise<unknown>;
}

/** How to find the record of an in-doubt row. */
export interface ImportLookup<Row, Payload, Found extends ImportedRecord> {
  /**
   * Returns the row's group. If a search for one row can find another row's record, both rows must be in the
   * same group. Rows in a group are created one at a time so that a search can't find a record that is being
   * created for another row.
   */
  group(payload: Payload): string;
  /**
   * Searches for the records that may have been created from the row. Must return every record that exists
   * throughout the search.
   */
  find(payload: Payload, context: LookupContext): AsyncIterable<Found>;
  /** Returns whether the record was created from the row. */
  match(payload: Payload, record: Found, row: Row): MatchResult | Promise<MatchResult>;
  /**
   * Whether `match` recognizes records by the row's identity instead of its content. If true, records that
   * existed before the import aren't excluded.
   */
  readonly isIdentity?: boolean | undefined;
}

/**
 * How well a record matches a row:
 *
 * - `exact`: they're identical.
 * - `yes`: the titles differ only in capitalization, spacing, or escaping.
 * - `maybe`: a person must decide.
 * - `no`: they don't match.
 */
export type MatchResult = 'exact' | 'yes' | 'maybe' | 'no';

/** The record fields the import needs. */
export interface ImportedRecord {
  id: string;
  title?: string | undefined;
  /**
   * When the server created the record. Without this field, the import must search before it creates each
   * record.
   */
  created_at?: string | undefined;
}

/** The context for an import's requests. */
export interface RequestContext {
  signal: AbortSignal;
  /** Adds to the request count in the import report. */
  countRequests(count: number): void;
  /** Waits until another request can be sent. Called before each request. */
  beforeRequest?: (() => Promise<void>) | undefined;
}

/** The context for a search. */
export interface LookupContext extends RequestContext {
  /** Whether the records returned so far include the row's record. If so, the search can stop early. */
  isFound(): boolean;
}
