import type {
  FieldErrors,
  OperationId,
  ParamsOf,
  Scope,
  SentBodyOf,
  SentQueryOf,
} from '../../src/contract/index.js';
import { readJson } from './request-body.js';
import { headersLength, type RequestHeaders, readHeaders } from './request-headers.js';

/**
 * A request that the server received, with its response. Typed by operation if you pass one:
 * `mock.requests.last('tickets.create')?.body.title`.
 */
export interface RecordedRequest<Id extends OperationId = OperationId> {
  /** The response's `x-request-id`. */
  readonly id: string;
  /** Undefined if the path or the method doesn't belong to an operation. */
  readonly operation: RecordedOperation<Id>;
  readonly method: string;
  readonly url: string;
  /** The request's headers, with names in lower case. Credentials are replaced by `[hidden]`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Path parameters, decoded. */
  readonly params: RecordedParams<Id>;
  /** Validated query parameters; undefined if the request was rejected before its query was read. */
  readonly query: ByOperation<Id, SentQueryOf<Id>>;
  /**
   * The body as it was received, valid or not. Undefined if there was none, or if the request was
   * rejected before its body was read. A string if the body isn't JSON, or is nested more than 200 levels deep.
   */
  readonly body: ByOperation<Id, SentBodyOf<Id>>;
  /**
   * The body of the response, before a fault spoiled it. Undefined if there was none, if it was larger than 64 KiB,
   * or if the journal no longer keeps it: it keeps 1 MiB of them, the latest. A string if it isn't JSON.
   */
  readonly responseBody: unknown;
  /** Name of the credential; undefined for a request without a valid one. */
  readonly credential: string | undefined;
  /** The scope that the operation requires. */
  readonly scope: Scope | undefined;
  /** The response's status. It is 0 while the request is in flight, and if a fault closed the connection. */
  readonly status: number;
  /** The error code of an error response. */
  readonly code: string | undefined;
  readonly fieldErrors: FieldErrors | undefined;
  /** The fault that was applied to the request, for example `status 503` or `response lost`. */
  readonly fault: string | undefined;
  /** When the request arrived, by the server's clock. */
  readonly at: string;
  /** Milliseconds of real time until the response was ready. */
  readonly duration: number;
}

type RecordedOperation<Id extends OperationId> = [OperationId] extends [Id] ? OperationId | undefined : Id;

type RecordedParams<Id extends OperationId> = [OperationId] extends [Id]
  ? Readonly<Record<string, string>>
  : Readonly<ParamsOf<Id>>;

/** The type from the contract if the operation is known; any value otherwise. */
type ByOperation<Id extends OperationId, Value> = [OperationId] extends [Id] ? unknown : Value;

/**
 * A request in the journal. Bodies are kept as strings because parsed JSON can take thirty times the memory.
 * Headers and bodies are parsed only on first access.
 */
export type OpenRecord = {
  -readonly [Field in Exclude<
    keyof RecordedRequest,
    'headers' | 'body' | 'responseBody'
  >]: RecordedRequest[Field];
} & {
  requestHeaders: RequestHeaders;
  bodyText: string | undefined;
  responseText: string | Uint8Array | undefined;
  /** The size in bytes: 0 while the request is in flight, undefined after the journal has dropped it. */
  size: number | undefined;
};

/** @param hidden names of headers whose values are hidden */
export function readRecord(
  { requestHeaders, bodyText, responseText, size: _, ...record }: OpenRecord,
  hidden: ReadonlySet<string>,
): RecordedRequest {
  return {
    ...record,
    headers: readHeaders(requestHeaders, hidden),
    body: readJson(bodyText),
    responseBody: readJson(
      typeof responseText === 'object' ? new TextDecoder().decode(responseText) : responseText,
    ),
  };
}

/** Estimates the memory that a request takes in the journal, in bytes. */
export function sizeOf({ url, bodyText = '', requestHeaders }: OpenRecord): number {
  // A character takes up to two bytes. The path's parameters and the query repeat parts of the URL.
  return 1000 + (url.length * 3 + bodyText.length + headersLength(requestHeaders)) * 2;
}

const fields: Record<keyof RecordedRequest, true> = {
  id: true,
  operation: true,
  method: true,
  url: true,
  headers: true,
  params: true,
  query: true,
  body: true,
  responseBody: true,
  credential: true,
  scope: true,
  status: true,
  code: true,
  fieldErrors: true,
  fault: true,
  at: true,
  duration: true,
};

/** The fields of a request that an expectation can contain. */
export const recordFields: ReadonlySet<string> = new Set(Object.keys(fields));
