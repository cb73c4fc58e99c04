import type * as z from 'zod/mini';
import { didYouMean } from '../shared/did-you-mean.js';
import { isObject } from '../shared/json.js';
import type { RuleErrorCode } from './error-codes.js';
import { andMore, bodyField, describedErrors, type FieldErrors, unknownField } from './field-errors.js';
import { hintFor } from './hints.js';
import type { AnySchema, Schema } from './zod-internals.js';
import { checksOf, definitionOf, isInteger } from './zod-internals.js';

export type Validated<Output> =
  | { ok: true; value: Output }
  | { ok: false; fieldErrors: FieldErrors; code: RuleErrorCode };

/**
 * Validates a payload against its schema and reports all errors. The client and the mock server use the same
 * messages. In each list and object, the first ten invalid items or unknown fields are reported individually,
 * and the rest are only counted.
 *
 * @param rootField the field name for errors that apply to the entire payload
 */
export function validate<Output>(
  schema: Schema<Output, never>,
  payload: unknown,
  rootField = bodyField,
): Validated<Output> {
  if (passesFastCheck(schema, payload)) return { ok: true, value: payload as Output };
  const objects = new Map<readonly string[], object>();
  const error = (issue: z.core.$ZodRawIssue) => {
    if (issue.code === 'unrecognized_keys') objects.set(issue.keys, issue.inst as object);
    return describe(issue);
  };
  const result = schema.safeParse(payload, { error });
  if (result.success) return { ok: true, value: result.data };
  const fieldErrors: FieldErrors = Object.create(null);
  const add = (path: readonly PropertyKey[], message: string) => {
    const field = path.join('.') || rootField;
    fieldErrors[field] ??= [];
    fieldErrors[field].push(message);
  };
  const codes = new Set<unknown>();
  for (const issue of result.error.issues) {
    codes.add((issue as { params?: { code?: string } }).params?.code);
    const { path } = issue;
    if (issue.code === 'unrecognized_keys') {
      const object = objects.get(issue.keys) as object;
      for (const key of issue.keys.slice(0, describedErrors)) {
        add([...path, key], describeUnknown(key, object, path));
      }
      const omitted = issue.keys.length - describedErrors;
      if (omitted > 0) add(path, andMore(omitted, 'unknown fields'));
    } else add(path, issue.message);
  }
  const [code] = codes;
  return {
    ok: false,
    fieldErrors: { ...fieldErrors },
    code: codes.size === 1 && code ? (code as RuleErrorCode) : 'validation_failed',
  };
}

const kinds: Record<string, string> = { int: 'an integer', array: 'a list', object: 'an object' };

function describe(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'is required';
      return `must be ${kinds[issue.inst && isInteger(issue.inst) ? 'int' : issue.expected] ?? `a ${issue.expected}`}`;
    case 'invalid_value':
      return `must be one of: ${issue.values.join(', ')}`;
    case 'too_big':
      return `must ${bound(issue, `at most ${count(issue.maximum)}`)}`;
    case 'too_small':
      return `must ${bound(issue, `at least ${count(issue.minimum)}`)}`;
    default:
      return undefined;
  }
}

function describeUnknown(name: string, object: object, path: readonly PropertyKey[]): string {
  const names = Object.keys(definitionOf(object).shape ?? {});
  // For a field of a list item, the suggestion omits the path, which is long and already part of the error.
  const prefix = path.every((key) => typeof key === 'string') ? path.map((key) => `${key}.`).join('') : '';
  return `${unknownField}; ${hintFor(object, name) ?? didYouMean(name, names, prefix)}`;
}

function bound(issue: z.core.$ZodRawIssue, limit: string): string {
  const { input } = issue;
  const plural = limit.endsWith(' 1') ? '' : 's';
  if (typeof input === 'string') return `be ${limit} character${plural} (got ${count(lengthOf(input))})`;
  if (Array.isArray(input)) return `have ${limit} item${plural} (got ${count(input.length)})`;
  return `be ${limit} (got ${input})`;
}

/** Counts code points without building an array, which could have ten million items. */
function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length++;
  return length;
}

const count = (value: number | bigint | Date) => Number(value).toLocaleString('en-US');

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
