import {
  AuthenticationError,
  ConfigurationError,
  InvalidRequestError,
  PermissionDeniedError,
  RateLimitError,
  WorktrackError,
} from '../../../src/errors/index.js';
import { Interrupted } from './import-stop.js';
import { type Ledger, LedgerError } from './ledger.js';
import type { Candidate, LedgerEntry } from './ledger-entry.js';
import type { ServerClock } from './record-age.js';
import type { SyncOperation } from './sync/operation.js';
import type { ImportedRecord, ImportTarget, RequestContext } from './target.js';

/** State shared by all attempts of an import. */
export interface AttemptContext extends RequestContext {
  ledger: Ledger;
  /** Updated by each attempt. */
  clock: ServerClock;
  /** How much earlier than the row's start a record can have been created, in milliseconds. */
  tolerance: number;
}

/** Makes one attempt to import or sync a row. Attempts are made until the row has a result. */
export type Attempt = (context: AttemptContext) => Promise<AttemptResult>;

export type AttemptResult = RowResult | Retry | RateLimited | Fatal;

/** A row's final result, as counted in the report. */
export type RowResult =
  | RowWithRecord
  /** The record was updated or removed, or there was nothing to write. */
  | { is: 'synced'; operation: SyncOperation }
  /** The record or the ledger has changed since the plan was reviewed. */
  | { is: 'stale' }
  /** The row was re-created. The candidates may be its first record. */
  | { is: 'searched'; candidates: Candidate[] }
  | { is: 'failed'; entry: LedgerEntry }
  /**
   * The row is in doubt. The entry contains the reason. If `mayResolve` is true, the results of other rows
   * may resolve the doubt.
   */
  | { is: 'unknown'; entry: LedgerEntry; mayResolve: boolean };

/** A row whose record was created or found. */
export interface RowWithRecord {
  is: 'created' | 'recovered';
  record: ImportedRecord;
  fields: LedgerEntry['fields'];
  /**
   * The row's entry if the row was re-created. A row is re-created if a search doesn't find its first record.
   * See `searchAgain`.
   */
  recreated?: LedgerEntry | undefined;
}

/** The row must be retried later. */
export interface Retry {
  is: 'retry';
  error: unknown;
  /** Whether the record may exist. If so, the next attempt looks for it. */
  inDoubt: boolean;
  /** Set if the API reported success. The record then exists, but its ID is unknown. */
  performed?: true;
}

/** All rows have to wait. */
export interface RateLimited {
  is: 'rate_limited';
  /** The wait in milliseconds, if the API specified it. */
  delay: number | undefined;
}

/** No row can be imported. */
export interface Fatal {
  is: 'fatal';
  error: unknown;
}

/** Thrown if the API reports success without a usable record ID. */
export class UnknownRecord extends Error {
  constructor() {
    super('the API reported success without a record ID');
  }
}

/**
 * Returns what an error means for the row whose request failed. If the result is `failed`, nothing was created
 * or changed, and retrying won't help.
 *
 * @throws the error itself if it doesn't come from a request
 */
export function failureOf(
  error: unknown,
  target: Pick<ImportTarget<never>, 'isFatal'>,
): { is: 'failed' } | Retry | RateLimited | Fatal {
  if (error instanceof Interrupted || error instanceof LedgerError) throw error;
  const retry: Retry = { is: 'retry', error, inDoubt: false };
  const performed: Retry = { ...retry, inDoubt: true, performed: true };
  if (error instanceof UnknownRecord) return performed;
  // This error isn't from the client, so the request may or may not have been sent.
  if (!(error instanceof WorktrackError))
    return target.isFatal?.(error) ? { is: 'fatal', error } : { ...retry, inDoubt: true };
  const { outcome, status } = error as typeof error & { status?: number };
  if (outcome === 'done') return performed;
  if (outcome === 'unknown') return { ...retry, inDoubt: true };
  if (affectsAllRows(error) || target.isFatal?.(error)) return { is: 'fatal', error };
  if (error instanceof RateLimitError) {
    const { retryAfter } = error;
    return { is: 'rate_limited', delay: retryAfter === undefined ? undefined : retryAfter * 1000 };
  }
  if (outcome === 'rejected') return temporaryStatuses.includes(status ?? 0) ? retry : { is: 'failed' };
  return error instanceof InvalidRequestError ? { is: 'failed' } : retry;
}

/** Checks the class, because a server can send any error code. */
const affectsAllRows = (error: unknown) =>
  error instanceof ConfigurationError ||
  error instanceof AuthenticationError ||
  error instanceof PermissionDeniedError;

const temporaryStatuses = [425, 500, 502, 503, 504];

/** Returns the result of an attempt whose request failed without creating or changing anything. */
export function retryOrStop(
  error: unknown,
  target: Pick<ImportTarget<never>, 'isFatal'>,
  inDoubt = false,
): Retry | RateLimited | Fatal {
  const failure = failureOf(error, target);
  return failure.is === 'fatal' || failure.is === 'rate_limited' ? failure : { is: 'retry', error, inDoubt };
}
