import * as z from 'zod/mini';
import { lazy } from '../contract/lazy.js';
import {
  abortSignal,
  boolean,
  duration,
  fn,
  isFunction,
  isNonEmptyString,
  isObject,
  nonEmptyString,
  nonNegativeInteger,
  object,
  oneOf,
  option,
  positiveDuration,
  positiveInteger,
  secretOption,
} from '../contract/option-types.js';
import { logLevels } from '../logger.js';
import type { ClientOptions, ListOptions } from '../options.js';
import { withHints } from '../shared/hints.js';

/** The options that both clients and calls accept. If one is missing here, this file doesn't compile. */
const sharedFields = lazy(
  () =>
    ({
      timeout: positiveDuration(),
      deadline: positiveDuration(),
      maxResponseBytes: option(
        'a positive number of bytes',
        (value) => typeof value === 'number' && value > 0,
      ),
      retry: option(
        'a non-negative integer or { limit, maxDelay, maxRetryAfter }',
        (value) => isObject(value) || (Number.isInteger(value) && (value as number) >= 0),
      ),
      organization: nonEmptyString(),
      token: secretOption(
        'a non-empty string or a function',
        (value) => isNonEmptyString(value) || isFunction(value),
      ),
      headers: secretOption('an object', isObject),
      responseValidation: option(
        "'warn', 'throw', 'off', or a function",
        (value) => isFunction(value) || ['warn', 'throw', 'off'].includes(value as string),
      ),
      prefetch: boolean(),
      fetchOptions: object(),
      waitForRateLimit: boolean(),
    }) satisfies Fields<Omit<ListOptions, 'signal'>>,
);

type Fields<Options> = Record<keyof Options, z.ZodMiniType>;

/** Suggestions for option names from other SDKs. */
const hints: Readonly<Record<string, string>> = {
  maxRetries: 'did you mean "retry"?',
  retries: 'did you mean "retry"?',
  apiKey: 'did you mean "token"?',
  accessToken: 'did you mean "token"?',
  auth: 'did you mean "token"?',
  defaultHeaders: 'did you mean "headers"?',
};

export const callOptions = lazy(() =>
  withHints(z.strictObject({ ...sharedFields(), signal: abortSignal() }), hints),
);

export const clientOptions = lazy(() =>
  withHints(
    z.strictObject({
      ...sharedFields(),
      ...({
        baseUrl: secretOption('a URL', (value) => typeof value === 'string' || value instanceof URL),
        fetch: fn(),
        transport: fn(),
        wire: z.optional(wireOptions()),
        budget: z.optional(budgetOptions()),
        hooks: option('an object or an array of objects', (value) => [value].flat().every(isObject)),
        logger: object(),
        logLevel: oneOf(logLevels),
        logBodies: boolean(),
        allowPlainHttp: boolean(),
      } satisfies Fields<Omit<ClientOptions, keyof ListOptions>>),
    }),
    hints,
  ),
);

export const retryOptions = lazy(() =>
  z.strictObject({ limit: nonNegativeInteger(), maxDelay: duration(), maxRetryAfter: duration() }),
);

export const hookOptions = lazy(() =>
  z.strictObject({ request: fn(), response: fn(), retry: fn(), pause: fn(), error: fn() }),
);

export const bulkOptions = lazy(() =>
  z.strictObject({ concurrency: bulkConcurrency(), signal: abortSignal(), onProgress: fn() }),
);

export const pagesOptions = lazy(() => z.strictObject({ complete: boolean() }));

export const toArrayOptions = lazy(() =>
  z.strictObject({
    limit: option(
      'a non-negative integer or Infinity',
      (value) => value === Number.POSITIVE_INFINITY || (Number.isInteger(value) && (value as number) >= 0),
    ),
    complete: boolean(),
  }),
);

const bulkConcurrency = () =>
  option(
    'an integer from 1 to 1,000',
    (value) => Number.isInteger(value) && (value as number) >= 1 && (value as number) <= 1000,
  );

const budgetOptions = lazy(() =>
  z.strictObject({ requestsPerMinute: positiveInteger(), concurrency: positiveInteger() }),
);

const wireOptions = lazy(() =>
  z.strictObject({
    credential: object(),
    envelope: object(),
    page: object(),
    error: object(),
    requestIdHeader: option(
      'a header name',
      (value) => typeof value === 'string' && /^[\w!#$%&'*+.^`|~-]+$/.test(value),
    ),
  }),
);
