import { createHash } from 'node:crypto';
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

/** Returns the digest of a payload that a ledger stores as its `fingerprint`, ignoring the order of its fields. */
export const fingerprintOf = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(value, sorted) ?? 'undefined')
    .digest('hex')
    .slice(0, 8);

function sorted(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const fields = value as Record<string, unknown>;
  const names = Object.keys(fields).sort();
  return Object.fromEntries(names.map((name) => [name, fields[name]]));
}
