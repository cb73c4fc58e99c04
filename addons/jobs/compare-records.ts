import type { Change } from './change.js';
import type { Source } from './feed-sources.js';
import { type FeedEntry, recordKey, type StoredRecord } from './feed-state.js';
import {
  changedFields,
  digest,
  fingerprint,
  type Kind,
  type KnownFields,
  knownFields,
  type RecordOf,
  toKnownRecord,
} from './watched-fields.js';

/** A change, and the entry that marks it as delivered. */
export interface Delta {
  change: Change;
  entry: FeedEntry;
}

/**
 * Returns a separate change for each thing that happened to a record. A record can be created, deleted,
 * moved, archived, or otherwise updated. Each change marks only its own fields as delivered, so if the process
 * crashes between two changes, neither is lost.
 *
 * @param stored undefined if the record is new
 * @param record undefined if the record is gone
 */
export function compareRecord(
  source: Pick<Source, 'kind' | 'projectId'>,
  stored: StoredRecord | undefined,
  record: RecordOf[Kind] | undefined,
  observedAt: string,
): Delta[] {
  const { kind, projectId } = source;
  const after = record ? knownFields(kind, record) : null;
  let current: StoredRecord = stored ?? { revision: 0, known: null };
  const steps = stepsOf(kind, current, after);
  return steps.map(({ verb, fields }, index) => {
    const { revision, known: before } = current;
    const isUpdate = fields.length > 0;
    const isLast = index === steps.length - 1;
    const next = isUpdate && !isLast ? pick(after, [...fields, 'updated_at']) : after;
    const recordId = (record?.id ?? before?.id) as string;
    const compared = isUpdate ? [pick(before, fields), pick(after, fields)] : [before, after];
    const change = {
      id: digest([kind, recordId, verb, revision, ...compared]),
      type: `${kind}.${verb}`,
      recordId,
      projectId,
      observedAt,
      before: before && !current.isGone ? toKnownRecord(kind, before) : null,
      after: record ?? null,
      fields,
    } as unknown as Change;
    current = {
      revision: revision + 1,
      // The CLI finds an inaccessible project by its name.
      known: next ? { ...before, ...next } : kind === 'project' ? before : null,
      fingerprint: record && isLast ? fingerprint(kind, record) : undefined,
      isGone: record ? undefined : true,
    };
    return { change, entry: { key: recordKey(source, recordId), from: revision, record: current } };
  });
}

interface Step {
  verb:
    | 'created'
    | 'deleted'
    | 'moved'
    | 'archived'
    | 'unarchived'
    | 'updated'
    | 'accessible'
    | 'inaccessible';
  /** The changed fields of an update. Empty for other steps. */
  fields: readonly string[];
}

/** Splits the differences between two versions of a record into steps, each with the fields that changed. */
function stepsOf(kind: Kind, { known: before, isGone }: StoredRecord, after: KnownFields | null): Step[] {
  const isProject = kind === 'project';
  if (!after) return [{ verb: isProject ? 'inaccessible' : 'deleted', fields: [] }];
  if (isGone) return [{ verb: isProject ? 'accessible' : 'created', fields: [] }];
  if (!before) return [{ verb: 'created', fields: [] }];
  const changed = changedFields(kind, before, after);
  const isMoved = kind === 'ticket' && changed.includes('board_id');
  const isArchived = !before.archived_at !== !after.archived_at && changed.includes('archived_at');
  // Moving a ticket also makes the server update `started_at` and `completed_at`.
  const moved = isMoved ? ['board_id', 'started_at', 'completed_at'] : [];
  const archived = isArchived ? ['archived_at'] : [];
  const isOther = (name: string) => !moved.includes(name) && !archived.includes(name);
  const steps: Step[] = [
    { verb: 'moved', fields: changed.filter((name) => moved.includes(name)) },
    { verb: 'updated', fields: changed.filter(isOther) },
    { verb: after.archived_at ? 'archived' : 'unarchived', fields: archived },
  ];
  return steps.filter(({ fields }) => fields.length > 0);
}

const pick = (known: KnownFields | null, fields: readonly string[]): KnownFields =>
  Object.fromEntries(fields.map((name) => [name, known?.[name] ?? null]));
