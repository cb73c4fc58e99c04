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
  for (const [name, treatment] of treatmentsOf(kind)) {
    const value = record[name as keyof RecordOf[K]];
    if (treatment === 'ignored' || value === undefined) continue;
    if (treatment === 'digest') known[name] = value && digestOf(String(value));
    else if (treatment === 'references') known[name] = idsOf(value as readonly { id: string }[] | null);
    else known[name] = value;
  }
  return known;
}

/** Whether the record contains all of the compared fields. Some servers omit fields from list items. */
export const isComplete = <K extends Kind>(kind: K, record: RecordOf[K]): boolean =>
  treatmentsOf(kind).every(
    ([name, treatment]) => treatment === 'ignored' || record[name as keyof RecordOf[K]] !== undefined,
  );

/** Returns the names of the compared fields that differ. Fields missing from `after` aren't compared. */
export const changedFields = (kind: Kind, before: KnownFields, after: KnownFields): string[] =>
  treatmentsOf(kind)
    .filter(([name, treatment]) => treatment !== 'fixed' && name in after && !same(before[name], after[name]))
    .map(([name]) => name);

/** Converts the remembered fields of a record to the `before` value of a change. */
export function toKnownRecord(kind: Kind, known: KnownFields): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  for (const [name, treatment] of treatmentsOf(kind)) {
    const value = known[name];
    if (treatment === 'ignored' || treatment === 'digest' || value === undefined) continue;
    record[name] = treatment === 'references' ? ((value ?? []) as string[]).map((id) => ({ id })) : value;
  }
  return record;
}

/** Returns a digest of a JSON-compatible value. Values of different types have different digests. */
export const digest = (value: unknown): string => digestOf(JSON.stringify(value));

/**
 * How a field is treated:
 *
 * - `value`: the value is remembered and compared.
 * - `digest`: a digest of the value is remembered and compared. Used for long strings.
 * - `references`: the IDs of related records are remembered and compared as a set.
 * - `fixed`: the value is remembered, but not compared.
 * - `ignored`: the value is neither remembered nor compared.
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

type Treatments = readonly (readonly [name: string, treatment: Treatment])[];

const knownTreatments = new Map<Kind, Treatments>();

/** Returns a kind's fields and their treatments. Caches them, because this also creates the contract's schemas. */
function treatmentsOf(kind: Kind): Treatments {
  const known = knownTreatments.get(kind);
  if (known) return known;
  const special: Record<string, Treatment> = exceptions[kind];
  const fields = fieldsOf(operationOf(operations[kind]).response as AnySchema);
  const treatments = Array.from(
    fields,
    ([name, type]) => [name, special[name] ?? (type === 'array' ? 'references' : 'value')] as const,
  );
  knownTreatments.set(kind, treatments);
  return treatments;
}

/**
 * Returns a 96-bit digest. It detects changes, but isn't cryptographic. Written in JavaScript, because it's
 * faster for short strings than a call of `node:crypto`, and also runs in browsers.
 */
function digestOf(text: string): string {
  let [one, two, three] = [0x9e3779b9, 0x243f6a88, 0xb7e15162];
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    one = Math.imul(one ^ code, 0x85ebca6b) ^ (two >>> 15);
    two = Math.imul(two ^ code, 0xc2b2ae35) ^ (three >>> 13);
    three = Math.imul(three ^ code, 0x27d4eb2f) ^ (one >>> 16);
  }
  return [one, two, three].map((word) => (word >>> 0).toString(36).padStart(7, '0')).join('');
}

const same = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other);

const idsOf = (references: readonly { id: string }[] | null): string[] | null =>
  references?.map(({ id }) => id).sort() ?? null;
