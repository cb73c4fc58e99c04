import type { JsonSchema } from './json-schema.js';

/**
 * Requires only the fields of a response that the API's specification promises. It doesn't list the fields of
 * returned records, so a deployment may omit the others.
 */
export function requirePromisedFields(name: string, schema: JsonSchema): JsonSchema {
  const required = promisedFields[name];
  return { ...withoutRequired(schema), ...(required && { required }) };
}

/**
 * The required fields by schema. The ID is needed for later requests, and the specification mentions the
 * ticket count of tags.
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
