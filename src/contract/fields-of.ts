import type { Schema } from './schemas/fields.js';
import { definitionOf } from './zod-internals.js';

/** Returns the names and types (`string`, `number`, `array`, …) of a schema's fields, in order. */
export function fieldsOf(schema: Schema<unknown, never>): ReadonlyMap<string, string> {
  let fields = knownFields.get(schema);
  if (!fields) {
    const { shape = {} } = definitionOf(schema);
    fields = new Map(Object.entries(shape).map(([name, field]) => [name, kindOf(field)]));
    knownFields.set(schema, fields);
  }
  return fields;
}

/** Returns the names of the fields of a record, or of each record in a list, that contain lists. */
export function listFieldsOf(schema: Schema<unknown, never>): string[] {
  const { element = schema } = definitionOf(schema);
  const fields = fieldsOf(element as Schema<unknown, never>);
  return [...fields].filter(([, type]) => type === 'array').map(([name]) => name);
}

const knownFields = new WeakMap<object, ReadonlyMap<string, string>>();

function kindOf(field: object): string {
  const { type, innerType } = definitionOf(field);
  return innerType ? kindOf(innerType) : type;
}
