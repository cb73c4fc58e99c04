import { createHash } from 'node:crypto';
import {
  type AnySchema,
  type Board,
  type Document,
  fieldsOf,
  type Label,
  type Member,
  type OperationId,
  operationOf,
  type Project,
  type Ticket,
} from '../../../src/contract/index.js';
import { lazy } from '../../../src/contract/lazy.js';

/**
 * Maps each kind of record that a feed can watch to its TypeScript type. The kind is also the first part of a
 * change's `type`.
 */
export interface RecordOf {
  project: Project;
  board: Board;
  label: Label;
  member: Member;
  ticket: Ticket;
  document: Document;
}

export type Kind = keyof RecordOf;

/**
 * How a snapshot stores a field:
 *
 * - `value`: the value, which is compared.
 * - `digest`: a digest of the value, which is compared. Used for long strings.
 * - `references`: the IDs of related records, which are compared as a set.
 * - `fixed`: the value, which isn't compared.
 * - `ignored`: nothing.
 */
type Treatment = 'value' | 'digest' | 'references' | 'fixed' | 'ignored';

/** An operation that returns each kind of record. */
const operations: Record<Kind, OperationId> = {
  project: 'projects.get',
  board: 'boards.list',
  label: 'projects.labels.list',
  member: 'projects.members.list',
  ticket: 'tickets.get',
  document: 'documents.get',
};

const common = { id: 'fixed', created_at: 'ignored', updated_at: 'ignored' } as const;

/**
 * The fields that don't get the default treatment, which is `references` for related records and `value` for
 * everything else.
 *
 * Positions are ignored because moving one record shifts others. `updated_at` isn't compared because the
 * specification doesn't say when it changes.
 */
const exceptions: { [K in Kind]: Partial<Record<keyof RecordOf[K], Treatment>> } = {
  project: { ...common, organization_id: 'fixed', key: 'fixed', description: 'digest' },
  board: { ...common, project_id: 'fixed', position: 'ignored' },
  label: { id: 'fixed' },
  member: { id: 'fixed' },
  ticket: {
    ...common,
    project_id: 'fixed',
    number: 'fixed',
    description_html: 'digest',
    position: 'ignored',
    api_credential_id: 'ignored',
    creator: 'ignored',
    updated_at: 'fixed',
  },
  document: {
    ...common,
    organization_id: 'ignored',
    author_id: 'fixed',
    author: 'ignored',
    api_credential_id: 'ignored',
    caption: 'digest',
    content_html: 'digest',
    updated_at: 'fixed',
  },
};

/**
 * All fields and their treatments. Created lazily, because creating it also builds the contract's schemas.
 */
const treatments = lazy(
  () =>
    Object.fromEntries(
      Object.entries(operations).map(([kind, operation]) => {
        const special: Record<string, Treatment> = exceptions[kind as Kind];
        const fields = fieldsOf(operationOf(operation).response as AnySchema);
        const treatmentOf = (name: string, type: string) =>
          special[name] ?? (type === 'array' ? 'references' : 'value');
        return [kind, Array.from(fields, ([name, type]) => [name, treatmentOf(name, type)])];
      }),
    ) as Record<Kind, [name: string, treatment: Treatment][]>,
);

/** The fields of a record that are stored in a snapshot: values, digests, and sorted IDs. */
export type KnownFields = Readonly<Record<string, unknown>>;

/** Reduces a record to the fields that a snapshot stores. Omits fields that are missing from the record. */
export function knownFields<K extends Kind>(kind: K, record: RecordOf[K]): KnownFields {
  const known: Record<string, unknown> = {};
  for (const [name, treatment] of treatments()[kind]) {
    const value = record[name as keyof RecordOf[K]];
    if (treatment === 'ignored' || value === undefined) continue;
    known[name] =
      treatment === 'digest'
        ? value && digestOf(String(value))
        : treatment === 'references'
          ? idsOf(value as readonly { id: string }[])
          : value;
  }
  return known;
}

/** Whether the record contains all of the compared fields. Some servers omit fields from list items. */
export const isComplete = <K extends Kind>(kind: K, record: RecordOf[K]): boolean =>
  treatments()[kind].every(
    ([name, treatment]) => treatment === 'ignored' || record[name as keyof RecordOf[K]] !== undefined,
  );

/** Returns the names of the compared fields that differ. Fields missing from `after` aren't compared. */
export const changedFields = (kind: Kind, before: KnownFields, after: KnownFields): string[] =>
  treatments()
    [kind].filter(
      ([name, treatment]) => treatment !== 'fixed' && name in after && !same(before[name], after[name]),
    )
    .map(([name]) => name);

/** Converts the stored fields of a record to the `before` value of a change. */
export function toKnownRecord(kind: Kind, known: KnownFields): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  for (const [name, treatment] of treatments()[kind]) {
    if (treatment === 'ignored' || treatment === 'digest') continue;
    const value = known[name];
    record[name] = treatment === 'references' ? ((value ?? []) as string[]).map((id) => ({ id })) : value;
  }
  return record;
}

/** Returns a 96-bit digest. Values of different types have different digests. */
export const digest = (value: unknown): string => digestOf(JSON.stringify(value));

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 16);

const same = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other);

const idsOf = (references: readonly { id: string }[] | null): string[] | null =>
  references?.map(({ id }) => id).sort() ?? null;
