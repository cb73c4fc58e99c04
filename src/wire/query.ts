import { fieldsOf, type Schema } from '../contract/index.js';
import { definedFields } from '../shared/defined-fields.js';

/** Encodes all defined fields, in order. Returns an empty string if no field is defined. */
export function encodeQuery(query: Readonly<Record<string, unknown>>): string {
  return new URLSearchParams(definedFields(query) as Record<string, string>).toString();
}

/**
 * Reads the parameters defined in the schema. If a parameter occurs several times, the last value is used. If
 * the schema expects an integer, digits are converted to a number, and any other value remains a string for
 * the schema to reject.
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
