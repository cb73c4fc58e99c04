import type * as z from 'zod/mini';
import type { Schema } from './schemas/fields.js';

/**
 * Whether a value is sure to fit a schema as it is; `false` says nothing, and zod is to be asked.
 *
 * Records come by the hundred, and all but always as the contract has them. zod copies what it parses,
 * which takes longer than `JSON.parse` of the same text; these tests take a few hundredths of that
 * (`npm run bench -- parse-page`), and are sure of no more than they know: plain types, nothing with a
 * limit, a rule of its own or a transformation.
 */
export function surelyFits(schema: Schema<unknown, never>, value: unknown): boolean {
  let test = tests.get(schema);
  if (!test) {
    test = testOf(schema);
    tests.set(schema, test);
  }
  return test(value);
}

type Test = (value: unknown) => boolean;

const tests = new WeakMap<object, Test>();

const isString: Test = (value) => typeof value === 'string';
const isBoolean: Test = (value) => typeof value === 'boolean';
const never: Test = () => false;

function testOf(schema: object): Test {
  const { def } = (schema as AnySchema)._zod;
  if (def.checks?.length || 'format' in def) return never;
  switch (def.type) {
    case 'string':
      return isString;
    case 'number':
      return Number.isFinite;
    case 'boolean':
      return isBoolean;
    case 'nullable': {
      const inner = testOf(def.innerType);
      return (value) => value === null || inner(value);
    }
    case 'array': {
      const item = testOf(def.element);
      return (value) => Array.isArray(value) && allOf(value, item);
    }
    case 'object':
      return def.catchall?._zod.def.type === 'unknown' ? hasFields(def.shape) : never;
    default:
      return never;
  }
}

/** Unlike `every`, asks about the gaps of a list too. */
function allOf(list: readonly unknown[], test: Test): boolean {
  for (const item of list) if (!test(item)) return false;
  return true;
}

function hasFields(shape: object): Test {
  const fields = Object.entries(shape).map(([name, field]) => [name, testOf(field)] as const);
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    for (const [name, test] of fields) {
      if (!test((value as Record<string, unknown>)[name])) return false;
    }
    return true;
  };
}

/** What the definitions of the schemas in question can hold. */
interface AnySchema {
  _zod: {
    def:
      | { type: 'nullable'; innerType: object; checks?: unknown[] }
      | { type: 'array'; element: object; checks?: unknown[] }
      | { type: 'object'; shape: object; catchall?: z.core.$ZodType; checks?: unknown[] }
      | { type: 'string' | 'number' | 'boolean'; checks?: unknown[] };
  };
}
