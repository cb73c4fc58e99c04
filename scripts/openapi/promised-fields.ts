import type { JsonSchema } from './json-schema.js';

/**
 * Marks a field as required only if the API's specification implies that it's present. Deployments may omit
 * any other field, because the specification doesn't list the fields of returned records.
 */
export function requirePromisedFields(name: string, schema: JsonSchema): JsonSchema {
  const required = promisedFields[name];
  return { ...withoutRequired(schema), ...(required && { required }) };
}

/**
 * The required fields, keyed by schema. IDs are required because other requests need them. `ticket_count` is
 * required because the specification mentions it.
 */
const promisedFields: Readonly<Record<string, readonly string[]>> = {
  Organization: ['id'],
  Project: ['id'],
  Member: ['id'],
  Label: ['id'],
  Board: ['id'],
  Ticket: ['id'],
  Document: ['id'],
  Tag: ['ticket_count'],
};

function withoutRequired({ required: _, ...schema }: JsonSchema): JsonSchema {
  const { properties, items } = schema as JsonSchema & { items?: JsonSchema };
  return {
    ...schema,
    ...(items && { items: withoutRequired(items) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([field, value]) => [field, withoutRequired(value)]),
      ),
    }),
  };
}
