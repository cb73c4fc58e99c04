import type { Document, Ticket, UpdateDocument, UpdateTicket } from '../../src/contract/index.js';

/** Returns the current value of a field that an update can set, in the format used in requests. */
export function readUpdateField(record: object, field: string): unknown {
  const fields = record as Readonly<Record<string, unknown>>;
  // Some servers omit fields that have no value. If `archived_at` is missing, the record isn't archived.
  if (field === 'archived') return Boolean(fields.archived_at);
  const relation = relations[field as keyof typeof relations];
  if (!relation) return fields[field];
  const [list, property] = relation;
  return ((fields[list] ?? []) as Record<string, unknown>[]).map((item) => item[property]);
}

/** Returns whether a record contains the value of a field that an update can set. */
export const hasUpdateField = (record: object, field: string): boolean =>
  field === 'archived' || (relations[field as keyof typeof relations]?.[0] ?? field) in record;

/** Normalizes a list whose order doesn't matter, as is the case for all lists in updates. */
export const asSet = (value: unknown): unknown =>
  Array.isArray(value) ? [...new Set(value as string[])].sort() : value;

/**
 * For each update field that refers to other records, the corresponding record field and the property that
 * identifies those records.
 */
const relations = {
  assignee_ids: ['assignees', 'id'],
  editor_ids: ['editors', 'id'],
  label_ids: ['labels', 'id'],
  tag_names: ['tags', 'name'],
} as const satisfies Record<Exclude<UpdateOnly, 'archived'>, readonly [string, string]>;

type UpdateOnly = Exclude<keyof UpdateTicket, keyof Ticket> | Exclude<keyof UpdateDocument, keyof Document>;
