/**
 * The record with the changes, and its `updated_at` moved; the record itself where no field
 * changes, so that a request which changes nothing leaves no trace.
 */
export function changed<Row extends { updated_at: string }>(
  row: Row,
  changes: Changes<Row>,
  now: string,
): Row {
  const fields = Object.keys(changes) as (keyof Row)[];
  const differs = fields.some((field) => changes[field] !== undefined && !same(row[field], changes[field]));
  if (!differs) return row;
  const next = { ...row, updated_at: now };
  for (const field of fields) {
    const value = changes[field];
    if (value !== undefined) next[field] = value as Row[keyof Row];
  }
  return next;
}

/** New values by field; undefined leaves a field as it is. */
export type Changes<Row> = { [Field in keyof Row]?: Row[Field] | undefined };

/** `archived_at` after `archived` was set, left as it was by a value that changes nothing. */
export function archivedAt(before: string | null, archived: boolean | undefined, now: string): string | null {
  if (archived === undefined) return before;
  return archived ? (before ?? now) : null;
}

/** Each entry once, in order. */
export const unique = (entries: readonly string[]): string[] => [...new Set(entries)];

/** Lists are the same where they name the same records in the same order. */
function same(one: unknown, other: unknown): boolean {
  if (!Array.isArray(one) || !Array.isArray(other)) return one === other;
  return one.length === other.length && one.every((entry, index) => entry.id === other[index].id);
}
