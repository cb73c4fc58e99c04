import type { OperationId } from '../contract/index.js';
import { isObject, type OptionsSchema } from '../contract/option-types.js';
import { checkOptions } from '../contract/options.js';
import { ConfigurationError } from '../errors/index.js';
import type { ClientOptions, ListOptions } from '../options.js';
import {
  bulkOptions,
  callOptions,
  clientOptions,
  hookOptions,
  pagesOptions,
  retryOptions,
  toArrayOptions,
} from './option-schemas.js';

/** @throws ConfigurationError if a client option is unknown or invalid */
export function checkClientOptions(options: ClientOptions): void {
  check(clientOptions(), options);
  for (const hooks of [options.hooks ?? []].flat()) {
    checkOptions(hookOptions(), hooks, { prefix: 'hooks.', fail });
  }
  if (options.fetch && options.transport) {
    throw fail('options "fetch" and "transport" are mutually exclusive');
  }
}

/** @throws ConfigurationError if a call option is unknown or invalid */
export const checkCallOptions = (options: ListOptions): void => check(callOptions(), options);

/** @throws ConfigurationError if a `bulk` option is unknown or invalid */
export const checkBulkOptions = (options: object): void =>
  checkOptions(bulkOptions(), options, { fail: (message) => fail(`bulk: ${message}`) });

/** @throws ConfigurationError if an option of `pages` is unknown or invalid */
export const checkPagesOptions = (operation: OperationId, options: object): void =>
  checkOptions(pagesOptions(), options, { fail: failList(operation, 'pages') });

/** @throws ConfigurationError if an option of `toArray` is unknown or invalid */
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

const failList = (operation: OperationId, method: string) => (message: string) =>
  new ConfigurationError(`${operation}: ${method}: ${message}`, { operation });

function check(schema: OptionsSchema, options: ListOptions): void {
  checkOptions(schema, options, { fail });
  if (isObject(options.retry)) checkOptions(retryOptions(), options.retry, { prefix: 'retry.', fail });
}

const fail = (message: string) => new ConfigurationError(message);
