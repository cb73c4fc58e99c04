import type { WrittenField } from './records.js';

/** What is known about a field, as digests. */
export interface FieldState {
  /** The source's value. Undefined if the row doesn't set the field. */
  source: string | undefined;
  /** The record's value. */
  current: string;
  /** The values of the last write. Undefined if the book doesn't contain the field. */
  last: WrittenField | undefined;
  /** The value of a write that was started and may not have finished. */
  pending: string | undefined;
}

/**
 * What to do with a field:
 *
 * - `unchanged`: nothing, because the source hasn't changed.
 * - `adopt`: remember that the record already has the source's value.
 * - `write`: write the source's value.
 * - `conflict`: the source and the record have different values, and a person may have set the record's.
 */
export type FieldDecision = 'unchanged' | 'adopt' | 'write' | 'conflict';

/**
 * Decides what to do with a field. Compares the source with what was last sent, and the record with what the
 * server stored then, because servers may store a value in another form than they received it.
 */
export function decideField({ source, current, last, pending }: FieldState): FieldDecision {
  if (source === undefined) return 'unchanged';
  if (pending === undefined && last?.sent === source) return 'unchanged';
  if (source === current) return 'adopt';
  // The write that was started has arrived.
  if (pending === current) return pending === source ? 'adopt' : 'write';
  if (last?.stored === current) return last.sent === source ? 'unchanged' : 'write';
  // Without a known state, the difference may be a person's edit.
  return 'conflict';
}

/** Which side wins a conflict. `report` writes nothing, and reports the conflict on every run. */
export type ConflictPolicy = 'report' | 'source' | 'target';

/** What a row's book entry contains about the fields of its record. */
export interface KnownFields {
  fields?: Readonly<Record<string, WrittenField>> | undefined;
  /** The digests of values whose write was started and may not have finished. */
  pending?: Readonly<Record<string, string>> | undefined;
}

/** Digests by field name. */
export type Digests = Readonly<Record<string, string>>;

/** What to do with a row whose record exists. */
export interface RowDecision {
  /** The fields to write. */
  writes: string[];
  /** The fields that aren't written because they also changed in the record. */
  conflicts: string[];
  /** The fields to remember, as they are before the writes. */
  fields: Record<string, WrittenField>;
}

/**
 * Decides what to do with each field of a row.
 *
 * @param source the digests of the values that the row sets
 * @param current the digests of the record's values
 */
export function decideRow(
  source: Digests,
  current: Digests,
  { fields = {}, pending = {} }: KnownFields,
  policy: ConflictPolicy,
): RowDecision {
  const decision: RowDecision = { writes: [], conflicts: [], fields: { ...fields } };
  for (const [name, sent] of Object.entries(source)) {
    const stored = current[name] ?? '';
    const state = { source: sent, current: stored, last: fields[name], pending: pending[name] };
    const made = decideField(state);
    if (made === 'write' || (made === 'conflict' && policy === 'source')) decision.writes.push(name);
    else if (made === 'conflict' && policy === 'report') decision.conflicts.push(name);
    else if (made !== 'unchanged') decision.fields[name] = { sent, stored };
  }
  return decision;
}

/** Returns the fields that changed in the record since the last write. */
export const editedFields = (current: Digests, { fields = {}, pending = {} }: KnownFields): string[] =>
  Object.entries(fields).flatMap(([name, { stored }]) => {
    const now = current[name];
    return now === undefined || now === stored || now === pending[name] ? [] : [name];
  });
