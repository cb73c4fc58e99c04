import * as z from 'zod/mini';
import { $constructor } from 'zod/v4/core';
import { andMore, describedErrors } from './field-errors.js';

/*
 * The only file that uses Zod's internals (`_zod`). Library authors may use them, but minor versions can
 * change them.
 */

/** A Zod schema with its output and input types. It is also a Standard Schema. */
export type Schema<Output, Input = Output> = z.ZodMiniType<Output, Input>;

/** Any schema. It can only be used to validate values of unknown type. */
export type AnySchema = Schema<unknown, never>;

/** A schema with any input type. Its input type is known only to the code that defines it. */
// biome-ignore lint/suspicious/noExplicitAny: with `unknown` or `never`, schemas with an input type wouldn't fit
export type AnyInputSchema = Schema<unknown, any>;

/** The parts of a schema definition that this project uses. */
export interface Definition {
  /** `string`, `object`, `optional`, … */
  type: string;
  /** `safeint` for integers. */
  format?: string;
  /** The fields of an object. */
  shape?: Readonly<Record<string, InnerSchema>>;
  /** How an object treats additional fields: `never` rejects them, and `unknown` keeps them. */
  catchall?: InnerSchema;
  /** The items of a list. */
  element?: InnerSchema;
  /** The schema inside `optional` or `nullable`. */
  innerType?: InnerSchema;
  /** The input and output schemas of a pipe. */
  in?: InnerSchema;
  out?: InnerSchema;
  /** The values of an enum. */
  entries?: Readonly<Record<string, string>>;
  checks?: readonly { _zod: { def: CheckDefinition } }[];
}

/** A schema rule: a limit or a custom test (`fn`). */
export interface CheckDefinition {
  check: string;
  maximum?: number;
  minimum?: number;
  value?: number;
  path?: string[];
  error?: unknown;
  fn?: (value: unknown) => boolean;
}

// biome-ignore lint/suspicious/noExplicitAny: any schema, whatever its input and output
type InnerSchema = z.core.$ZodType<any, any>;

export const definitionOf = (schema: object): Definition =>
  (schema as { _zod: { def: Definition } })._zod.def;

export const isInteger = (schema: object): boolean => definitionOf(schema).format === 'safeint';

export const checksOf = (schema: object): readonly CheckDefinition[] =>
  (definitionOf(schema).checks ?? []).map(({ _zod }) => _zod.def);

/**
 * Returns a record's field names and types (`string`, `number`, `array`, …), in order. For a list, returns
 * those of its records.
 */
export function fieldsOf(schema: AnySchema): ReadonlyMap<string, string> {
  let fields = knownFields.get(schema);
  if (!fields) {
    const { element = schema } = definitionOf(schema);
    const { shape = {} } = definitionOf(element);
    fields = new Map(Object.entries(shape).map(([name, field]) => [name, kindOf(field)]));
    knownFields.set(schema, fields);
  }
  return fields;
}

const knownFields = new WeakMap<object, ReadonlyMap<string, string>>();

function kindOf(field: object): string {
  const { type, innerType } = definitionOf(field);
  return innerType ? kindOf(innerType) : type;
}

/**
 * Creates a list schema. Unlike `z.array`, it reports only the first ten invalid items. A response can
 * contain a hundred thousand items, and Zod would report every error in every item.
 */
export function listOf<Output, Input>(
  element: z.ZodMiniType<Output, Input>,
): z.ZodMiniArray<z.ZodMiniType<Output, Input>> {
  return new BoundedList({ type: 'array', element }) as never;
}

const BoundedList = /* @__PURE__ */ $constructor<z.ZodMiniArray>('BoundedList', (inst, def) => {
  // Don't call `ZodMiniArray.init`, because it would add Zod's own array parser to every bundle.
  const init: (inst: z.ZodMiniArray, definition: typeof def) => void = z.ZodMiniType.init;
  init(inst, def);
  inst._zod.parse = (payload, context) => {
    const { value: input, issues } = payload;
    if (Array.isArray(input)) {
      payload.value = Array(input.length);
      const invalid = parseItems(def.element, input, payload, context);
      const omitted = invalid - describedErrors;
      if (omitted > 0)
        issues.push({ code: 'custom', input, inst, message: andMore(omitted, 'invalid items') });
    } else issues.push({ code: 'invalid_type', expected: 'array', input, inst });
    return payload;
  };
});

/**
 * Parses the items into the payload and reports the first ten invalid items.
 *
 * @returns the number of invalid items
 */
function parseItems(
  element: z.core.$ZodType,
  input: readonly unknown[],
  { value: items, issues }: z.core.ParsePayload,
  context: z.core.ParseContextInternal,
): number {
  // After enough invalid items have been described, the rest are only counted, so Zod can stop at an item's
  // first error.
  const counting = { ...context, abortEarly: true };
  let invalid = 0;
  for (let index = 0; index < input.length; index++) {
    const parsing = { value: input[index], issues: [] };
    // The result is never a promise, because this project has no asynchronous schemas.
    const item = element._zod.run(
      parsing,
      invalid < describedErrors ? context : counting,
    ) as z.core.ParsePayload;
    (items as unknown[])[index] = item.value;
    if (item.issues.length === 0) continue;
    invalid++;
    if (invalid > describedErrors) continue;
    for (const issue of item.issues) issues.push({ ...issue, path: [index, ...(issue.path ?? [])] });
    if (context.abortEarly) break;
  }
  return invalid;
}
