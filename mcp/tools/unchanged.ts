import type { Row } from '../results/table.js';

/** Whether a record already has all values of an update. */
export const isUnchanged = (update: Row, record: Row): boolean =>
  Object.entries(update).every(([field, value]) => isSame(field, value, record));

function isSame(field: string, value: unknown, record: Row): boolean {
  const relation = relations[field];
  if (relation) {
    const [name, key] = relation;
    const current = record[name] as readonly Row[] | undefined;
    return (
      current !== undefined &&
      isSameSet(
        value as string[],
        current.map((item) => item[key] as string),
      )
    );
  }
  // Some servers omit fields without a value, so a missing `archived_at` means that the record isn't
  // archived.
  if (field === 'archived') return value === Boolean(record.archived_at);
  const current = record[field];
  if (!field.endsWith('_at') || value === null) return value === current;
  return Date.parse(String(value)) === Date.parse(String(current));
}

/** The update fields that set relations. Each is mapped to the record's field and the property to compare. */
const relations: Readonly<Record<string, readonly [string, 'id' | 'name']>> = {
  assignee_ids: ['assignees', 'id'],
  editor_ids: ['editors', 'id'],
  label_ids: ['labels', 'id'],
  tag_names: ['tags', 'name'],
};

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  const names = new Set(one);
  return names.size === new Set(other).size && other.every((name) => names.has(name));
}
