import { createHash } from 'node:crypto';
import type { Board, Document, Label, Member, Project, Ticket } from '../contract/index.js';

/** The records that a feed can watch, by the first part of a change's type. */
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
 * What a snapshot keeps of a field:
 *
 * - `value`: the value, which is compared.
 * - `digest`: a digest of the value, which is compared. For long texts.
 * - `references`: the IDs of related records, which are compared as a set.
 * - `fixed`: the value, which isn't compared.
 * - `ignored`: nothing.
 */
type Treatment = 'value' | 'digest' | 'references' | 'fixed' | 'ignored';

/**
 * How each field is compared. A field that is missing here doesn't compile.
 *
 * Positions are ignored because moving one record shifts others. `updated_at` isn't compared because the
 * specification doesn't say when it changes.
 */
const treatments: { [K in Kind]: Record<keyof RecordOf[K], Treatment> } = {
  project: {
    id: 'fixed',
    organization_id: 'fixed',
    name: 'value',
    key: 'fixed',
    description: 'digest',
    archived_at: 'value',
    created_at: 'ignored',
    updated_at: 'ignored',
  },
  board: {
    id: 'fixed',
    project_id: 'fixed',
    name: 'value',
    slug: 'value',
    position: 'ignored',
    color: 'value',
    wip_limit: 'value',
    is_done: 'value',
    is_hidden: 'value',
    created_at: 'ignored',
    updated_at: 'ignored',
  },
  label: { id: 'fixed', name: 'value', color: 'value' },
  member: { id: 'fixed', name: 'value', email: 'value', role: 'value' },
  ticket: {
    id: 'fixed',
    project_id: 'fixed',
    board_id: 'value',
    number: 'fixed',
    title: 'value',
    description_html: 'digest',
    priority: 'value',
    position: 'ignored',
    due_at: 'value',
    started_at: 'value',
    completed_at: 'value',
    api_credential_id: 'ignored',
    creator: 'ignored',
    assignees: 'references',
    labels: 'references',
    tags: 'references',
    archived_at: 'value',
    created_at: 'ignored',
    updated_at: 'fixed',
  },
  document: {
    id: 'fixed',
    organization_id: 'ignored',
    project_id: 'value',
    author_id: 'fixed',
    author: 'ignored',
    api_credential_id: 'ignored',
    title: 'value',
    caption: 'digest',
    content_html: 'digest',
    status: 'value',
    tags: 'references',
    editors: 'references',
    published_at: 'value',
    archived_at: 'value',
    created_at: 'ignored',
    updated_at: 'fixed',
  },
};

/** The treatments as lists, because `Object.entries` would take a third of the time of a sweep's comparisons. */
const fieldsOf = Object.fromEntries(
  Object.entries(treatments).map(([kind, fields]) => [kind, Object.entries(fields)]),
) as Record<Kind, [name: string, treatment: Treatment][]>;

/** The fields of a record that a snapshot keeps: values, digests, and sorted IDs. */
export type KnownFields = Readonly<Record<string, unknown>>;

/** Reduces a record to what a snapshot keeps. Omits fields that the record lacks. */
export function knownFields<K extends Kind>(kind: K, record: RecordOf[K]): KnownFields {
  const known: Record<string, unknown> = {};
  for (const [name, treatment] of fieldsOf[kind]) {
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

/** Whether the record has all fields that are compared. Some servers omit fields from list items. */
export const isComplete = <K extends Kind>(kind: K, record: RecordOf[K]): boolean =>
  fieldsOf[kind].every(
    ([name, treatment]) => treatment === 'ignored' || record[name as keyof RecordOf[K]] !== undefined,
  );

/** Returns the names of the compared fields that differ. Fields missing from `after` aren't compared. */
export const changedFields = (kind: Kind, before: KnownFields, after: KnownFields): string[] =>
  fieldsOf[kind]
    .filter(([name, treatment]) => treatment !== 'fixed' && name in after && !same(before[name], after[name]))
    .map(([name]) => name);

/** Converts what a snapshot keeps of a record to a change's `before`. */
export function toKnownRecord(kind: Kind, known: KnownFields): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  for (const [name, treatment] of fieldsOf[kind]) {
    if (treatment === 'ignored' || treatment === 'digest') continue;
    const value = known[name];
    record[name] = treatment === 'references' ? ((value ?? []) as string[]).map((id) => ({ id })) : value;
  }
  return record;
}

/** Returns a digest of 96 bits, which also tells values with different types apart. */
export const digest = (value: unknown): string => digestOf(JSON.stringify(value));

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 16);

const same = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other);

const idsOf = (references: readonly { id: string }[] | null): string[] | null =>
  references?.map(({ id }) => id).sort() ?? null;
