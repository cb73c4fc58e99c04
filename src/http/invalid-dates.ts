/**
 * Returns the paths of all fields that contain an invalid `Date`, such as `steps.0.at`. `JSON.stringify`
 * would turn the date into null, which would clear the field.
 */
export function invalidDatesIn(value: unknown, path = '', parents: readonly object[] = []): string[] {
  if (value instanceof Date) return Number.isNaN(+value) ? [path] : [];
  // Circular references are left for `JSON.stringify` to report.
  if (typeof value !== 'object' || value === null || parents.includes(value)) return [];
  return Object.entries(value).flatMap(([name, field]) =>
    invalidDatesIn(field, path ? `${path}.${name}` : name, [...parents, value]),
  );
}

export const mustBeValidDate = 'must be a valid date (got an invalid Date)';
