import * as z from 'zod/mini';
import { withHints } from '../contract/hints.js';
import type { OperationId } from '../contract/index.js';
import { lazy } from '../contract/lazy.js';
import { ConfigurationError } from '../errors/index.js';
import { logLevels } from '../logger.js';
import { maxMarkPart } from '../mark.js';
import {
  abortSignal,
  boolean,
  checkOptions,
  describe,
  duration,
  fn,
  integerBetween,
  isFunction,
  isHeaderName,
  isInteger,
  isNonEmptyString,
  isString,
  nonEmptyString,
  nonNegativeInteger,
  nonNegativeIntegerOrInfinity,
  type OptionsSchema,
  object,
  oneOf,
  option,
  positiveDuration,
  positiveInteger,
  requiredOption,
  secretOption,
} from '../option-schema.js';
import type { ClientOptions, ListOptions } from '../options.js';
import { didYouMean } from '../shared/did-you-mean.js';
import { isObject } from '../shared/json.js';

/** @throws ConfigurationError if a client option is unknown or invalid */
export function checkClientOptions(options: ClientOptions): void {
  check(clientOptions(), options);
  for (const hooks of [options.hooks ?? []].flat()) {
    checkOptions(hookOptions(), hooks, { prefix: 'hooks.', fail });
  }
}

/** @throws ConfigurationError if a call option is unknown or invalid */
export const checkCallOptions = (options: ListOptions): void => check(callOptions(), options);

/** @throws ConfigurationError if a `bulk` option is unknown or invalid, or if the inputs aren't iterable */
export function checkBulk(options: object, inputs: unknown): void {
  const failed = (message: string) => fail(`bulk: ${message}`);
  checkOptions(bulkOptions(), options, { fail: failed });
  const { [Symbol.asyncIterator]: asyncIterator, [Symbol.iterator]: iterator } = Object(inputs);
  if (!asyncIterator && !iterator) throw failed(`the inputs must be iterable (got ${describe(inputs)})`);
}

/** @throws ConfigurationError if a `pages` option is unknown or invalid */
export const checkPagesOptions = (operation: OperationId, options: object): void =>
  checkOptions(pagesOptions(), options, { fail: failList(operation, 'pages') });

/** @throws ConfigurationError if a `toArray` option is unknown or invalid */
export function checkToArrayOptions(
  operation: OperationId,
  options: { limit?: number; complete?: boolean },
): void {
  const failed = failList(operation, 'toArray');
  checkOptions(toArrayOptions(), options, { fail: failed });
  if (options.complete && options.limit !== undefined) {
    throw failed('options "limit" and "complete" are mutually exclusive');
  }
  if (!options.complete && options.limit === undefined) {
    throw failed('pass { limit } or { complete: true }');
  }
}

type FindOptionFields = { [Name in 'key' | 'match' | 'q' | 'onCreate']: unknown };

/**
 * @throws ConfigurationError unless the `findOrCreate` options contain either a valid `key` or a `match`
 * function
 */
export function checkFindOptions(method: string, options: FindOptionFields): void {
  const failed = (message: string) => fail(`${method}: ${message}`);
  checkOptions(findOptions(), options, { fail: failed });
  const { key, match, q } = options;
  if ((key === undefined) === !match) throw failed('pass either "key" or "match"');
  if (q !== undefined && !match) throw failed('option "q" requires "match"');
}

/** @throws ConfigurationError if a key or its source is invalid */
export const checkFindByKey = (method: string, input: { key: unknown; source: unknown }): void =>
  checkOptions(findByKeyInput(), input, { fail: (message) => fail(`${method}: ${message}`) });

const failList = (operation: OperationId, method: string) => (message: string) =>
  new ConfigurationError(`${operation}: ${method}: ${message}`, { operation });

function check(schema: OptionsSchema, options: ListOptions): void {
  checkOptions(schema, options, { fail });
  if (isObject(options.retry)) checkOptions(retryOptions(), options.retry, { prefix: 'retry.', fail });
}

const fail = (message: string) => new ConfigurationError(message);

/**
 * The options that both clients and calls accept. If an option is missing here, this file doesn't compile.
 */
