import * as z from 'zod/mini';
import { shorten } from '../shared/quote.js';
import type { Schema } from './zod-internals.js';

/** A schema for a function's options, for example `z.strictObject({ limit: nonNegativeInteger() })`. */
// biome-ignore lint/suspicious/noExplicitAny: accepts a schema for any options
export type OptionsSchema = Schema<unknown, any>;

/**
 * Creates the schema for an option that can be omitted.
 *
 * @param expected a description of valid values, such as `an integer`. The error message adds the actual
 * value: `must be an integer (got "a")`.
 */
export const option = (expected: string, fits: (value: unknown) => boolean) =>
  z.optional(requiredOption(expected, fits));

/** Creates the schema for a required option. See {@link option}. */
export const requiredOption = (expected: string, fits: (value: unknown) => boolean) =>
  z.custom(fits, { error: ({ input }) => `must be ${expected} (got ${describe(input)})` });

/** Like {@link option}, but error messages don't show the value. Use it for secrets, such as tokens. */
export const secretOption = (expected: string, fits: (value: unknown) => boolean) =>
  z.optional(requiredSecretOption(expected, fits));

/** Like {@link requiredOption}, but error messages don't show the value. */
export const requiredSecretOption = (expected: string, fits: (value: unknown) => boolean) =>
  z.custom(fits, { error: () => `must be ${expected}` });

const isInteger = (value: unknown, minimum: number) =>
  Number.isSafeInteger(value) && (value as number) >= minimum;

export const isString = (value: unknown): boolean => typeof value === 'string';
export const isNonEmptyString = (value: unknown): boolean => isString(value) && value !== '';
export const isFunction = (value: unknown): boolean => typeof value === 'function';
export const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

export const nonNegativeInteger = () => option('a non-negative integer', (value) => isInteger(value, 0));
export const positiveInteger = () => option('a positive integer', (value) => isInteger(value, 1));
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
export const requiredFn = () => requiredOption('a function', isFunction);
export const object = () => option('an object', isObject);
export const abortSignal = () => option('an AbortSignal', (value) => value instanceof AbortSignal);
export const oneOf = (values: readonly string[]) =>
  option(`one of: ${values.join(', ')}`, (value) => values.includes(value as string));

/** Formats a value for an error message, shortening it if necessary. */
function describe(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(shorten(value, 40));
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'function') return 'a function';
  return isObject(value) ? 'an object' : String(value);
}
