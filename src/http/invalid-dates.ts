/** No request is nested this deeply. Most servers reject such JSON, and it could overflow the stack. */
const maxDepth = 500;

/** A value that must not be sent. */
export interface InvalidValue {
  /** The path, such as `steps.0.at`. */
  field: string;
  problem: string;
}

/**
 * Returns the values in a request that can't be sent:
 *
 * - invalid dates, because `JSON.stringify` would turn them into null, which would clear the field
 * - fields that are nested too deeply
 */
export function invalidValuesIn(value: unknown, path = ''): InvalidValue[] {
  const found: InvalidValue[] = [];
  const parents: object[] = [];
  const visit = (child: unknown, field: string) => {
    if (child instanceof Date) {
      if (Number.isNaN(+child)) found.push({ field, problem: 'must be a valid date (got an invalid Date)' });
      return;
    }
    // Circular references are left for `JSON.stringify` to report.
    if (typeof child !== 'object' || child === null || parents.includes(child)) return;
    if (parents.length === maxDepth) {
      const [topField = field] = field.split('.', 1);
      found.push({ field: topField, problem: `must not be nested more than ${maxDepth} levels deep` });
      return;
    }
    parents.push(child);
    for (const [name, item] of Object.entries(child)) visit(item, field ? `${field}.${name}` : name);
    parents.pop();
  };
  visit(value, path);
  return found;
}
