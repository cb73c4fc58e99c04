import type { OperationId } from '../../src/contract/index.js';
import { shorten } from '../../src/shared/quote.js';
import type { RecordedRequest } from './entry.js';

/**
 * Compares a value with an expectation. Objects can have additional fields. An expectation can contain
 * predicate functions, regular expressions for strings, and asymmetric matchers (`expect.any(String)`).
 *
 * @returns a line for each difference, or an empty list if the value matches
 */
export function differences(expected: unknown, actual: unknown, path = ''): string[] {
  if (isMatcher(expected)) {
    return expected.asymmetricMatch(actual) ? [] : [line(path, nameOf(expected), actual)];
  }
  if (typeof expected === 'function') {
    return expected(actual) ? [] : [line(path, expected.name || 'a value that the function accepts', actual)];
  }
  if (expected instanceof RegExp) {
    return typeof actual === 'string' && actual.search(expected) >= 0
      ? []
      : [line(path, String(expected), actual)];
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length)
      return [line(path, show(expected), actual)];
    return expected.flatMap((item, index) => differences(item, actual[index], `${path}[${index}]`));
  }
  if (typeof expected === 'object' && expected !== null) return objectDifferences(expected, actual, path);
  return Object.is(expected, actual) ? [] : [line(path, show(expected), actual)];
}

function objectDifferences(expected: object, actual: unknown, path: string): string[] {
  if (typeof actual !== 'object' || actual === null) return [line(path, show(expected), actual)];
  return Object.entries(expected).flatMap(([key, value]) =>
    differences(value, (actual as Record<string, unknown>)[key], path ? `${path}.${key}` : key),
  );
}

/** Formats a value for a message, truncating it if necessary. */
export function show(value: unknown): string {
  const text = JSON.stringify(value, readable) ?? String(value);
  return shorten(text, 120);
}

/** A `JSON.stringify` replacer that formats regular expressions, functions, and matchers. */
const readable = (_: string, value: unknown): unknown => {
  if (value instanceof RegExp) return String(value);
  if (isMatcher(value)) return nameOf(value);
  return typeof value === 'function' ? `function ${value.name}`.trim() : value;
};

const line = (path: string, expected: string, actual: unknown): string =>
  `${path}: expected ${expected}, got ${show(actual)}`;

/** An asymmetric matcher with its name. Many matchers also have a full description, such as `Any<String>`. */
interface Matcher extends AsymmetricMatcher {
  toAsymmetricMatcher?(): string;
}

export const isMatcher = (value: unknown): value is Matcher =>
  typeof (value as Partial<Matcher> | null)?.asymmetricMatch === 'function';

const nameOf = (matcher: Matcher): string => matcher.toAsymmetricMatcher?.() ?? String(matcher);

/**
 * Expected values for any of a request's fields. Objects can have additional fields. Instead of a value, you
 * can pass a predicate function, a regular expression, or an asymmetric matcher (`expect.any(String)`).
 */
export type ExpectedRequest<Id extends OperationId = OperationId> = {
  readonly [Field in keyof RecordedRequest<Id>]?: Expected<RecordedRequest<Id>[Field]>;
};

/** An expected value: a literal, partial object, predicate, regular expression, or asymmetric matcher. */
export type Expected<Value> = unknown extends Value
  ? unknown
  : AsymmetricMatcher | ((actual: Value) => unknown) | ExpectedShape<Value>;

type ExpectedShape<Value> = Value extends string
  ? Value | RegExp
  : Value extends readonly (infer Item)[]
    ? readonly Expected<Item>[]
    : Value extends object
      ? { readonly [Key in keyof Value]?: Expected<Value[Key]> }
      : Value;

/** A test runner's asymmetric matcher, such as `expect.any(String)`. */
interface AsymmetricMatcher {
  asymmetricMatch(other: unknown): boolean;
}
