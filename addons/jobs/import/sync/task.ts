import { isDeepStrictEqual } from 'node:util';
import { ConfigurationError } from '../../../../src/errors/index.js';
import type { LedgerEntry } from '../ledger-entry.js';
import { type PreparedRow, rowWithoutPayload } from '../row.js';
import { titleOf } from '../search.js';
import type { ImportedRecord } from '../target.js';
import {
  type ConflictWinner,
  editedFields,
  type FieldConflict,
  type FieldValues,
  mergeFields,
  type SyncFields,
  syncedFields,
} from './fields.js';
import type { NoOperation, SyncOperation } from './operation.js';

/** A row to sync. */
export interface SyncRow<Row> {
  row: PreparedRow<Row>;
  /** The values that the row sets. Undefined if the row is missing from the source. */
  values: FieldValues | undefined;
  /** The row's ledger entry, if it has a record. */
  entry: LinkedEntry | undefined;
}

/** A row and the operation that a sync performs for it. */
export interface SyncTask<Row> extends SyncRow<Row> {
  operation: SyncOperation;
  /** The entry to store in the ledger if nothing is written to the record. */
  next?: LinkedEntry | undefined;
}

export type LinkedEntry = LedgerEntry & { recordId: string };

/** The options that determine a sync's operations. */
export interface SyncPolicy {
  onConflict: ConflictWinner | ((conflict: FieldConflict & { key: string }) => ConflictWinner);
  onGone: 'report' | 'recreate';
  onMissing?: 'keep' | 'archive' | 'delete' | undefined;
}

/** Returns a task that does nothing, for a row that has no record. */
export const taskWithoutEntry = <Row>(operation: NoOperation, row = undefined as Row): SyncTask<Row> => ({
  row: rowWithoutPayload(operation.key, row),
  operation,
  entry: undefined,
  values: undefined,
});

/**
 * Chooses the operation for a row that has or had a record.
 *
 * @param record the record's current content, or undefined if it doesn't exist
 */
export function decide<Row, Found extends ImportedRecord>(
  fields: SyncFields<Found>,
  { row, values, entry }: SyncRow<Row> & { entry: LinkedEntry },
  record: Found | undefined,
  policy: SyncPolicy,
): SyncTask<Row> {
  const { key, recordId } = entry;
  const winnerOf = (conflict: FieldConflict) => chooseWinner(policy.onConflict, { ...conflict, key });
  if (!values) return { row, values, entry, ...decideRemoval(fields, entry, record, policy, winnerOf) };
  const title = titleOf(values) ?? record?.title;
  if (!record) {
    const operation: SyncOperation =
      entry.removed === 'deleted' || policy.onGone === 'recreate'
        ? { type: 'recreate', key, title, after: values }
        : { type: 'gone', key, title, recordId };
    return { row, values, entry, operation };
  }
  // If the sync itself archived the record, that doesn't count as a change by a user.
  const revives = entry.removed === 'archived' && fields.archived?.read(record) === true;
  const wanted = revives && values.archived === undefined ? { ...values, archived: false } : values;
  const { changes, conflicts, synced } = mergeFields(
    fields,
    wanted,
    record,
    entry,
    row.fingerprint,
    winnerOf,
  );
  const operation: SyncOperation =
    Object.keys(changes).length > 0
      ? { type: revives ? 'revive' : 'update', key, title, recordId, changes, conflicts }
      : { type: conflicts.length > 0 ? 'conflict' : 'unchanged', key, title, recordId, conflicts };
  return { row, values: wanted, entry, operation, next: doneEntry(row, recordId, synced) };
}

/** @throws ConfigurationError if the function doesn't return a winner, for example because it's asynchronous */
function chooseWinner(
  onConflict: SyncPolicy['onConflict'],
  conflict: FieldConflict & { key: string },
): ConflictWinner {
  const winner = typeof onConflict === 'function' ? onConflict(conflict) : onConflict;
  if (conflictWinners.includes(winner)) return winner;
  throw new ConfigurationError(`sync: option "onConflict" must return one of: ${conflictWinners.join(', ')}`);
}

const conflictWinners: readonly ConflictWinner[] = ['report', 'source', 'target'];

