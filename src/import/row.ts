import {
  AuthenticationError,
  ConfigurationError,
  InvalidRequestError,
  PermissionDeniedError,
  RateLimitError,
  WorktrackError,
} from '../errors/index.js';
import { describeThrown } from '../shared/describe-thrown.js';
import { shorten } from '../shared/quote.js';
import { fingerprintOf } from './digest-table.js';
import {
  type Candidate,
  isInDoubt,
  type Ledger,
  type LedgerEntry,
  LedgerError,
  type RowError,
} from './ledger.js';
import { Interrupted } from './run-control.js';
import type { SyncOperation } from './sync/operation.js';
import type { ImportedRecord, ImportTarget, RequestContext } from './target.js';

/** A row with its payload, ready to import. */
export interface PreparedRow<Row> {
  key: string;
  /** The row as the source contains it. */
  original: Row;
  payload: unknown;
  fingerprint: string;
  group: string | undefined;
}

/** @throws TypeError if the row's key isn't valid */
export function checkKey(key: unknown, index: number): void {
  if (typeof key !== 'string' || key === '')
    throw new TypeError(`the key of row ${index} must be a non-empty string`);
}

/** Converts a row to its payload. All attempts use the same payload. */
export async function prepareRow<Row>(
  target: ImportTarget<Row>,
  key: string,
  original: Row,
): Promise<PreparedRow<Row>> {
  const payload = await target.toPayload(original);
  return {
    key,
    original,
    payload,
    fingerprint: fingerprintOf(payload),
    group: target.lookup?.group(payload),
  };
}

/** Returns a row without a payload. Used if a row is missing from the source or can't be converted. */
export const rowWithoutPayload = <Row>(key: string, original: Row, fingerprint = ''): PreparedRow<Row> => ({
  key,
  original,
  payload: undefined,
  fingerprint,
  group: undefined,
});

/** State shared by all steps of an import. */
export interface StepContext extends RequestContext {
  ledger: Ledger;
  /** Updated by each step. */
  clock: ServerClock;
  /** The maximum time by which a record's creation can predate the row's start, in milliseconds. */
  tolerance: number;
}

/** Estimates the time on the API's server. The import needs it to tell new records from older ones. */
export class ServerClock {
  /** When the API last responded to a search, according to this process's monotonic clock. */
  reachedAt = Number.NEGATIVE_INFINITY;
  #latest: { createdAt: string; setAt: number } | undefined;

  /** @param createdAt the `created_at` of a record that was just created */
  set(createdAt: string): void {
    this.#latest = { createdAt, setAt: performance.now() };
  }

