import { fieldsOf, type Schema } from '../contract/index.js';
import { definedFields } from '../shared/defined-fields.js';

/** Writes the fields that are set, in the order given; empty where none is. */
export function encodeQuery(query: Readonly<Record<string, unknown>>): string {
  return new URLSearchParams(definedFields(query) as Record<string, string>).toString();
}

/**
 * Reads the parameters that the schema knows. The last one of a name counts; digits become a
 * number where an integer is wanted, anything else stays text for the schema to refuse.
 */
export function decodeQuery(
  parameters: URLSearchParams,
  schema: Schema<unknown, never>,
): Record<string, unknown> {
  const query: Record<string, unknown> = {};
  for (const [name, type] of fieldsOf(schema)) {
    const value = parameters.getAll(name).at(-1);
    if (value !== undefined)
      query[name] = type === 'number' && /^[+-]?\d+$/.test(value) ? Number(value) : value;
  }
  return query;
}
