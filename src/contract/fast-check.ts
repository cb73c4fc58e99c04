import { isObject } from '../shared/json.js';
import { type AnySchema, checksOf, definitionOf } from './zod-internals.js';

/**
 * Quickly checks whether a value matches a schema. If it returns false, the value may still be valid, so
 * validate it with Zod.
 *
 * A page can contain hundreds of records, and nearly all of them match the contract. Zod copies the values it
 * parses, which takes longer than parsing the JSON. This check takes a fifth of the time (`npm run bench --
 * parse-page`). It supports plain types and custom rules (`refine`), but not limits or transformations.
 */
export function passesFastCheck(schema: AnySchema, value: unknown): boolean {
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
  const type = definitionOf(schema).format ? never : testOfType(schema);
  const rules = checksOf(schema).map(({ fn }) => fn);
  if (!rules.length) return type;
  return rules.includes(undefined) ? never : (value) => type(value) && rules.every((rule) => rule?.(value));
}

function testOfType(schema: object): Test {
  const { type, innerType, element, shape = {}, catchall } = definitionOf(schema);
  switch (type) {
    case 'string':
      return isString;
    case 'number':
      return Number.isFinite;
    case 'boolean':
      return isBoolean;
    case 'nullable': {
      const inner = testOf(innerType as object);
      return (value) => value === null || inner(value);
    }
    case 'array': {
      const item = testOf(element as object);
      return (value) => Array.isArray(value) && isPlain(value, Array.prototype) && allOf(value, item);
    }
    case 'object':
      return testOfObject(shape, catchall && definitionOf(catchall).type);
    default:
      return never;
  }
}

/**
 * Whether an object has the given prototype and no `toJSON` method. Otherwise, it may serialize differently
 * than the copy that Zod would create.
 */
const isPlain = (value: object, prototype: object) =>
  Object.getPrototypeOf(value) === prototype && !Object.hasOwn(value, 'toJSON');

/** Unlike `every`, this loop also tests holes in sparse arrays. */
function allOf(list: readonly unknown[], test: Test): boolean {
  for (let index = 0; index < list.length; index++) if (!test(list[index])) return false;
  return true;
}

/** @param others the schema type for fields that aren't in the shape: `unknown` or `never` */
function testOfObject(shape: object, others: string | undefined): Test {
  const names = Object.keys(shape);
  const tests = Object.entries(shape).map(([name, field]) => [name, testOf(field)] as const);
  const allFit = (value: object) => {
    for (const [name, test] of tests) {
      if (!test((value as Record<string, unknown>)[name])) return false;
    }
    return true;
  };
  if (others === 'unknown') {
    return (value) => isObject(value) && allFit(value);
  }
  if (others !== 'never') return never;
  const hasExactlyTheseFields = (value: object) =>
    isPlain(value, Object.prototype) &&
    Object.keys(value).length === names.length &&
    names.every((name) => isEnumerable.call(value, name));
  return (value) =>
    typeof value === 'object' && value !== null && hasExactlyTheseFields(value) && allFit(value);
}

const isEnumerable = Object.prototype.propertyIsEnumerable;
