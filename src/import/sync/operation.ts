import type { LedgerEntry, RowError } from '../ledger.js';
import { type PreparedRow, rowWithoutPayload } from '../row.js';
import type { ImportedRecord } from '../target.js';
import {
  areAlike,
  type ConflictWinner,
  editedFields,
  type FieldChange,
  type FieldConflict,
  type FieldValues,
  mergeFields,
  type SyncFields,
  syncedFields,
} from './fields.js';

/** An operation that a sync performs for a row. */
export type SyncOperation = CreateOperation | UpdateOperation | RemoveOperation | NoOperation;

interface OperationBase {
  /** The row's key. */
  key: string;
  /** The title of the row or its record. */
  title?: string | undefined;
}

/** Creates a record. */
export interface CreateOperation extends OperationBase {
  /** `recreate` if the row's earlier record was deleted. */
  type: 'create' | 'recreate';
  /** The values that the row sets. */
  after: FieldValues;
}

/** Changes a record's fields. */
export interface UpdateOperation extends OperationBase {
  /** `revive` if the row returned to the source and its record is unarchived. */
  type: 'update' | 'revive';
  recordId: string;
  changes: Readonly<Record<string, FieldChange>>;
  /** The fields that aren't written because they also changed in the record. */
  conflicts: readonly FieldConflict[];
}

/** Archives or deletes the record of a row that is missing from the source. */
export interface RemoveOperation extends OperationBase {
  type: 'archive' | 'delete';
  recordId: string;
}

/** Does nothing. `type` is the reason. */
export interface NoOperation extends OperationBase {
  /**
   * - `conflict`: the same fields changed in both the source and the record, or the row is missing but its
   *   record was edited.
   * - `gone`: the record was deleted.
   * - `stale`: the operation doesn't match the reviewed plan, because the source or the record has changed
   *   since the review. If a reviewed operation no longer applies, `error` is the reason.
   * - `failed`: the row can't be synced, for example because its board doesn't exist.
   * - `unknown`: the row is in doubt, and it's missing from the source.
   * - `unchanged`: the record matches the row.
   */
  type: 'conflict' | 'gone' | 'stale' | 'failed' | 'unknown' | 'unchanged';
  recordId?: string | undefined;
  conflicts?: readonly FieldConflict[] | undefined;
  error?: RowError | undefined;
}

/** A plan as plain data. */
export interface SavedSyncPlan {
  version: 1;
  /** The scope of the sync, for example `tickets:prj_1`. */
  scope: string;
  counts: Readonly<Record<SyncOperation['type'], number>>;
  blockedRemovals: number;
  operations: readonly SyncOperation[];
}

export interface SyncTask<Row> {
  row: PreparedRow<Row>;
  operation: SyncOperation;
  /** The values that the row sets. Undefined if the row is missing from the source. */
  values: FieldValues | undefined;
  /** The row's ledger entry, if it has a record. */
  entry: LinkedEntry | undefined;
  /** The digests to store in the ledger if nothing is written. */
  synced: Record<string, string> | undefined;
  /** What happened to the record. Set if the row is missing and its record isn't removed. */
  removed?: LedgerEntry['removed'];
}

export type LinkedEntry = LedgerEntry & { recordId: string };

/** The options that determine a sync's operations. */
export interface SyncPolicy {
  onConflict: ConflictWinner | ((conflict: FieldConflict & { key: string }) => ConflictWinner);
  onGone: 'report' | 'recreate';
}

/**
 * Chooses the operation for a row that has or had a record.
 *
 * @param record the record's current content, or undefined if it doesn't exist
 */
