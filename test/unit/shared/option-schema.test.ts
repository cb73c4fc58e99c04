import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import {
  boolean,
  checkOptions,
  duration,
  nonEmptyString,
  nonNegativeInteger,
  type OptionsSchema,
  oneOf,
  positiveInteger,
  secretOption,
} from '../../../src/option-schema.js';

const schema = z.strictObject({
  limit: nonNegativeInteger(),
  size: positiveInteger(),
  delay: duration(),
  name: nonEmptyString(),
  quiet: boolean(),
  mode: oneOf(['on', 'off']),
  token: secretOption('a non-empty string', (value) => typeof value === 'string' && value !== ''),
  inner: z.optional(z.strictObject({ limit: nonNegativeInteger() })),
}) as OptionsSchema;

const messageOf = (options: unknown, prefix?: string): string | undefined => {
  try {
    checkOptions(schema, options, { ...(prefix && { prefix }), fail: (message) => new Error(message) });
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
};

describe('checkOptions', () => {
  it.each([
    [{}],
    [{ limit: 0, size: 1, delay: Number.POSITIVE_INFINITY, name: 'a', quiet: false, mode: 'on', token: 't' }],
    [{ limit: undefined, inner: {} }],
    [{ unknown: undefined }],
  ])('accepts %o', (options) => {
    expect(messageOf(options)).toBeUndefined();
  });

  it.each<[unknown, string]>([
    [{ limit: -1 }, 'option "limit" must be a non-negative integer (got -1)'],
    [{ limit: '1' }, 'option "limit" must be a non-negative integer (got "1")'],
    [{ size: 0 }, 'option "size" must be a positive integer (got 0)'],
    [{ size: 1.5 }, 'option "size" must be a positive integer (got 1.5)'],
    [{ delay: Number.NaN }, 'option "delay" must be a non-negative number of milliseconds (got NaN)'],
    [{ name: '' }, 'option "name" must be a non-empty string (got "")'],
    [{ name: ['a'] }, 'option "name" must be a non-empty string (got an array)'],
    [{ name: () => 'a' }, 'option "name" must be a non-empty string (got a function)'],
    [{ name: {} }, 'option "name" must be a non-empty string (got an object)'],
    [{ quiet: 'x'.repeat(100) }, `option "quiet" must be a boolean (got "${'x'.repeat(39)}…")`],
    [{ mode: 'of' }, 'option "mode" must be one of: on, off (got "of")'],
    [{ inner: { limit: null } }, 'option "inner.limit" must be a non-negative integer (got null)'],
    [{ inner: 3 }, 'option "inner" must be an object'],
    [{ limits: 1 }, 'unknown option "limits"; did you mean "limit"?'],
    [{ inner: { limits: 1 } }, 'unknown option "inner.limits"; did you mean "inner.limit"?'],
    [null, 'options must be an object'],
    [[], 'options must be an object'],
  ])('rejects %o', (options, message) => {
    expect(messageOf(options)).toBe(message);
  });

  it("doesn't reveal the value of a secret option in errors", () => {
    expect(messageOf({ token: 12345 })).toBe('option "token" must be a non-empty string');
  });

  it('adds the given prefix to the option names in errors and suggestions', () => {
    expect(messageOf({ limit: -1 }, 'retry.')).toBe(
      'option "retry.limit" must be a non-negative integer (got -1)',
    );
    expect(messageOf({ limt: 1 }, 'retry.')).toBe('unknown option "retry.limt"; did you mean "retry.limit"?');
    expect(messageOf(3, 'retry.')).toBe('option "retry" must be an object');
  });
});
