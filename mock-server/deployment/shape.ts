import * as z from 'zod/mini';
import type { OperationId } from '../../src/contract/index.js';
import { definitionOf } from '../../src/contract/zod-internals.js';
import { isObject, type JsonObject } from '../../src/shared/json.js';
import { setOwn } from './fields.js';

/** The types of values in responses. A `date-time` is a string in RFC 3339 format. */
export const valueTypes = ['object', 'array', 'string', 'date-time', 'number', 'boolean', 'null'] as const;

export type ValueType = (typeof valueTypes)[number];

/** The structure of a value: field names and types, without the values. */
export interface Shape {
  types: readonly ValueType[];
  /** How many of the objects had the field, such as `3 of 12`. Omitted if every object had it. */
  seen?: string | undefined;
  /** The fields of an object. The key `*` stands for all field names that are data, such as IDs. */
  fields?: Readonly<Record<string, Shape>> | undefined;
  /** The combined shape of a list's items. Omitted if every list was empty. */
  items?: Shape | undefined;
}

/** The shape of each operation's record or list, without the envelope. */
export type Shapes = Readonly<Partial<Record<OperationId, Shape>>>;

export const shapeSchema: z.ZodMiniType<Shape> = z.strictObject({
  types: z.array(z.enum(valueTypes)),
  seen: z.optional(z.string().check(z.regex(/^\d+ of \d+$/))),
  get fields() {
    return z.optional(z.record(z.string(), shapeSchema));
  },
  get items() {
    return z.optional(shapeSchema);
  },
} satisfies Record<keyof Required<Shape>, z.core.$ZodType>);

/** The key that stands for all field names that are data, such as IDs. */
export const anyName = '*';

type Transform = (value: unknown) => unknown;

/**
 * Returns a function that adjusts a value to the shape: it omits fields that the deployment never returned,
 * and adds fields that aren't in the contract.
 *
 * @param nullable the contract's schema for the value, if the deployment omits fields without a value. A
 * nullable field that was never returned is kept, because it may not have had a value in any response.
 */
export function toShape({ fields, items }: Shape, nullable?: object): Transform {
  const { element, shape: schemas = {} } = nullable ? definitionOf(unwrap(nullable)) : {};
  const toItem = items && toShape(items, element);
  const toFields = new Map<string, Transform>(
    Object.entries(schemas)
      .filter(([, schema]) => definitionOf(schema).type === 'nullable')
      .map(([name]) => [name, (value) => value]),
  );
  for (const [name, field] of Object.entries(fields ?? {})) toFields.set(name, toShape(field, schemas[name]));
  const additional = Object.entries(fields ?? {}).filter(
    ([name, { seen }]) => name !== anyName && seen === undefined,
  );
  const toAny = toFields.get(anyName);
  return (value) => {
    if (Array.isArray(value)) return toItem ? value.map(toItem) : value;
    if (!isObject(value) || !fields) return value;
    const result: JsonObject = {};
    for (const [name, content] of Object.entries(value)) {
      const transform = toFields.get(name) ?? toAny;
      if (transform) setOwn(result, name, transform(content));
    }
    for (const [name, shape] of additional) {
      if (!Object.hasOwn(value, name)) setOwn(result, name, placeholderOf(shape));
    }
    return result;
  };
}

/** Returns the schema without its `optional` and `nullable` wrappers. */
function unwrap(schema: object): object {
  const { innerType } = definitionOf(schema);
  return innerType ? unwrap(innerType) : schema;
}

/** Returns a placeholder of the shape's type, because the actual values are unknown. */
function placeholderOf({ types, fields = {} }: Shape): unknown {
  if (types.includes('null')) return null;
  const [type = 'null'] = types;
  if (type !== 'object') return placeholders[type];
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([name, { seen }]) => name !== anyName && seen === undefined)
      .map(([name, field]) => [name, placeholderOf(field)]),
  );
}

const placeholders: Readonly<Record<Exclude<ValueType, 'object'>, unknown>> = {
  array: [],
  string: '',
  'date-time': '1970-01-01T00:00:00.000Z',
  number: 0,
  boolean: false,
  null: null,
};
