import {
  type BodyOf,
  type Method,
  type OperationId,
  operationOf,
  type ParamsOf,
  type QueryOf,
  type ResultOf,
} from '../contract/index.js';
import { ConfigurationError } from '../errors/index.js';
import type { CallOptions } from '../options.js';
import type { Settings } from '../settings.js';
import { parse } from './observe.js';
import { perform } from './perform.js';
import { prepare } from './prepare.js';
import { readResult } from './read-result.js';

/** Carries out an operation: what every method of a resource hands its arguments to. */
export type Call = <Id extends OperationId>(
  operation: Id,
  input: CallInput<Id>,
  options?: CallOptions,
) => ApiPromise<ResultOf<Id>>;

/** The arguments of an operation; the organization in its path may come from the options. */
export interface CallInput<Id extends OperationId> {
  params?: Partial<ParamsOf<Id>> | undefined;
  query?: QueryOf<Id> | undefined;
  body?: BodyOf<Id> | undefined;
  /** Whether fields that the contract does not know are sent too; otherwise they are refused. */
  loose?: boolean | undefined;
}

/** A promise of an operation's result, from which the answer as a whole can be had too. */
export interface ApiPromise<Result> extends Promise<Result> {
  /** The result with the answer's status, headers, request id and the number of attempts. */
  withResponse(): Promise<ApiResponse<Result>>;
}

/** A result and the answer that it came in. */
export interface ApiResponse<Result> {
  data: Result;
  status: number;
  headers: Headers;
  /** The request's id as the server gave it. */
  requestId: string | undefined;
  /** Attempts made, the first included. */
  attempts: number;
}

export const createCall =
  (client: Settings): Call =>
  (id, input, options = {}) =>
    apiPromise(
      perform(client, options, id, (settings) => {
        const operation = operationOf(id);
        const read = operation.response && readResult.bind(undefined, operation);
        return { operation, read, request: prepare(id, input, settings) };
      }),
    );

/** What a call of a path that the contract does not know can send. */
export interface RawInput {
  query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
  /** Anything that JSON can hold. */
  body?: unknown;
}

/** Calls a path that the contract does not know. */
export type RawCall = (
  method: Method,
  path: string,
  input?: RawInput,
  options?: CallOptions,
) => ApiPromise<unknown>;

export const createRawCall =
  (client: Settings): RawCall =>
  (method, path, { query = {}, body } = {}, options = {}) =>
    apiPromise(
      perform(client, options, `${method} ${path}`, (settings) => ({
        operation: {
          method,
          path,
          idempotent: /GET|PUT|DELETE/.test(method),
          errorCodes: [],
          parameters: [],
        },
        request: rawRequest(settings, method, path, { query, body }),
        read: (_call, _response, text) => (text ? parse(text) : undefined),
      })),
    );

function rawRequest({ baseUrl }: Settings, method: Method, path: string, { query = {}, body }: RawInput) {
  const refuse = (message: string, cause?: unknown) =>
    new ConfigurationError(`${method} ${path}: ${message}`, { cause });
  if (!/^(GET|POST|PUT|PATCH|DELETE)$/.test(method)) throw refuse('unknown method');
  if (method === 'GET' && body !== undefined) throw refuse('a GET has no body');
  const url = new URL(baseUrl + path);
  // The credential must not go elsewhere, and `//elsewhere` or `/../..` would take it there.
  if (!url.href.startsWith(`${baseUrl}/`))
    throw refuse(`must be a path below ${baseUrl}, beginning with "/"`);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.append(name, String(value));
  }
  try {
    return { url: url.href, body: JSON.stringify(body) as string | undefined };
  } catch (cause) {
    throw refuse('the body cannot be written as JSON', cause);
  }
}

function apiPromise<Result>(answer: Promise<ApiResponse<unknown>>): ApiPromise<Result> {
  const result = answer.then(({ data }) => data as Result);
  const withResponse = () => {
    // Whoever asks for the answer hears of its failure there, and need not look at the result.
    result.catch(() => {});
    return answer as Promise<ApiResponse<Result>>;
  };
  return Object.assign(result, { withResponse });
}
