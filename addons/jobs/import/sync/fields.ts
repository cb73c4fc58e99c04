import {
  type AnySchema,
  fieldsOf,
  type OperationId,
  operationOf,
  parseDateTime,
} from '../../../../src/contract/index.js';
import { asSet, hasUpdateField, readUpdateField } from '../../../shared/update-fields.js';
import { fingerprintOf } from '../digest-table.js';
import type { LedgerEntry } from '../ledger-entry.js';

/** How a field of a record is read and compared. */
export interface SyncField<Found> {
  /** Returns the record's value in the format used in requests. */
  read(record: Found): unknown;
  /** Returns whether the record contains the field. By default, all records do. */
  isIn?(record: Found): boolean;
  /** Normalizes a value for comparison. By default, values are compared as is. */
  normalize?(value: unknown): unknown;
  /**
   * Returns whether the server may have stored `sent` as `received`, for example because it cleans up HTML.
   * By default, the values must be equal.
   */
  isAlike?(sent: unknown, received: unknown): boolean;
}

/** How a sync reads and compares each writable field, by the field's name in requests. */
export type SyncFields<Found> = Readonly<Record<string, SyncField<Found>>>;

/**
 * Returns the fields that an update can write.
 *
 * @param isAlike how to compare the fields whose values servers may change
 */
export function syncFields<Found extends object>(
  operation: OperationId,
  isAlike: Partial<Record<keyof Found, SyncField<Found>['isAlike']>>,
): SyncFields<Found> {
  const names = fieldsOf(operationOf(operation).body as AnySchema).keys();
  return Object.fromEntries(
    Array.from(names, (name) => [name, syncField(name, isAlike[name as keyof Found])]),
  );
}

/** Returns how a sync reads and compares a field, given the field's name in requests. */
export const syncField = <Found extends object>(
  name: string,
  isAlike?: SyncField<Found>['isAlike'],
): SyncField<Found> => ({
  read: (record) => readUpdateField(record, name),
  isIn: (record) => hasUpdateField(record, name),
  normalize: name.endsWith('_at') ? inSeconds : asSet,
  ...(isAlike && { isAlike }),
});

/** Returns whether a record contains all fields. Some servers omit fields from lists. */
export const hasAllFields = <Found>(fields: SyncFields<Found>, record: Found): boolean =>
  Object.values(fields).every(({ isIn }) => isIn?.(record) ?? true);

/** The values that a row sets, by field. */
export type FieldValues = Readonly<Record<string, unknown>>;

/** A field's values before and after an operation. */
export interface FieldChange {
  before: unknown;
  after: unknown;
}

/** A field that changed to different values in the source and in the record since the last sync. */
export interface FieldConflict {
  field: string;
  /** The source's value. */
  source: unknown;
  /** The record's value. */
  target: unknown;
}

/** Which side wins a conflict. `report` doesn't write the field, and reports the conflict on every run. */
export type ConflictWinner = 'report' | 'source' | 'target';

/** How a row's fields differ from those of its record. */
export interface Merge {
  changes: Record<string, FieldChange>;
  conflicts: FieldConflict[];
  /** The digests to store in the ledger if nothing is written. */
  synced: Record<string, string>;
}

/**
 * Merges a row with its record, field by field. Writes a field that changed only in the source since the last
 * sync. Keeps a field that changed only in the record.
 */
export function mergeFields<Found>(
  fields: SyncFields<Found>,
  values: FieldValues,
  record: Found,
  entry: KnownFields,
  fingerprint: string,
  winnerOf: (conflict: FieldConflict) => ConflictWinner,
): Merge {
  const merge: Merge = { changes: {}, conflicts: [], synced: {} };
  for (const [name, field] of Object.entries(fields)) {
    const known = entry.fields?.[name];
    if (known !== undefined) merge.synced[name] = known;
    if (values[name] === undefined && known !== undefined) continue;
    const comparison = comparisonOf(field, values[name], record);
    const { sent, stored, source, target } = comparison;
    let winner: string = compare(field, name, comparison, entry, fingerprint);
    const conflict = { field: name, source, target };
    if (winner === 'conflict') winner = winnerOf(conflict);
    if (winner === 'source') merge.changes[name] = { before: target, after: source };
    else if (winner === 'report') merge.conflicts.push(conflict);
    else if (winner !== 'known') merge.synced[name] = encode(sent, winner === 'edited' ? '' : stored);
  }
  return merge;
}

type KnownFields = Pick<LedgerEntry, 'fields' | 'pending' | 'fingerprint'>;

