import { fingerprintOf } from './digest-table.js';
import type { ImportTarget } from './target.js';

/** A row with its payload, ready to import. */
export interface PreparedRow<Row> {
  key: string;
  /** The row as it appears in the source. */
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
