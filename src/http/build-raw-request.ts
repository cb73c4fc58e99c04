import type { Method } from '../contract/index.js';
import { ConfigurationError } from '../errors/index.js';
import { definedFields } from '../shared/defined-fields.js';
import type { BuiltRequest, RawOperation } from './call-state.js';
import { invalidValuesIn } from './invalid-dates.js';
import { serializeBody } from './serialize-body.js';
import type { Settings } from './settings.js';

/** The query and body of a raw request. */
export interface RawInput {
  query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
  /** Any value that can be serialized as JSON. */
  body?: unknown;
}

/**
 * Builds the URL and body of a request to a path that isn't in the contract.
 *
 * @throws ConfigurationError if the method is unknown, the path is outside the API, the body can't be
 * serialized as JSON, or a date is invalid
 */
export function buildRawRequest(
  { baseUrl }: Settings,
  method: Method,
  path: string,
  { query = {}, body }: RawInput,
): BuiltRequest {
  const reject = (message: string, cause?: unknown) =>
    new ConfigurationError(`${method} ${path}: ${message}`, { cause });
  if (!/^(GET|POST|PUT|PATCH|DELETE)$/.test(method)) throw reject('unknown method');
  if (method === 'GET' && body !== undefined) throw reject('a GET request must not have a body');
  const url = new URL(baseUrl + path);
  // Paths such as `//elsewhere` or `/../..` would send the credential to another host or path.
  if (!url.href.startsWith(`${baseUrl}/`)) {
    throw reject(`the path must start with "/" and stay under ${baseUrl}`);
  }
  const [invalid] = [...invalidValuesIn(query, 'query'), ...invalidValuesIn(body, 'body')];
  if (invalid) throw reject(`${invalid.field} ${invalid.problem}`);
  for (const [name, value] of Object.entries(definedFields(query))) {
    url.searchParams.append(name, String(value));
  }
  const json = serializeBody(body, (problem, cause) => reject(`the body ${problem}`, cause));
  return { url: url.href, body: json };
}

/**
 * Describes a raw request as if it were an operation in the contract. The query is removed from the path,
 * because span names and log entries must not contain it.
 */
export const rawOperation = (method: Method, path: string): RawOperation => ({
  method,
  path: path.replace(/[?#].*/s, ''),
  idempotent: /GET|PUT|DELETE/.test(method),
  errorCodes: [],
  parameters: [],
  paginated: false,
  isRaw: true,
});