export function decide<Row, Found extends ImportedRecord>(
  fields: SyncFields<Found>,
  row: PreparedRow<Row>,
  values: FieldValues,
  entry: LinkedEntry,
  record: Found | undefined,
  { onConflict, onGone }: SyncPolicy,
): SyncTask<Row> {
  const { key, fingerprint } = row;
  const { recordId, removed } = entry;
  const title = titleOf(values) ?? record?.title;
  const base = { row, values, entry, synced: undefined };
  if (!record) {
    const operation: SyncOperation =
      removed === 'deleted' || onGone === 'recreate'
        ? { type: 'recreate', key, title, after: values }
        : { type: 'gone', key, title, recordId };
    return { ...base, operation };
  }
  const winnerOf = (conflict: FieldConflict) =>
    typeof onConflict === 'function' ? onConflict({ ...conflict, key }) : onConflict;
  // A record that the sync itself archived doesn't count as changed by a user.
  const revives = removed === 'archived' && fields.archived?.read(record) === true;
  const wanted = revives && values.archived === undefined ? { ...values, archived: false } : values;
  const { changes, conflicts, synced } = mergeFields(fields, wanted, record, entry, fingerprint, winnerOf);
  const isWrite = Object.keys(changes).length > 0;
  const operation: SyncOperation = isWrite
    ? { type: revives ? 'revive' : 'update', key, title, recordId, changes, conflicts }
    : { type: conflicts.length > 0 ? 'conflict' : 'unchanged', key, title, recordId, conflicts };
  return { ...base, values: wanted, operation, synced };
}

/** Chooses the operation for a record whose row is missing from the source. */
export function decideRemoval<Found extends ImportedRecord>(
  fields: SyncFields<Found>,
  entry: LinkedEntry,
  record: Found | undefined,
  type: RemoveOperation['type'],
  { onConflict }: SyncPolicy,
): SyncTask<never> {
  const { key, recordId, fingerprint = '' } = entry;
  const row = rowWithoutPayload(key, undefined as never, fingerprint);
  const base = { row, values: undefined, entry, synced: undefined };
  const nothing = { ...base, operation: { type: 'unchanged', key, recordId } } as const;
  if (!record) return { ...nothing, removed: 'deleted' };
  if (type === 'archive' && fields.archived?.read(record) === true) {
    if (entry.removed !== 'archived') return { ...nothing, removed: 'kept' };
    // The previous run archived the record but was stopped before recording that.
    const { archived } = syncedFields(fields, { archived: true }, record);
    return { ...nothing, removed: 'archived', synced: { ...entry.fields, ...(archived && { archived }) } };
  }
  const title = record.title;
  const edits = editedFields(fields, record, entry.fields).map((field) => {
    const conflict = { field, source: undefined, target: fields[field]?.read(record) };
    const winner = typeof onConflict === 'function' ? onConflict({ ...conflict, key }) : onConflict;
    return { conflict, winner };
  });
  if (edits.every(({ winner }) => winner === 'source'))
    return { ...base, operation: { type, key, title, recordId } };
  const conflicts = edits.filter(({ winner }) => winner === 'report').map(({ conflict }) => conflict);
  return {
    ...base,
    operation: { type: conflicts.length > 0 ? 'conflict' : 'unchanged', key, title, recordId, conflicts },
    removed: 'kept',
  };
}

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
  // A row that returned to the source has a record again.
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

/** Returns whether an operation writes to a record. */
export const isWrite = ({ type }: SyncOperation): boolean =>
  ['create', 'recreate', 'update', 'revive', 'archive', 'delete'].includes(type);

/** Returns whether a row's record is already in the state that an operation would put it in. */
export function isPerformed<Found extends ImportedRecord>(
  fields: SyncFields<Found>,
  operation: SyncOperation,
  record: Found | undefined,
): boolean {
  if (!record) return operation.type === 'archive' || operation.type === 'delete';
  if (operation.type === 'delete') return false;
  if (operation.type === 'archive') return fields.archived?.read(record) === true;
  return !('changes' in operation) || areAlike(fields, valuesAfter(operation), record);
}

/** Returns the values that an update writes. */
export const valuesAfter = ({ changes }: UpdateOperation): FieldValues =>
  Object.fromEntries(Object.entries(changes).map(([name, { after }]) => [name, after]));

/** Converts an operation to plain data for a saved plan. */
export const toPlain = (operation: SyncOperation): unknown => JSON.parse(JSON.stringify(operation));

const titleOf = ({ title }: FieldValues) => (typeof title === 'string' ? title : undefined);
