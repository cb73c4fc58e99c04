import * as z from 'zod/mini';
import type { OperationId } from '../../src/contract/index.js';
import {
  checkOptions,
  integerBetween,
  isHeaderName,
  isString,
  nonNegativeNumber,
  oneOf,
  option,
} from '../../src/option-schema.js';
import { isObject } from '../../src/shared/json.js';
import { InvalidInputError, requireOperation } from '../state/invalid-input-error.js';
import { type Fault, faultErrors } from './fault.js';

/**
 * Validates a fault.
 *
 * @throws TypeError if a field or operation is unknown, or if a value is invalid
 */
export function checkFault(fault: Fault): void {
  checkOptions(schema, fault, { fail: (message) => new InvalidInputError(`faults: ${message}`) });
  for (const id of [fault.operation ?? []].flat()) requireOperation('faults', id as OperationId);
}

/** The field schemas. Omitting a field is a compile error. */
const faultFields: Record<keyof Fault, z.core.$ZodType> = {
  operation: option(
    'an operation or a non-empty list of operations; to match all operations, omit it',
    (value) => value !== null && (!Array.isArray(value) || value.length > 0),
  ),
  credential: option("a credential's name or token", isString),
  after: nonNegativeNumber(),
  times: nonNegativeNumber(),
  probability: option('a number from 0 to 1', (value) => isWithin(value, 0, 1)),
  latency: option('a number of milliseconds, or [minimum, maximum]', isLatency),
  status: integerBetween(200, 599),
  retryAfter: option(
    'a non-negative number of seconds, or a Date',
    (value) => isWithin(value, 0) || (value instanceof Date && !Number.isNaN(value.getTime())),
  ),
  body: option('a string or a JSON-serializable value', isJson),
  headers: z.optional(
    z.custom((value) => headersProblem(value) === undefined, {
      error: ({ input }) => headersProblem(input),
    }),
  ),
  error: oneOf(faultErrors),
};

const rule = z.refine<Record<keyof Fault, unknown>>;

const schema = z.strictObject(faultFields).check(
  rule(
    ({ status, retryAfter, body, headers }) =>
      status !== undefined || [retryAfter, body, headers].every((value) => value === undefined),
    'options "retryAfter", "body", and "headers" require "status"',
  ),
  rule(
    ({ status, error }) => status === undefined || error === undefined,
    'options "status" and "error" are mutually exclusive',
  ),
  rule(
    ({ status, error, latency }) => [status, error, latency].some((value) => value !== undefined),
    'one of "latency", "status", and "error" is required',
  ),
);

/**
 * Returns whether a value is a number within the range. Faults can come from JSON, so the value can have any
 * type.
 */
const isWithin = (value: unknown, minimum: number, maximum = Number.POSITIVE_INFINITY): boolean =>
  typeof value === 'number' && value >= minimum && value <= maximum;

function isLatency(value: unknown): boolean {
  const [minimum, maximum, ...others] = Array.isArray(value) ? value : [value, value];
  return isWithin(minimum, 0) && isWithin(maximum, minimum, 2 ** 31 - 1) && others.length === 0;
}

/** Returns what's wrong with the headers. An invalid header would make every affected request fail. */
function headersProblem(headers: unknown): string | undefined {
  if (!isObject(headers) || !Object.values(headers).every(isString)) {
    return 'must be an object with string values';
  }
  for (const [name, value] of Object.entries(headers as Record<string, string>)) {
    if (!isHeaderName(name)) return `has an invalid header name: ${JSON.stringify(name)}`;
    if (/^(?:content-length|transfer-encoding)$/i.test(name)) {
      return `must not include ${name}, which depends on the body`;
    }
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) return `has an invalid value for ${name}`;
  }
  return undefined;
}

/**
 * Returns whether a value can be serialized as JSON. Circular references, BigInt values, functions, and
 * deep nesting aren't allowed.
 */
function isJson(body: unknown): boolean {
  try {
    return JSON.stringify(body) !== undefined;
  } catch {
    return false;
  }
}
