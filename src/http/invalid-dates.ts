/**
 * Lists the fields of a payload that hold an invalid `Date`, by their paths, such as `steps.0.at`: JSON would
 * turn each into null, and so clear the field.
 */
export function invalidDatesIn(value: unknown, path = '', parents: readonly object[] = []): string[] {
  if (value instanceof Date) return Number.isNaN(+value) ? [path] : [];
  // `JSON.stringify` reports a payload that contains itself.
  if (typeof value !== 'object' || value === null || parents.includes(value)) return [];
  return Object.entries(value).flatMap(([name, field]) =>
    invalidDatesIn(field, path ? `${path}.${name}` : name, [...parents, value]),
  );
}

export const mustBeValidDate = 'must be a valid date (got an invalid Date)';
