import type {
  FieldErrors,
  OperationId,
  ParamsOf,
  Scope,
  SentBodyOf,
  SentQueryOf,
} from '../../src/contract/index.js';
import { parseJson } from '../../src/shared/json.js';

/**
 * A request received by the server, and its response. If you specify an operation, the fields are typed for
 * it: `mock.requests.last('tickets.create')?.body.title`.
 */
export interface RecordedRequest<Id extends OperationId = OperationId> {
  /** The response's `x-request-id` header. */
  readonly id: string;
  /** The operation. Undefined if no operation has this method and path. */
  readonly operation: RecordedOperation<Id>;
  readonly method: string;
  readonly url: string;
  /** The request headers, with lowercase names. Credentials are replaced with `[hidden]`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The decoded path parameters. */
  readonly params: RecordedParams<Id>;
  /**
   * The validated query parameters. Undefined if the operation has none, or if the server didn't read them
   * because of an error or a fault.
   */
  readonly query: ByOperation<Id, SentQueryOf<Id>>;
  /**
   * The request body as the server received it, even if it's invalid. If it isn't JSON, or if it's nested
   * more than 200 levels deep, it's a string. Undefined if the request had no body, or if the server ignored
   * the body or rejected the request before the entire body arrived.
   */
  readonly body: ByOperation<Id, SentBodyOf<Id>>;
  /**
   * The response body, before any fault corrupted it. If it isn't JSON, or if it's nested more than 200
   * levels deep, it's a string. Undefined if the body is empty or longer than 65,536 characters, or if the
   * journal removed it to make room for newer ones. The journal keeps up to 1,048,576 characters of response
   * bodies. A non-ASCII character can count as several characters. If an override returned a `Response`, its
   * body is undefined until the client has read it to the end.
   */
  readonly responseBody: unknown;
  /** The size of the response body in bytes. Can be undefined if the journal doesn't contain the body. */
  readonly responseSize: number | undefined;
  /** The headers that the mock server set, with lowercase names. Undefined if no response was sent. */
  readonly responseHeaders: Readonly<Record<string, string>> | undefined;
  /** The credential's name. Undefined if there was no valid credential, or if no operation matched. */
  readonly credential: string | undefined;
  /** The scope that the operation requires. */
  readonly scope: Scope | undefined;
  /** The response status. It's 0 while the request is in flight, or if no response was sent. */
  readonly status: number;
  /** The error code, if the request broke a rule. Undefined if a fault or the rate limit caused the error. */
  readonly code: string | undefined;
  readonly fieldErrors: FieldErrors | undefined;
  /** The fault applied to the request, such as `status 503` or `response lost`. Doesn't include latency. */
  readonly fault: string | undefined;
  /** Why no operation matched the request. Undefined if an operation matched. */
  readonly unhandled: string | undefined;
  /** When the request arrived, according to the server's clock. */
  readonly at: string;
  /** The response time in milliseconds, independent of the server's clock. */
  readonly duration: number;
}

type RecordedOperation<Id extends OperationId> = [OperationId] extends [Id] ? OperationId | undefined : Id;

type RecordedParams<Id extends OperationId> = [OperationId] extends [Id]
  ? Readonly<Record<string, string>>
  : Readonly<ParamsOf<Id>>;

/** The contract's type if the operation is known, otherwise `unknown`. */
type ByOperation<Id extends OperationId, Value> = [OperationId] extends [Id] ? unknown : Value;

/**
 * A request in the journal. Bodies are stored as strings because parsed JSON can use thirty times as much
 * memory. They are parsed only when the request is read.
 */
export type JournalEntry = {
  -readonly [Field in Exclude<
    keyof RecordedRequest,
    'headers' | 'body' | 'responseBody' | 'responseHeaders' | 'responseSize'
  >]: RecordedRequest[Field];
} & {
  requestHeaders: RequestHeaders;
  responseHeaders: Headers | Record<string, string> | undefined;
  /** The response's size, if it was measured before the journal dropped the body. */
  responseSize?: number | undefined;
  bodyText: string | undefined;
  responseText: string | Uint8Array | undefined;
  /** `dropped`: the journal no longer contains the request, which may still be in flight. */
  phase: 'in_flight' | 'finished' | 'dropped';
  /** The request's estimated memory use, in bytes. It's 0 until the request has finished. */
  size: number;
};

/** @param hidden the names of the headers to redact */
export function readEntry(
  { requestHeaders, bodyText, responseText, responseHeaders, phase: _, size: __, ...entry }: JournalEntry,
  hidden: ReadonlySet<string>,
): RecordedRequest {
  return {
    ...entry,
    headers: readHeaders(requestHeaders, hidden),
    responseHeaders: responseHeaders && readHeaders(responseHeaders, hidden),
    responseSize: entry.responseSize ?? byteLengthOf(responseText),
    body: readJson(bodyText),
    responseBody: readJson(
      typeof responseText === 'object' ? new TextDecoder().decode(responseText) : responseText,
    ),
  };
}