/**
 * Compares a field in a row with the same field in the row's record, and returns one of these results:
 *
 * - `source`: the source's value must be written.
 * - `known`: the ledger entry is still correct. If the values differ, the field changed only in the record.
 * - `target`: the record is left unchanged, but the ledger entry must be updated.
 * - `edited`: the field may have changed in the record, but the ledger doesn't contain its previous value.
 */
function compare<Found>(
  field: SyncField<Found>,
  name: string,
  { sent, stored, source, target }: ReturnType<typeof comparisonOf>,
  { fields, pending, fingerprint: before }: KnownFields,
  fingerprint: string,
): 'source' | 'known' | 'target' | 'edited' | 'conflict' {
  const last = decode(fields?.[name]);
  if (source === undefined || sent === stored) return 'target';
  // The previous run wrote this value but was stopped before recording the write.
  if (pending?.[name] === stored) return 'source';
  if (last?.stored === stored) return last.sent === sent ? 'known' : 'source';
  if (isAlike(field, source, target)) return 'target';
  if (last?.sent === sent) return 'known';
  return !fields && before === fingerprint ? 'edited' : 'conflict';
}

/** Returns the digests to store in the ledger after a record has been written. */
export function syncedFields<Found>(
  fields: SyncFields<Found>,
  values: FieldValues,
  record: Found,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const { sent, stored, source, target } = comparisonOf(field, values[name], record);
      return [name, encode(source !== undefined && isAlike(field, source, target) ? sent : '', stored)];
    }),
  );
}

/** Returns the names of the fields that changed in the record since the last sync. */
export const editedFields = <Found>(
  fields: SyncFields<Found>,
  record: Found,
  known: LedgerEntry['fields'] = {},
): string[] =>
  Object.entries(fields).flatMap(([name, field]) => {
    const last = decode(known[name]);
    return last && last.stored !== digestOf(field, field.read(record)) ? [name] : [];
  });

/** Returns whether the record's fields match all values that a row sets. */
export const areAlike = <Found>(fields: SyncFields<Found>, values: FieldValues, record: Found): boolean =>
  Object.entries(fields).every(
    ([name, field]) => values[name] === undefined || isAlike(field, values[name], field.read(record)),
  );

/** Returns a field's digest, which the ledger stores. */
export function digestOf<Found>({ normalize }: SyncField<Found>, value: unknown): string {
  const normalized = normalize ? normalize(value) : value;
  const isNullInJson =
    normalized !== null && typeof normalized !== 'string' && JSON.stringify(normalized) === 'null';
  return fingerprintOf(isNullInJson ? invalid(normalized) : normalized);
}

/** Reads a field's values, and computes their digests. If the source has no value, its digest is empty. */
function comparisonOf<Found>(field: SyncField<Found>, source: unknown, record: Found) {
  const target = field.read(record);
  const sent = source === undefined ? '' : digestOf(field, source);
  return { source, target, sent, stored: digestOf(field, target) };
}

const isAlike = <Found>(field: SyncField<Found>, sent: unknown, received: unknown): boolean =>
  digestOf(field, sent) === digestOf(field, received) || (field.isAlike?.(sent, received) ?? false);

/** Formats a field's digests for the ledger. Both are needed because servers normalize values. */
const encode = (sent: string, stored: string) => (sent === stored ? sent : `${sent}:${stored}`);

function decode(text: string | undefined): { sent: string; stored: string } | undefined {
  if (text === undefined) return undefined;
  const [sent = '', stored = sent] = text.split(':');
  return { sent, stored };
}

/** Normalizes a date-time in any format. Drops milliseconds, because servers may not store them. */
function inSeconds(value: unknown): unknown {
  if (value === null || value === undefined) return value;
  const time =
    value instanceof Date ? value.getTime() : typeof value === 'string' ? timeOf(value) : Number.NaN;
  return Number.isNaN(time) ? invalid(value) : Math.floor(time / 1000);
}

function timeOf(text: string): number {
  const [day] = /^\d{4}-\d\d-\d\d/.exec(text) ?? [];
  // `Date` silently turns February 31 into March 3.
  if (day && !parseDateTime(`${day}T00:00:00Z`)) return Number.NaN;
  return (parseDateTime(text) ?? new Date(text)).getTime();
}

/**
 * Normalizes an invalid value. The result differs from all valid values, including null, so that the value is
 * written and the row fails.
 */
const invalid = (value: unknown) => ({ invalid: String(value) });
