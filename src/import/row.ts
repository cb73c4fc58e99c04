import { describeThrown } from '../shared/describe-thrown.js';
import { shorten } from '../shared/quote.js';
import { fingerprintOf } from './digest-table.js';
import { isInDoubt, type Ledger, type LedgerEntry, type RowError } from './ledger.js';
import type { ImportTarget } from './target.js';

/** A row with its payload, ready to import. */
export interface PreparedRow<Row> {
  key: string;
  row: Row;
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
  row: Row,
): Promise<PreparedRow<Row>> {
  const payload = await target.toPayload(row);
  return { key, row, payload, fingerprint: fingerprintOf(payload), group: target.lookup?.group(payload) };
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
