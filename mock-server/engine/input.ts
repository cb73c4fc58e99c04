import { type AnySchema, defaultPerPage, fieldsOf, validate } from '../../src/contract/index.js';
import { race } from '../../src/shared/abort.js';
import { isObject, parseJson } from '../../src/shared/json.js';
import { decodeQuery, type WireFormat } from '../../src/wire/index.js';
import { invalidFields, RejectedRequest } from '../rules/rejected-request.js';
import type { Incoming } from './incoming.js';

/** Reads a request body as a string. */
export async function readBody(request: Incoming, limit: number): Promise<string> {
  // Check the declared size first, because once reading has started, the whole body has to be read.
  if (Number(request.headers.get('content-length')) > limit) throw tooLarge(limit);
  const { body } = request;
  if (body === null) return '';
  if (typeof body !== 'string') return race(readUpTo(limit, body), request.signal);
  // A UTF-16 code unit takes at most three bytes in UTF-8, so most bodies don't need to be encoded for this
  // check.
  if (body.length * 3 > limit && new TextEncoder().encode(body).length > limit) throw tooLarge(limit);
  return body;
}

/** How long to wait for a rejected request's body, in milliseconds. */
const patience = 100;

/**
 * Reads a body that only the journal needs. The response must not wait for the body, so the function returns
 * undefined if the body is too large, arrives too late, or has no declared length.
 */
export async function readUnusedBody(request: Incoming, limit: number): Promise<string | undefined> {
  const { headers } = request;
  // Don't access the body, because Node.js drains only bodies that were never accessed.
  if (headers.has('transfer-encoding') || Number(headers.get('content-length')) > limit) return undefined;
  if (typeof request.body === 'string') return request.body;
  // Don't use `AbortSignal.timeout`, because Node.js would exit before the timeout if nothing else is pending.
  const expired = new AbortController();
  const timer = setTimeout(() => expired.abort(), patience);
  try {
    return await race(readBody(request, limit), expired.signal);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Reads a stream. Stops at the limit.
 *
 * @throws RejectedRequest `malformed_json` (400) if the body isn't valid UTF-8, which JSON requires
 */
async function readUpTo(limit: number, body: ReadableStream<Uint8Array>): Promise<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  let size = 0;
  let isValid = true;
  for (;;) {
    const { done, value } = await reader.read();
    size += value?.byteLength ?? 0;
    if (size > limit) {
      // Canceling fails if the client has disconnected, but the error response is sent either way.
      reader.cancel().catch(() => {});
      throw tooLarge(limit);
    }
    try {
      text += decoder.decode(value, { stream: !done });
    } catch {
      // Read the rest of the body so that the client can send another request on the same connection.
      isValid = false;
    }
    if (!done) continue;
    if (isValid) return text;
    throw new RejectedRequest('malformed_json', "The body isn't valid UTF-8.");
  }
}

/**
 * Parses a JSON body. An empty body is treated as `{}`.
 *
 * @throws RejectedRequest `malformed_json` (400) if the body isn't valid JSON
 */
export function parseBody(text: string): unknown {
  if (text === '') return {};
  return parseJson(text, () => {
    throw new RejectedRequest('malformed_json', "The body isn't valid JSON.");
  });
}

/**
 * Validates a query or a body against the contract. Unknown fields are ignored, unless a deployment rejects
 * them.
 *
 * @throws RejectedRequest (422) with the error code and field errors from the contract's validation
 */
export function checkPayload(
  schema: AnySchema,
  payload: unknown,
  unknownFields: 'ignored' | 'rejected' = 'ignored',
): unknown {
  const keepsAll = unknownFields === 'rejected' || !isObject(payload);
  const result = validate(schema, keepsAll ? payload : knownFields(schema, payload));
  if (result.ok) return result.value;
  throw invalidFields(result.code, result.fieldErrors);
}

/** Reads the query parameters defined in the contract. A custom page parameter is renamed to `page`. */
export function readQuery(url: URL, schema: AnySchema, wire: WireFormat): Record<string, unknown> {
  const { parameter, readParameter = (value) => value } = wire.page;
  if (parameter === 'page' && !wire.page.readParameter) return decodeQuery(url.searchParams, schema);
  const renamed = new URLSearchParams(url.search);
  renamed.delete('page');
  const perPage = Number(url.searchParams.getAll('per_page').at(-1) ?? defaultPerPage);
  for (const value of url.searchParams.getAll(parameter)) {
    renamed.append('page', readParameter(value, perPage));
  }
  return decodeQuery(renamed, schema);
}

function knownFields(schema: AnySchema, payload: Record<string, unknown>): unknown {
  const known: Record<string, unknown> = {};
  for (const field of fieldsOf(schema).keys()) {
    if (Object.hasOwn(payload, field)) known[field] = payload[field];
  }
  return known;
}

const tooLarge = (limit: number) =>
  new RejectedRequest('payload_too_large', `The body is larger than ${limit.toLocaleString('en-US')} bytes.`);
