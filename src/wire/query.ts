import { fieldsOf, type Schema } from '../contract/index.js';
import { definedFields } from '../shared/defined-fields.js';

/** Encodes the fields that are set, in their order. The result is empty if none is set. */
export function encodeQuery(query: Readonly<Record<string, unknown>>): string {
  return new URLSearchParams(definedFields(query) as Record<string, string>).toString();
}

/**
 * Reads the parameters that are in the schema. If a name occurs several times, the last one counts. Digits
 * become a number if the schema expects an integer; anything else stays a string, which the schema rejects.
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
