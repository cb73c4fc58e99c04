import type * as z from 'zod/mini';
import type { Schema } from './schemas/fields.js';

/**
 * Whether a value is sure to fit a schema as it is; `false` says nothing, and zod is to be asked.
 *
 * Records come by the hundred, and all but always as the contract has them. zod copies what it parses,
 * which takes longer than `JSON.parse` of the same text; these tests take a fifth of it
 * (`npm run bench -- parse-page`), and are sure of no more than they know: plain types and rules of our
 * own (`refine`), nothing with a limit or a transformation.
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
  const type = 'format' in def ? never : testOfType(def);
  const rules = (def.checks ?? []).map((check) => check._zod.def.fn);
  if (!rules.length) return type;
  return rules.includes(undefined) ? never : (value) => type(value) && rules.every((rule) => rule?.(value));
}

function testOfType(def: Definition): Test {
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
      return (value) => Array.isArray(value) && isPlain(value, Array.prototype) && allOf(value, item);
    }
    case 'object':
      return testOfObject(def.shape, def.catchall?._zod.def.type);
    default:
      return never;
  }
}

/** Passed on as it is, so it must be as plain as the copy that zod would make, and be written as JSON like it. */
const isPlain = (value: object, prototype: object) =>
  Object.getPrototypeOf(value) === prototype && !Object.hasOwn(value, 'toJSON');

/** Unlike `every`, asks about the gaps of a list too. */
function allOf(list: readonly unknown[], test: Test): boolean {
  for (let index = 0; index < list.length; index++) if (!test(list[index])) return false;
  return true;
}

function testOfObject(shape: object, others: string | undefined): Test {
  const names = Object.keys(shape);
  const tests = Object.entries(shape).map(([name, field]) => [name, testOf(field)] as const);
  // Most fields are text, and a call for each would take longer than its test.
  const texts = tests.filter(([, test]) => test === isString).map(([name]) => name);
  const fields = tests.filter(([, test]) => test !== isString);
  const allFit = (value: object) => {
    for (const name of texts) if (typeof (value as Record<string, unknown>)[name] !== 'string') return false;
    for (const [name, test] of fields) {
      if (!test((value as Record<string, unknown>)[name])) return false;
    }
    return true;
  };
  if (others === 'unknown') {
    return (value) => typeof value === 'object' && value !== null && !Array.isArray(value) && allFit(value);
  }
  if (others !== 'never') return never;
  const holdsTheFields = (value: object) =>
    isPlain(value, Object.prototype) &&
    Object.keys(value).length === names.length &&
    names.every((name) => isEnumerable.call(value, name));
  return (value) => typeof value === 'object' && value !== null && holdsTheFields(value) && allFit(value);
}

const isEnumerable = Object.prototype.propertyIsEnumerable;

interface Check {
  _zod: { def: { fn?: Test } };
}

/** What the definitions of the schemas in question can hold. */
type Definition = { checks?: Check[] } & (
  | { type: 'nullable'; innerType: object }
  | { type: 'array'; element: object }
  | { type: 'object'; shape: object; catchall?: z.core.$ZodType }
  | { type: 'string' | 'number' | 'boolean' }
);

interface AnySchema {
  _zod: { def: Definition };
}
