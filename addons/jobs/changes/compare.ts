import type { Change } from './change.js';
import {
  changedFields,
  digest,
  type Kind,
  type KnownFields,
  knownFields,
  type RecordOf,
  toKnownRecord,
} from './records.js';
import type { SnapshotEntry } from './snapshot.js';
import { type Source, scopeOf } from './sources.js';

/** A change, and the snapshot entries that mark it as delivered. */
export interface Delta {
  change: Change;
  entries: readonly SnapshotEntry[];
  isIgnored: boolean;
}

/** A record, as stored in the snapshot. */
export interface StoredRecord {
  /** Null for a former member. Former members can rejoin. */
  known: KnownFields | null;
  /**
   * How many of the record's changes have been delivered. This number is part of each change's ID, so if a
   * value changes back and forth, each change gets a new ID.
   */
  revision: number;
}

/** Converts a record to the value of its snapshot entry. */
export const encode = ({ known, revision }: StoredRecord): string => `${revision} ${JSON.stringify(known)}`;

/** Whether a stored value belongs to a former member. */
export const isFormer = (value: string): boolean => value.endsWith(' null');

/** Whether a stored value matches this record exactly. */
export const isEncoded = (value: string, known: KnownFields): boolean =>
  value.slice(value.indexOf(' ') + 1) === JSON.stringify(known);

export function decode(value: string): StoredRecord {
  const space = value.indexOf(' ');
  return { revision: Number(value.slice(0, space)), known: JSON.parse(value.slice(space + 1)) };
}

/** How changes are created, and which of them are ignored. */
export interface CompareOptions {
  observedAt: string;
  ignore: (change: Change) => boolean;
}

/**
 * Returns a separate change for each thing that happened to a record. A record can be created, deleted,
 * moved, archived, or otherwise updated.
 *
 * Ignored changes come first. Each of the other changes marks only its own fields as delivered, so if the
 * process crashes between two changes, neither is lost.
 *
 * @param stored undefined if the record is new
 * @param record undefined if the record was deleted
 */
export function compareRecord(
  source: Pick<Source, 'kind' | 'projectId'>,
  stored: StoredRecord | undefined,
  record: RecordOf[Kind] | undefined,
  { observedAt, ignore }: CompareOptions,
): Delta[] {
  const now = record ? knownFields(source.kind, record) : null;
  const toDelta = ({ type, fields }: Step, from: StoredRecord | undefined, isIgnored: boolean): Delta => {
    const before = from?.known;
    const after = isUpdate(type) ? { ...before, ...pick(now, [...fields, 'updated_at']) } : now;
    const revision = from?.revision ?? 0;
    const recordId = (record?.id ?? before?.id) as string;
    const change = {
      id: digest([source.kind, recordId, type, revision, pick(before, fields), pick(after, fields)]),
      type: `${source.kind}.${type}`,
      recordId,
      projectId: source.projectId,
      observedAt,
      before: before ? toKnownRecord(source.kind, before) : null,
      after: record ?? null,
      fields: isUpdate(type) ? fields : [],
    } as unknown as Change;
    const isForgotten = !after && source.kind !== 'member';
    const value = isForgotten ? undefined : encode({ known: after, revision: revision + 1 });
    return { change, entries: [{ scope: scopeOf(source), id: recordId, value }], isIgnored };
  };
  const steps = stepsOf(source.kind, stored?.known ?? null, now);
  const ignored = steps.filter((step) => ignore(toDelta(step, stored, true).change));
  const deltas: Delta[] = [];
  let current = stored;
  for (const step of [...ignored, ...steps.filter((one) => !ignored.includes(one))]) {
    const delta = toDelta(step, current, ignored.includes(step));
    deltas.push(delta);
    const value = delta.entries[0]?.value;
    current = value === undefined ? undefined : decode(value);
  }
  return deltas;
}

interface Step {
  type: 'created' | 'deleted' | 'moved' | 'archived' | 'unarchived' | 'updated';
  fields: readonly string[];
}

const isUpdate = (type: Step['type']) => type !== 'created' && type !== 'deleted';

/** Splits the differences between two versions of a record into steps, each with the fields that changed. */
function stepsOf(kind: Kind, before: KnownFields | null, after: KnownFields | null): Step[] {
  if (!before) return after ? [{ type: 'created', fields: Object.keys(after) }] : [];
  if (!after) return [{ type: 'deleted', fields: Object.keys(before) }];
  const changed = changedFields(kind, before, after);
  const steps: Step[] = [];
  const take = (type: Step['type'], names: readonly string[]) => {
    const fields = changed.filter((name) => names.includes(name));
    if (fields.length) steps.push({ type, fields });
  };
  const isMoved = kind === 'ticket' && changed.includes('board_id');
  const isArchived = !before.archived_at !== !after.archived_at && changed.includes('archived_at');
  // Moving a ticket also makes the server update `started_at` and `completed_at`.
  const moved = isMoved ? ['board_id', 'started_at', 'completed_at'] : [];
  const archived = isArchived ? ['archived_at'] : [];
  take('moved', moved);
  take(
    'updated',
    changed.filter((name) => !moved.includes(name) && !archived.includes(name)),
  );
  take(after.archived_at ? 'archived' : 'unarchived', archived);
  return steps;
}

const pick = (known: KnownFields | null | undefined, fields: readonly string[]): KnownFields =>
  Object.fromEntries(fields.map((name) => [name, known?.[name] ?? null]));