/** Chooses the operation for a record whose row is missing from the source. */
function decideRemoval<Found extends ImportedRecord>(
  fields: SyncFields<Found>,
  entry: LinkedEntry,
  record: Found | undefined,
  { onMissing }: SyncPolicy,
  winnerOf: (conflict: FieldConflict) => ConflictWinner,
): Pick<SyncTask<never>, 'operation' | 'next'> {
  const { key, recordId } = entry;
  const type = onMissing === 'delete' ? 'delete' : 'archive';
  const nextEntry = (removed: LedgerEntry['removed'], known = entry.fields) =>
    doneEntry(entry, recordId, known, removed);
  const unchanged = { type: 'unchanged', key, recordId } as const;
  if (!record) return { operation: unchanged, next: nextEntry('deleted') };
  if (type === 'archive' && fields.archived?.read(record) === true) {
    if (entry.removed !== 'archived') return { operation: unchanged, next: nextEntry('kept') };
    // The previous run archived the record but was stopped before recording that.
    const { archived } = syncedFields(fields, { archived: true }, record);
    const known = { ...entry.fields, ...(archived && { archived }) };
    return { operation: unchanged, next: nextEntry('archived', known) };
  }
  const title = record.title;
  const edits = editedFields(fields, record, entry.fields).map((field) => {
    const conflict = { field, source: undefined, target: fields[field]?.read(record) };
    return { conflict, winner: winnerOf(conflict) };
  });
  if (edits.every(({ winner }) => winner === 'source')) return { operation: { type, key, title, recordId } };
  const conflicts = edits.filter(({ winner }) => winner === 'report').map(({ conflict }) => conflict);
  const reason = conflicts.length > 0 ? 'conflict' : 'unchanged';
  return { operation: { type: reason, key, title, recordId, conflicts }, next: nextEntry('kept') };
}

/** Returns the ledger entry for a row that has been synced. */
export const doneEntry = (
  { key, fingerprint = '' }: Pick<LedgerEntry, 'key' | 'fingerprint'>,
  recordId: string,
  fields: LedgerEntry['fields'],
  removed?: LedgerEntry['removed'],
): LinkedEntry => ({ key, state: 'done', recordId, fingerprint, fields, ...(removed && { removed }) });

/** Returns whether the ledger must be updated even though nothing is written to the record. */
export const hasNews = <Row>({ entry, next }: SyncTask<Row>): boolean =>
  entry !== undefined &&
  next !== undefined &&
  (entry.pending !== undefined ||
    entry.removed !== next.removed ||
    (entry.fingerprint ?? '') !== next.fingerprint ||
    !isDeepStrictEqual({ ...entry.fields }, { ...next.fields }));

/**
 * Finds the rows that are missing from the source and whose records haven't been removed yet.
 *
 * `maxRemovals` defaults to 10% of the rows whose records haven't been removed, but at least 10. Rows that this sync
 * has added don't raise the default, because the wrong source can contain any number of new rows.
 *
 * @returns the missing rows, and whether the source is probably incomplete because too many rows are newly missing
 */
export function findMissing<Entry extends LedgerEntry>(
  entries: readonly Entry[],
  isSeen: (key: string) => boolean,
  { read, added = 0, maxRemovals }: { read: number; added?: number; maxRemovals: number | undefined },
): { missing: Entry[]; isBlocked: boolean } {
  // If a row was removed and is in the source again, it has a record again.
  const live = entries.filter((entry) => isSeen(entry.key) || !isRemoved(entry));
  const missing = live.filter(({ key }) => !isSeen(key));
  const newlyMissing = missing.filter(({ removed }) => removed !== 'kept');
  const limit = maxRemovals ?? Math.max(10, Math.floor((live.length - added) / 10));
  return { missing, isBlocked: read === 0 || newlyMissing.length > limit };
}

/**
 * Whether a sync archived or deleted the row's record. If the entry has `pending`, the removal was started
 * but may not have finished.
 */
export const isRemoved = ({ removed, pending }: LedgerEntry): boolean =>
  (removed === 'archived' || removed === 'deleted') && !pending;
