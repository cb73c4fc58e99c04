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
 * One request as the server received it, and how it responded. Typed by its operation if one is
 * named: `mock.requests.last('tickets.create')?.body.title`.
 */
export interface RecordedRequest<Id extends OperationId = OperationId> {
  /** The response's `x-request-id`. */
  readonly id: string;
  /** Undefined if the path or the method doesn't belong to an operation. */
  readonly operation: RecordedOperation<Id>;
  readonly method: string;
  readonly url: string;
  /** Request headers, with names in lower case. The value of a credential is `[hidden]`. */
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
  /** Name of the credential; undefined for a request without a valid one. */
  readonly credential: string | undefined;
  /** The scope that the operation requires. */
  readonly scope: Scope | undefined;
  /** 0 while the request is in flight, and for a connection that a fault closed. */
  readonly status: number;
  /** The error code of an error response. */
  readonly code: string | undefined;
  readonly fieldErrors: FieldErrors | undefined;
  /** What a fault did to the request: `status 503`, `response lost`. */
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

/** Any value, unless the operation is known: then the type that the contract gives it. */
type ByOperation<Id extends OperationId, Value> = [OperationId] extends [Id] ? unknown : Value;

/**
 * A request while the journal keeps it. Bodies are kept as text, because parsed JSON can take thirty
 * times the memory; both are only read when somebody looks at the request.
 */
export type OpenRecord = {
  -readonly [Field in Exclude<keyof RecordedRequest, 'headers' | 'body'>]: RecordedRequest[Field];
} & {
  requestHeaders: RequestHeaders;
  bodyText: string | undefined;
  /** Bytes of memory, 0 while the request is in flight; undefined once the journal has forgotten it. */
  size: number | undefined;
};

/** @param hidden names of headers whose values nobody may see */
export function readRecord(
  { requestHeaders, bodyText, size: _, ...record }: OpenRecord,
  hidden: ReadonlySet<string>,
): RecordedRequest {
  return { ...record, headers: readHeaders(requestHeaders, hidden), body: readJson(bodyText) };
}

/** Returns the bytes of memory that a request takes in the journal, roughly. */
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
  credential: true,
  scope: true,
  status: true,
  code: true,
  fieldErrors: true,
  fault: true,
  at: true,
  duration: true,
};

/** The fields that an expectation can name. */
export const recordFields: ReadonlySet<string> = new Set(Object.keys(fields));