/** Returns the path of an absolute URL without the cost of creating a `URL` object. */
export const pathOf = (url: string): string =>
  url.slice(url.indexOf('/', url.indexOf('//') + 2)).replace(/[?#].*/, '');

/** Returns the size of a stored body in bytes. */
export function byteLengthOf(body: JournalEntry['responseText']): number | undefined {
  return typeof body === 'string' ? new TextEncoder().encode(body).length : body?.length;
}

/** Estimates a request's memory use in the journal, in bytes. */
export function sizeOf({ url, bodyText = '', requestHeaders }: JournalEntry): number {
  // Each character takes up at most two bytes. Count the URL three times, because the path and the query
  // parameters are stored separately.
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
  responseSize: true,
  responseHeaders: true,
  credential: true,
  scope: true,
  status: true,
  code: true,
  fieldErrors: true,
  fault: true,
  unhandled: true,
  at: true,
  duration: true,
};

/** The request fields that an expectation can contain. */
export const recordFields: ReadonlySet<string> = new Set(Object.keys(fields));

/**
 * The maximum nesting depth of parsed JSON. Printing or comparing more deeply nested values could overflow
 * the stack.
 */
const maxDepth = 200;

/**
 * Parses a body. Returns undefined if it's empty, and the string itself if it isn't JSON or is nested too
 * deeply.
 */
function readJson(text: string | undefined): unknown {
  if (text === undefined || text === '') return undefined;
  return depthOf(text) > maxDepth ? text : parseJson(text);
}

/** Counts the nesting levels of JSON in linear time without parsing it. */
export function depthOf(json: string): number {
  let depth = 0;
  let deepestLevel = 0;
  let isInString = false;
  for (let index = 0; index < json.length; index += 1) {
    const character = json[index];
    if (isInString) {
      if (character === '\\') index += 1;
      else if (character === '"') isInString = false;
    } else if (character === '"') isInString = true;
    else if (character === '[' || character === '{') {
      depth += 1;
      deepestLevel = Math.max(deepestLevel, depth);
    } else if (character === ']' || character === '}') depth -= 1;
  }
  return deepestLevel;
}

/** A request's headers in their original form. They're converted only when the journal entry is read. */
type RequestHeaders = Headers | NodeJSHeaders;

type NodeJSHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** A request, possibly one received by a Node.js server. */
interface RequestWithHeaders {
  readonly headers: Headers;
  readonly runtime?: { readonly node?: { readonly req: { readonly headers: NodeJSHeaders } } };
}

/** Returns a request's headers. Keeping the whole request would also keep its socket in memory. */
export function retainedHeaders(request: RequestWithHeaders): RequestHeaders {
  return request.runtime?.node?.req.headers ?? request.headers;
}

/** @param hidden the lowercase names of the headers to redact */
function readHeaders(headers: RequestHeaders, hidden: ReadonlySet<string>): Record<string, string> {
  const entries = headers instanceof Headers ? headers : Object.entries(headers);
  const read: [string, string][] = [];
  for (const [name, value] of entries) {
    if (value !== undefined) read.push([name, hidden.has(name) ? '[hidden]' : String(value)]);
  }
  return Object.fromEntries(read);
}

/** Returns the credentials in the redacted headers, without their schemes. */
export const hiddenValues = (headers: RequestHeaders, hidden: ReadonlySet<string>): string[] =>
  [...hidden].flatMap((name) => {
    const value = headers instanceof Headers ? headers.get(name) : headers[name];
    return value ? String(value).replace(/^\S+ /, '') : [];
  });

/** Estimates the number of characters in the headers. */
function headersLength(headers: RequestHeaders): number {
  // Return an estimate, because iterating over a `Headers` object takes longer than handling most requests.
  if (headers instanceof Headers) return 500;
  let length = 0;
  for (const name in headers) length += name.length + String(headers[name]).length;
  return length;
}

/** Headers that can contain a credential, in addition to the configured header. */
export const credentialHeaders: readonly string[] = ['authorization', 'proxy-authorization', 'cookie'];

/**
 * The maximum size of a stored response body. It's measured in UTF-16 code units for strings and in bytes
 * otherwise, because encoding every string to count its bytes isn't worth the cost.
 */
export const maxBodySize = 2 ** 16;

/** The maximum total size of all stored response bodies, in the same units. */
const maxTotalSize = 2 ** 20;

/** Keeps the latest response bodies in the journal and removes older ones. */
export class ResponseBodies {
  /** The requests whose response bodies are stored, oldest first. */
  readonly #entries = new Set<JournalEntry>();
  #size = 0;

  /** Keeps a request's response body unless it's too large. */
  retain(entry: JournalEntry): void {
    const size = entry.responseText?.length ?? 0;
    if (size > maxBodySize) entry.responseText = undefined;
    if (entry.responseText === undefined) return;
    this.#entries.add(entry);
    this.#size += size;
    for (const oldest of this.#entries) {
      if (this.#size <= maxTotalSize) return;
      this.forget(oldest);
    }
  }

  forget(entry: JournalEntry): void {
    if (!this.#entries.delete(entry)) return;
    this.#size -= entry.responseText?.length ?? 0;
    entry.responseText = undefined;
  }
}
