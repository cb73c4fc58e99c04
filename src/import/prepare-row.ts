import { fingerprintOf } from './digest-table.js';
import { isInDoubt, type LedgerEntry } from './ledger.js';
import { rowError } from './row-error.js';
import type { ImportedRecord, ImportTarget } from './target.js';

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
 * Returns the new entry of a row that can't be converted. An in-doubt row stays in doubt, because its record
 * may exist.
 */
export function conversionFailure(key: string, before: LedgerEntry | undefined, cause: unknown) {
  const error = rowError(cause);
  return isInDoubt(before)
    ? { ...before, state: 'unknown' as const, error }
    : { key, state: 'failed' as const, error };
}