const sharedFields = lazy(
  () =>
    ({
      timeout: positiveDuration(),
      totalTimeout: positiveDuration(),
      maxResponseBytes: option(
        'a positive number of bytes',
        (value) => typeof value === 'number' && value > 0,
      ),
      retry: option(
        'a non-negative integer or { limit, maxDelay, maxRetryAfter }',
        (value) => isObject(value) || isInteger(value, 0),
      ),
      organization: nonEmptyString(),
      token: secretOption(
        'a non-empty string or a function',
        (value) => isNonEmptyString(value) || isFunction(value),
      ),
      headers: secretOption('an object', (value) => isObject(value) || Array.isArray(value)),
      responseValidation: option(
        "'warn', 'throw', 'off', or a function",
        (value) => isFunction(value) || ['warn', 'throw', 'off'].includes(value as string),
      ),
      prefetch: boolean(),
      fetchOptions: object(),
      waitForRateLimit: boolean(),
      context: z.optional(z.unknown()),
    }) satisfies Fields<Omit<ListOptions, 'signal'>>,
);

type Fields<Options> = Record<keyof Options, z.ZodMiniType>;

/** Hints shown when a caller uses an option name from another SDK. */
const hints: Readonly<Record<string, string>> = {
  maxRetries: 'did you mean "retry"?',
  retries: 'did you mean "retry"?',
  apiKey: 'did you mean "token"?',
  accessToken: 'did you mean "token"?',
  auth: 'did you mean "token"?',
  defaultHeaders: 'did you mean "headers"?',
};

const callOptions = lazy(() =>
  withHints(z.strictObject({ ...sharedFields(), signal: abortSignal() }), hints),
);

const clientOptions = lazy(() =>
  withHints(
    z.strictObject({
      ...sharedFields(),
      ...({
        baseUrl: secretOption('a URL', (value) => typeof value === 'string' || value instanceof URL),
        fetch: fn(),
        wire: z.optional(wireOptions()),
        throttle: z.optional(throttleOptions()),
        hooks: option('an object or an array of objects', (value) => [value].flat().every(isObject)),
        logger: object(),
        logLevel: oneOf(logLevels),
        logBodies: boolean(),
        defaultBoard: boolean(),
        allowPlainHttp: boolean(),
      } satisfies Fields<Omit<ClientOptions, keyof ListOptions>>),
    }),
    hints,
  ),
);

const retryOptions = lazy(() =>
  z.strictObject({ limit: nonNegativeInteger(), maxDelay: duration(), maxRetryAfter: duration() }),
);

const hookOptions = lazy(() =>
  z.strictObject({ request: fn(), response: fn(), retry: fn(), pause: fn(), error: fn() }),
);

const bulkOptions = lazy(() =>
  z.strictObject({ concurrency: integerBetween(1, 1000), signal: abortSignal(), onProgress: fn() }),
);

const pagesOptions = lazy(() => z.strictObject({ complete: boolean() }));

const toArrayOptions = lazy(() =>
  z.strictObject({
    limit: nonNegativeIntegerOrInfinity(),
    complete: boolean(),
  }),
);

const isMarkPart = (value: unknown): boolean =>
  isNonEmptyString(value) && value.length <= maxMarkPart && !/\p{Surrogate}/u.test(value);

const markPart = `a string of 1 to ${maxMarkPart} characters`;

const findByKeyInput = lazy(() =>
  z.strictObject({ key: requiredOption(markPart, isMarkPart), source: option(markPart, isMarkPart) }),
);

const findOptions = lazy(() =>
  z.strictObject({
    key: option(markPart, isMarkPart),
    match: fn(),
    q: option('a string', isString),
    onCreate: fn(),
  } satisfies Fields<FindOptionFields>),
);

const throttleLimits = () => ({ requestsPerMinute: positiveInteger(), concurrency: positiveInteger() });

const throttleOptions = lazy(() =>
  z.strictObject({ ...throttleLimits(), total: z.optional(z.strictObject(throttleLimits())) }),
);

const wireOptions = lazy(() =>
  z.strictObject({
    credential: object(),
    envelope: object(),
    page: object(),
    error: object(),
    requestIdHeader: option('a header name', isHeaderName),
  }),
);

/** Creates the error for an unknown option or operation, with a suggestion. */
export const unknownName = (what: string, name: string, names: readonly string[], prefix = '') =>
  new ConfigurationError(`${what} "${prefix}${name}"; ${didYouMean(name, names, prefix)}`);
