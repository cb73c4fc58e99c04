import type { RowError } from './import-report.js';
import { digestOfJson, type FieldValues } from './records.js';
import { type Digests, decideRow, editedFields } from './sync-decide.js';
import type { SyncSettings } from './sync-options.js';
import type { TaskType } from './sync-report.js';
import { knownFields, type RecordState, type SyncKind, type SyncValue } from './sync-state.js';

/** A row of the source, ready to be synced. */
export interface SourceRow {
  key: string;
  payload: object;
  /** The values that the row sets, in the format of an update. */
  values: FieldValues;
  /** The digest of the payload. */
  digest: string;
}

/** A row and what to do with it. */
export interface Task {
  type: TaskType;
  key: string;
  /** Undefined if the row is missing, invalid, or the same as in the last sync. */
  row?: SourceRow | undefined;
  /** What the book contains, if the row has a record. */
  value?: SyncValue | undefined;
  /** What the book must contain after the task, unless something is written. */
  next?: SyncValue | undefined;
  /** The fields to write. */
  writes: readonly string[];
  /** The fields that aren't written because they also changed in the record. */
  conflicts: readonly string[];
  error?: RowError | undefined;
  /** The digest of the row. Empty if it's missing or invalid. */
  source: string;
  /** A digest of the operation and of the record's state, as far as the operation depends on it. */
  digest: string;
}

type Policy = Pick<SyncSettings<never>, 'onConflict' | 'onGone' | 'onMissing'>;

/** Returns whether nothing has to be compared, because the row is the same as in the last sync. */
export function isSettled(payload: object, digest: string, value: SyncValue): boolean {
  const { fields, sourceDigest, pending, removed } = value;
  const isSame = sourceDigest === digest && fields !== undefined && !pending && !removed;
  // An import can't create archived records.
  return isSame && (!('archived' in payload) || fields.archived?.sent !== '');
}

/** Returns a task that does nothing. */
export const settledTask = (key: string, value: SyncValue, source = ''): Task => ({
  ...newTask('unchanged', key, { value }),
  source,
});

/** Returns a task that reports an invalid row. */
export const failedTask = (key: string, error: RowError): Task => ({ ...newTask('failed', key), error });

/** Returns a task that creates a row's record. */
export const createTask = (row: SourceRow): Task => newTask('create', row);

/**
 * Decides what to do with a row that has, or had, a record.
 *
 * @param state the record's state, or undefined if the record doesn't exist
 */
export function updateTask(
  kind: SyncKind,
  row: SourceRow,
  value: SyncValue,
  state: RecordState | undefined,
  { onConflict, onGone }: Policy,
): Task {
  if (!state) {
    const isOurs = value.removed === 'deleted' || onGone === 'recreate';
    return newTask(isOurs ? 'recreate' : 'gone', row, { value });
  }
  const source = digestsOf(kind, valuesOf(row, value));
  const { writes, conflicts, fields } = decideRow(
    source,
    state.digests,
    knownFields(value, state),
    onConflict,
  );
  const isDone = writes.length === 0 && conflicts.length === 0;
  const unsettled = Object.entries(value.pending ?? {}).filter(([name]) => conflicts.includes(name));
  const next: SyncValue = {
    id: value.id,
    fields,
    sourceDigest: isDone ? row.digest : value.sourceDigest,
    ...(unsettled.length > 0 && { pending: Object.fromEntries(unsettled) }),
    ...(conflicts.includes('archived') && { removed: value.removed }),
  };
  const type = writes.length > 0 ? 'update' : conflicts.length > 0 ? 'conflict' : 'unchanged';
  const compared = [...writes, ...conflicts].map((name) => [source[name], state.digests[name]]);
  return newTask(type, row, { value, next, writes, conflicts }, compared);
}

/** Returns the values that a row sets. If the row returned to the source, its record is unarchived. */
export const valuesOf = ({ values }: SourceRow, { removed }: SyncValue): FieldValues =>
  removed === 'archived' && values.archived === undefined ? { ...values, archived: false } : values;

/** Decides what to do with a record whose row is missing. */
export function missingTask(
  key: string,
  value: SyncValue,
  state: RecordState | undefined,
  { onMissing, onConflict }: Policy,
): Task {
  // A record that isn't listed was deleted, or archived on a server that doesn't list archived records.
  if (!state || onMissing === 'keep') return settledTask(key, value);
  const isSettled = value.removed === 'archived' && value.fields?.archived?.stored === state.digests.archived;
  if (onMissing === 'archive' && isSettled) return settledTask(key, value);
  if (onMissing === 'archive' && state.isArchived) {
    const isOurs = value.pending?.archived === state.digests.archived;
    return newTask('unchanged', key, {
      value,
      ...(isOurs && { next: archivedValue(value, state.digests.archived, state) }),
    });
  }
  const known = knownFields(value, state);
  const edits = known.fields ? editedFields(state.digests, known) : Object.keys(state.digests);
  const compared = edits.map((name) => state.digests[name]);
  if (edits.length === 0 || onConflict === 'source') return newTask(onMissing, key, { value }, compared);
  if (onConflict === 'target') return settledTask(key, value);
  return newTask('conflict', key, { value, conflicts: edits }, compared);
}

/**
 * Returns what the book must contain about a record that this job archived.
 *
 * @param sent the digest of the value that was sent
 */
export function archivedValue(
  { pending: _, ...value }: SyncValue,
  sent = '',
  { digests }: RecordState,
): SyncValue {
  const archived = { sent, stored: digests.archived ?? sent };
  return { ...value, fields: { ...value.fields, archived }, removed: 'archived' };
}

/** Whether a task writes to a record. */
export const isWrite = ({ type }: { type: TaskType }): boolean => writeTypes.includes(type);

export const isCreate = ({ type }: { type: TaskType }): boolean => type === 'create' || type === 'recreate';

const writeTypes: readonly TaskType[] = ['create', 'recreate', 'update', 'archive', 'delete'];

/** Returns the digests of the values that can be written. */
export function digestsOf(kind: SyncKind, values: FieldValues): Digests {
  const digests: Record<string, string> = {};
  for (const [name, field] of kind.fields)
    if (values[name] !== undefined) digests[name] = field.digest(values[name]);
  return digests;
}

/** Returns some of a row's values. */
export const pick = (values: FieldValues, names: readonly string[]): FieldValues =>
  Object.fromEntries(names.map((name) => [name, values[name]]));

/** @param compared the digests that the operation depends on, in addition to those of the row */
function newTask(
  type: TaskType,
  from: SourceRow | string,
  details: Partial<Pick<Task, 'value' | 'next' | 'writes' | 'conflicts'>> = {},
  compared: readonly unknown[] = [],
): Task {
  const row = typeof from === 'string' ? undefined : from;
  const { value, writes = [], conflicts = [] } = details;
  const source = row?.digest ?? '';
  const isCreate = type === 'create' || type === 'recreate';
  const basis = [type, value?.id ?? '', writes, conflicts, compared, isCreate ? source : ''];
  const key = row?.key ?? String(from);
  return { type, key, row, ...details, writes, conflicts, source, digest: digestOfJson(basis) };
}
