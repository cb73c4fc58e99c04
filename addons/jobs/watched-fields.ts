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
} from '../../src/contract/index.js';
import { digestOf } from './digest.js';

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

export const kinds = ['project', 'board', 'label', 'member', 'ticket', 'document'] as const satisfies Kind[];

/** The remembered fields of a record: values, digests, and sorted IDs. */
export type KnownFields = Readonly<Record<string, unknown>>;

/** Reduces a record to the fields that a feed remembers. Omits fields that are missing from the record. */
export function knownFields<K extends Kind>(kind: K, record: RecordOf[K]): KnownFields {
  const known: Record<string, unknown> = {};
  for (const { name, treatment } of fieldsFor(kind)) {
    const value = record[name as keyof RecordOf[K]];
    if (value === undefined) continue;
    if (treatment === 'digest') known[name] = value && digest(value);
    else if (treatment === 'references') known[name] = idsOf(value as References);
    else known[name] = value;
  }
  return known;
}

/**
 * Returns a digest of the fields that a feed remembers. Much faster than comparing them, which matters because a
 * feed calls it for every record in every sweep.
 */
export function fingerprint<K extends Kind>(kind: K, record: RecordOf[K]): string {
  let text = '';
  for (const { name, treatment } of fieldsFor(kind)) {
    const value: unknown = record[name as keyof RecordOf[K]];
    if (typeof value === 'string') text += `${value.length}:${value}`;
    else if (treatment === 'references' && value) text += `[${idsOf(value as References)}]`;
    else text += `${JSON.stringify(value)};`;
  }
  return digestOf(text);
}

/** Whether the record contains all of the compared fields. Some servers omit fields from list items. */
export const isComplete = <K extends Kind>(kind: K, record: RecordOf[K]): boolean =>
  fieldsFor(kind).every(({ name }) => record[name as keyof RecordOf[K]] !== undefined);

/** Returns the names of the compared fields that differ. Fields missing from `after` aren't compared. */
export const changedFields = (kind: Kind, before: KnownFields, after: KnownFields): string[] =>
  fieldsFor(kind)
    .filter(({ treatment }) => treatment !== 'fixed')
    .map(({ name }) => name)
    .filter((name) => name in after && JSON.stringify(before[name]) !== JSON.stringify(after[name]));

/** Converts the remembered fields of a record to the `before` value of a change. */
export function toKnownRecord(kind: Kind, known: KnownFields): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  for (const { name, treatment } of fieldsFor(kind)) {
    const value = known[name];
    if (treatment === 'digest' || value === undefined) continue;
    record[name] = treatment === 'references' ? ((value ?? []) as string[]).map((id) => ({ id })) : value;
  }
  return record;
}

/** Returns a 96-bit digest of a JSON-compatible value. Values of different types have different digests. */
export const digest = (value: unknown): string => digestOf(JSON.stringify(value));

/**
 * How a field is treated:
 *
 * - `value`: the value is remembered and compared.
 * - `digest`: a digest of the value is remembered and compared. Used for long strings.
 * - `references`: the IDs of related records are remembered and compared as a set.
 * - `fixed`: the value is remembered, but not compared.
 */
type Treatment = 'value' | 'digest' | 'references' | 'fixed';

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
 * everything else. Ignored fields are neither remembered nor compared.
 *
 * Positions are ignored because moving one record shifts others. `updated_at` isn't compared because the
 * specification doesn't say when it changes.
 */
const exceptions: { [K in Kind]: Partial<Record<keyof RecordOf[K], Treatment | 'ignored'>> } = {
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

interface WatchedField {
  name: string;
  treatment: Treatment;
}

const fieldsByKind = new Map<Kind, readonly WatchedField[]>();

/** Returns the fields that a feed remembers. Caches them, because this also creates the contract's schemas. */
function fieldsFor(kind: Kind): readonly WatchedField[] {
  const known = fieldsByKind.get(kind);
  if (known) return known;
  const special: Record<string, Treatment | 'ignored'> = exceptions[kind];
  const fields: WatchedField[] = [];
  for (const [name, type] of fieldsOf(operationOf(operations[kind]).response as AnySchema)) {
    const treatment = special[name] ?? (type === 'array' ? 'references' : 'value');
    if (treatment !== 'ignored') fields.push({ name, treatment });
  }
  fieldsByKind.set(kind, fields);
  return fields;
}

type References = readonly { id: string }[] | null;

const idsOf = (references: References): string[] | null => references?.map(({ id }) => id).sort() ?? null;
