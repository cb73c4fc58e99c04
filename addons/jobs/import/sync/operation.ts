import type { RowError } from '../ledger-entry.js';
import type { LinkedRow } from '../report.js';
import type { FieldChange, FieldConflict, FieldValues } from './fields.js';

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

/** Whether each type of operation writes to a record. */
const isWriteType: Readonly<Record<SyncOperation['type'], boolean>> = {
  create: true,
  recreate: true,
  update: true,
  revive: true,
  archive: true,
  delete: true,
  conflict: false,
  gone: false,
  stale: false,
  failed: false,
  unknown: false,
  unchanged: false,
};

export const isWrite = ({ type }: SyncOperation): boolean => isWriteType[type] === true;

export function countTypes(operations: readonly SyncOperation[]): Record<SyncOperation['type'], number> {
  const counts = Object.fromEntries(Object.keys(isWriteType).map((type) => [type, 0]));
  for (const { type } of operations) counts[type] = (counts[type] ?? 0) + 1;
  return counts as Record<SyncOperation['type'], number>;
}

/** Returns the values that an update writes. */
export const valuesAfter = ({ changes }: UpdateOperation): FieldValues =>
  Object.fromEntries(Object.entries(changes).map(([name, { after }]) => [name, after]));

export const linkOf = (operation: SyncOperation): LinkedRow => ({
  key: operation.key,
  ...('recordId' in operation && { recordId: operation.recordId }),
});

/** Returns the reason a synced row needs attention, or undefined if it doesn't. */
export function problemOf(operation: SyncOperation): RowError | undefined {
  if (operation.type === 'gone') return { code: 'gone', message: `record ${operation.recordId} was deleted` };
  const conflicts = ('conflicts' in operation && operation.conflicts) || [];
  if (conflicts.length === 0) return undefined;
  const fields = conflicts.map(({ field }) => field).join(', ');
  return { code: 'conflict', message: `changed in both the source and the record: ${fields}` };
}
