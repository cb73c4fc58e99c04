import { fieldsOf, type Schema, validate } from '../../src/contract/index.js';
import { decodeQuery, isObject, type WireFormat } from '../../src/wire/index.js';
import { ErrorResponse, invalidFields } from '../rules/error-response.js';
import { abortable, type Incoming } from './incoming.js';

/** Reads a request body as a string. */
export async function readBody(request: Incoming, limit: number): Promise<string> {
  const declaredLength = request.headers.get('content-length');
  // Checks the size first, because once reading starts, the whole body must be read.
  if (Number(declaredLength) > limit) throw tooLarge(limit);
  if (request.body === null) return '';
  const reading =
    declaredLength === null && isStream(request.body) ? readUpTo(limit, request.body) : request.text();
  const text = await abortable(request.signal, reading);
  // A UTF-16 code unit takes at most three bytes in UTF-8, so most bodies can be checked without encoding
  // them.
  if (text.length * 3 > limit && new TextEncoder().encode(text).length > limit) throw tooLarge(limit);
  return text;
}

const isStream = (body: unknown): body is ReadableStream<Uint8Array> =>
  typeof (body as Partial<ReadableStream> | null)?.getReader === 'function';

/** Reads a body of unknown length. Stops reading at the limit. */
async function readUpTo(limit: number, body: ReadableStream<Uint8Array>): Promise<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.byteLength;
    if (size > limit) {
      // The client may already be gone; the response is sent anyway.
      reader.cancel().catch(() => {});
      throw tooLarge(limit);
    }
    text += decoder.decode(value, { stream: true });
  }
}

/**
 * Parses a JSON body. An empty body is treated as `{}`.
 *
 * @throws ErrorResponse `malformed_json` (400) if the body isn't valid JSON
 */
export function parseBody(text: string): unknown {
  if (text === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    throw new ErrorResponse('malformed_json', "The body isn't valid JSON.");
  }
}

/**
 * Validates a query or a body against the contract. Unknown fields are ignored.
 *
 * @throws ErrorResponse (422) with the error code and field errors from the contract's validation
 */
export function checkPayload(schema: Schema<unknown, never>, payload: unknown): unknown {
  const result = validate(schema, isObject(payload) ? knownFields(schema, payload) : payload);
  if (result.ok) return result.value;
  throw invalidFields(result.code, result.fieldErrors);
}

/** Reads the query parameters defined in the contract. A custom page parameter is renamed to `page`. */
export function readQuery(
  url: URL,
  schema: Schema<unknown, never>,
  wire: WireFormat,
): Record<string, unknown> {
  const { parameter } = wire.page;
  if (parameter === 'page') return decodeQuery(url.searchParams, schema);
  const renamed = new URLSearchParams(url.search);
  renamed.delete('page');
  for (const value of url.searchParams.getAll(parameter)) renamed.append('page', value);
  return decodeQuery(renamed, schema);
}

function knownFields(schema: Schema<unknown, never>, payload: Record<string, unknown>): unknown {
  const known: Record<string, unknown> = {};
  for (const field of fieldsOf(schema).keys()) {
    if (Object.hasOwn(payload, field)) known[field] = payload[field];
  }
  return known;
}

const tooLarge = (limit: number) =>
  new ErrorResponse('payload_too_large', `The body is larger than ${limit.toLocaleString('en-US')} bytes.`);
