import * as z from 'zod/mini';
import { unknownField } from './contract/field-errors.js';
import { validate } from './contract/validate.js';
import type { AnyInputSchema, AnySchema } from './contract/zod-internals.js';
import { definedFields } from './shared/defined-fields.js';
import { isObject } from './shared/json.js';
import { shorten } from './shared/quote.js';

/** A schema for a function's options, for example `z.strictObject({ limit: nonNegativeInteger() })`. */
export type OptionsSchema = AnyInputSchema;

/**
 * Validates a function's options against a schema. Undefined options are treated
 * as omitted. The options aren't copied or changed.
 *
 * @param prefix prepended to option names in errors, for example `retry.`
 * @param fail creates the error to throw, given a message
 *
 * @example
 * ```ts
 * const retryOptions = lazy(() => z.strictObject({ limit: nonNegativeInteger() }));
 * checkOptions(retryOptions(), retry, { prefix: 'retry.', fail: (message) => new ConfigurationError(message) });
 * // option "retry.limit" must be a non-negative integer (got -1)
 * // unknown option "retry.limt"; did you mean "retry.limit"?
 * ```
 */
export function checkOptions(
  schema: OptionsSchema,
  options: unknown,
  { prefix = '', fail }: { prefix?: string; fail: (message: string) => Error },
): void {
  if (!isObject(options)) {
    throw fail(prefix ? `option "${prefix.slice(0, -1)}" must be an object` : 'options must be an object');
  }
  const result = validate(schema as AnySchema, definedFields(options), rootField);
  if (result.ok) return;
  // Throw only the first error, because developers fix errors one at a time. Report typos first, because an
  // option that seems to be missing may have been mistyped.
  const errors = Object.entries(result.fieldErrors);
  const typo = errors.find(([, [message]]) => message?.startsWith(unknownField));
  const [name, [message = '']] = typo ?? errors[0] ?? ['', []];
  if (name === rootField) throw fail(message);
  throw fail(
    typo
      ? `unknown option "${prefix}${name}"${message.slice(unknownField.length).replace('did you mean "', `$&${prefix}`)}`
      : `option "${prefix}${name}" ${message}`,
  );
}

/** The field name for errors that affect several options. Their messages are complete sentences. */
const rootField = '(options)';

/**
 * Creates the schema for an option that can be omitted.
 *
 * @param expected a description of valid values, such as `an integer`. The error message also shows the
 * actual value: `must be an integer (got "a")`.
 */
export const option = (expected: string, fits: (value: unknown) => boolean) =>
  z.optional(requiredOption(expected, fits));

/** Creates the schema for a required option. See {@link option}. */
export const requiredOption = (expected: string, fits: (value: unknown) => boolean) =>
  z.custom(fits, { error: ({ input }) => `must be ${expected} (got ${describe(input)})` });

/** Like {@link option}, but error messages don't show the value. Use it for secrets such as tokens. */
export const secretOption = (expected: string, fits: (value: unknown) => boolean) =>
  z.optional(requiredSecretOption(expected, fits));

/** Like {@link requiredOption}, but error messages don't show the value. */
export const requiredSecretOption = (expected: string, fits: (value: unknown) => boolean) =>
  z.custom(fits, { error: () => `must be ${expected}` });

export const isInteger = (value: unknown, minimum: number, maximum = Number.MAX_SAFE_INTEGER) =>
  Number.isSafeInteger(value) && (value as number) >= minimum && (value as number) <= maximum;

export const isString = (value: unknown): value is string => typeof value === 'string';
export const isNonEmptyString = (value: unknown): value is string => isString(value) && value !== '';
export const isHeaderName = (value: unknown): boolean =>
  isString(value) && /^[\w!#$%&'*+.^`|~-]+$/.test(value);
export const isFunction = (value: unknown): boolean => typeof value === 'function';

export const nonNegativeInteger = () => option('a non-negative integer', (value) => isInteger(value, 0));
export const nonNegativeIntegerOrInfinity = () =>
  option('a non-negative integer or Infinity', (value) => value === Infinity || isInteger(value, 0));
export const positiveInteger = () => option('a positive integer', (value) => isInteger(value, 1));
export const integerBetween = (minimum: number, maximum: number) =>
  option(`an integer from ${minimum} to ${maximum.toLocaleString('en-US')}`, (value) =>
    isInteger(value, minimum, maximum),
  );
export const nonNegativeNumber = () =>
  option('a non-negative number', (value) => typeof value === 'number' && value >= 0);
/** In milliseconds. `Infinity` means no limit. */
export const positiveDuration = () =>
  option('a positive number of milliseconds', (value) => typeof value === 'number' && value > 0);
/** In milliseconds. `Infinity` means no limit. */
export const duration = () =>
  option('a non-negative number of milliseconds', (value) => typeof value === 'number' && value >= 0);
export const nonEmptyString = () => option('a non-empty string', isNonEmptyString);
export const boolean = () => option('a boolean', (value) => typeof value === 'boolean');
export const fn = () => option('a function', isFunction);
export const object = () => option('an object', isObject);
export const clientOption = () => requiredOption('a client', (value) => isObject(Object(value).tickets));
export const abortSignal = () => option('an AbortSignal', (value) => value instanceof AbortSignal);
export const oneOf = (values: readonly string[]) =>
  option(`one of: ${values.join(', ')}`, (value) => values.includes(value as string));

/** Formats a value for an error message, shortening it if necessary. */
export function describe(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(shorten(value, 40));
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'function') return 'a function';
  return isObject(value) ? 'an object' : String(value);
}
