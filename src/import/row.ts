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
import { Interrupted } from './import-stop.js';
import { isInDoubt, type LedgerEntry, LedgerError, type RowError } from './ledger.js';
import type { ImportedRecord, ImportTarget } from './target.js';

/** Reads rows from any iterable, one at a time and on demand. */
export class RowSource<Row> {
  readonly #iterator: Iterator<Row> | AsyncIterator<Row>;
  #reading: Promise<unknown> = Promise.resolve();
  #isDone = false;

  constructor(rows: Iterable<Row> | AsyncIterable<Row>) {
    this.#iterator = Symbol.asyncIterator in rows ? rows[Symbol.asyncIterator]() : rows[Symbol.iterator]();
  }

  /** @returns undefined after the last row */
  next(): Promise<{ row: Row } | undefined> {
    const next = this.#reading.then(async () => {
      if (this.#isDone) return undefined;
      try {
        const result = await this.#iterator.next();
        if (!result.done) return { row: result.value };
      } catch (error) {
        this.#isDone = true;
        throw error;
      }
      this.#isDone = true;
      return undefined;
    });
    this.#reading = next.catch(() => {});
    return next;
  }

  /**
   * Tells the iterator to release its resources, such as an open file. Doesn't wait for it, because a pending
   * row may never arrive.
   */
  close(): void {
    if (this.#isDone) return;
    this.#isDone = true;
    // Errors are ignored. The async function is needed because a synchronous iterator throws instead of
    // rejecting.
    (async () => this.#iterator.return?.())().catch(() => {});
  }
}

/** A row with its payload, ready to import. */
export interface PreparedRow<Row, Payload = unknown> {
  key: string;
  row: Row;
  payload: Payload;
  fingerprint: string;
  group: string | undefined;
}

/** Converts a row to its payload. All attempts use the same payload. */
export async function prepareRow<Row, Payload, Found extends ImportedRecord>(
  target: ImportTarget<Row, Payload, Found>,
  key: string,
  row: Row,
): Promise<PreparedRow<Row, Payload>> {
  const payload = await target.toPayload(row);
  return { key, row, payload, fingerprint: fingerprintOf(payload), group: target.lookup?.group(payload) };
}

/**
 * Returns the new ledger entry for a row that can't be converted. An in-doubt row stays in doubt, because its
 * record may exist.
 */
export function conversionFailure(key: string, before: LedgerEntry | undefined, cause: unknown) {
  const error = rowError(cause);
  return isInDoubt(before)
    ? { ...before, state: 'unknown' as const, error }
    : { key, state: 'failed' as const, error };
}

/** Returns a row without a payload. Used if a row is missing from the source or can't be converted. */
export const rowWithoutPayload = <Row>(key: string, row: Row, fingerprint = ''): PreparedRow<Row> => ({
  key,
  row,
  payload: undefined,
  fingerprint,
  group: undefined,
});

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
export function classifyError(error: unknown, target: Pick<ImportTarget<unknown>, 'isFatal'>): Verdict {
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

/** Returns the wait that a 429 response requests, in milliseconds. */
export const pauseOf = (error: unknown): number | undefined => {
  const { retryAfter } = error as { retryAfter?: number };
  return retryAfter === undefined ? undefined : retryAfter * 1000;
};

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