  /**
   * Returns the time on the server: the `created_at` of the last record, plus the whole seconds since then.
   *
   * The result can be too early, because this machine's clock stops while the machine is suspended. It must
   * never be too late, because the import wouldn't recognize a record that seems too old. So it allows for a
   * clock that is slightly faster than the server's.
   *
   * @returns undefined if the time is unknown
   */
  now(): string | undefined {
    if (!this.#latest) return undefined;
    const { createdAt, setAt } = this.#latest;
    const seconds = Math.floor(((performance.now() - setAt) / 1000) * slowest);
    const time = Date.parse(createdAt) + seconds * 1000;
    return seconds > 0 && !Number.isNaN(time) ? new Date(time).toISOString() : createdAt;
  }
}

/** The minimum speed of the server's clock, relative to this machine's clock. */
const slowest = 0.999;

/** The result of a row's step. A row is performed step by step until a step is final. */
export type Step = FinalStep | RetryStep;

export type FinalStep =
  | ClaimedRecord
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

/** The record that belongs to a row. */
export interface ClaimedRecord {
  is: 'created' | 'recovered';
  record: ImportedRecord;
  fields: LedgerEntry['fields'];
  /**
   * The row's entry if the row was re-created. A row is re-created if a search doesn't find its first record.
   * See `searchAgain`.
   */
  recreated?: LedgerEntry | undefined;
}

/** The result of a step whose request didn't create or change anything, or whose response was lost. */
export type RetryStep =
  /** Retry the row later. If `inDoubt` is true, the record may exist, and the next step looks for it. */
  | { is: 'retry'; inDoubt: boolean; error: unknown }
  /** All rows have to wait. `delay` is the wait in milliseconds, if the API specified it. */
  | { is: 'paused'; delay: number | undefined }
  | FatalStep;

/** No row can be imported. */
export interface FatalStep {
  is: 'fatal';
  error: unknown;
}

/** Returns the step that follows a request that didn't create or change anything. */
export function retryStep(
  error: unknown,
  target: Pick<ImportTarget<never>, 'isFatal'>,
  inDoubt = false,
): RetryStep {
  const verdict = classifyError(error, target);
  if (verdict === 'fatal') return { is: 'fatal', error };
  if (verdict !== 'paused') return { is: 'retry', inDoubt, error };
  const { retryAfter } = error as RateLimitError;
  return { is: 'paused', delay: retryAfter === undefined ? undefined : retryAfter * 1000 };
}

/**
 * What an error means for the row being created:
 *
 * - `failed`: nothing was created, and retrying won't help.
 * - `retry`: nothing was created, and a retry may succeed.
 * - `paused`: the rate limit was reached, so all rows have to wait.
 * - `inDoubt`: the record may exist.
 * - `performed`: the record exists, but its ID is unknown.
 * - `fatal`: no row can be created.
 */
export type Verdict = 'failed' | 'retry' | 'paused' | 'inDoubt' | 'performed' | 'fatal';

const passingStatuses = [425, 500, 502, 503, 504];

/** @throws the error itself if it doesn't come from a request */
export function classifyError(error: unknown, target: Pick<ImportTarget<never>, 'isFatal'>): Verdict {
  if (error instanceof Interrupted || error instanceof LedgerError) throw error;
  // This error isn't from the client, so the request may or may not have been sent.
  if (!(error instanceof WorktrackError)) return target.isFatal?.(error) ? 'fatal' : 'inDoubt';
  const { outcome, status } = error as typeof error & { status?: number };
  if (outcome === 'done') return 'performed';
  if (outcome === 'unknown') return 'inDoubt';
  if (isFatal(error) || target.isFatal?.(error)) return 'fatal';
  if (error instanceof RateLimitError) return 'paused';
  if (outcome === 'rejected') return passingStatuses.includes(status ?? 0) ? 'retry' : 'failed';
  return error instanceof InvalidRequestError ? 'failed' : 'retry';
}

/** Whether the error affects every row. Checks the class, because a server can send any error code. */
const isFatal = (error: unknown) =>
  error instanceof ConfigurationError ||
  error instanceof AuthenticationError ||
  error instanceof PermissionDeniedError;

/**
 * Stores that a row failed. An in-doubt row stays in doubt, because its record may exist. A row with a record
 * keeps its ledger entry.
 *
 * @returns the entry to report
 */
export async function failRow(
  ledger: Ledger,
  { key, fingerprint, group }: Pick<LedgerEntry, 'key' | 'fingerprint' | 'group'>,
  error: RowError,
): Promise<LedgerEntry> {
  const before = await ledger.get(key);
  if (before?.state === 'done') return { key, state: 'failed', error };
  const entry: LedgerEntry = isInDoubt(before)
    ? { ...before, state: 'unknown', error }
    : { key, state: 'failed', fingerprint, group, error };
  await ledger.put(entry);
  return entry;
}

/** Converts an error to plain data for the ledger, limited to a few kilobytes. */
export function rowError(error: unknown): RowError {
  if (!(error instanceof Error)) return { message: describeThrown(error) };
  const { message, code, status, fieldErrors } = error as Error & RowError;
  const fields = Object.entries(fieldErrors ?? {})
    .slice(0, maxFields)
    .map(([name, messages]) => [
      shorten(name, 100),
      [messages]
        .flat()
        .slice(0, maxMessages)
        .map((text) => shorten(String(text), 200)),
    ]);
  return {
    message: shorten(message, 1000),
    ...(code !== undefined && { code: shorten(String(code), 100) }),
    ...(status && { status }),
    ...(fields.length > 0 && { fieldErrors: Object.fromEntries(fields) }),
  };
}

/** The maximum number of fields in an entry. A server can send any number. */
const maxFields = 20;
/** The maximum number of messages to store for each field. A server can send any number. */
const maxMessages = 5;
