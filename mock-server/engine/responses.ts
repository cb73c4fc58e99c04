import { defaultPerPage, errorCodes, type PageInfo } from '../../src/contract/index.js';
import type { ErrorContent, Wire } from '../../src/wire/index.js';
import type { ErrorResponse } from '../rules/index.js';
import { pageOf } from '../rules/pages.js';
import type { RulePage } from '../rules/rule.js';

/** The constructor of responses: the platform's, or a faster one that an integration provides. */
export type ResponseConstructor = new (body?: BodyInit | null, init?: ResponseInit) => Response;

/** Builds a response with a JSON body, which is a string or its UTF-8 bytes. */
export function jsonResponse(
  Response: ResponseConstructor,
  status: number,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string>,
): Response {
  headers['content-type'] = 'application/json';
  return new Response(body, { status, headers });
}

/** Builds the response to a rejected request. */
export function buildErrorResponse(
  Response: ResponseConstructor,
  { code, message, fieldErrors }: ErrorResponse,
  wire: Wire,
  headers: Record<string, string>,
): Response {
  const status = errorCodes[code];
  if (status === 401 && wire.credential.scheme) headers['www-authenticate'] = wire.credential.scheme;
  const content: ErrorContent = { message, code, ...(fieldErrors && { errors: fieldErrors }) };
  return jsonResponse(Response, status, JSON.stringify(wire.error.encode(content)), headers);
}

/**
 * Builds the response to a request that was in flight during a reset. The status is 409 because clients don't
 * retry it.
 */
export function buildStaleResponse(
  Response: ResponseConstructor,
  { message }: Error,
  wire: Wire,
  headers: Record<string, string>,
): Response {
  return jsonResponse(Response, 409, JSON.stringify(wire.error.encode({ message })), headers);
}

/** Prepares the envelope around the items of a page. */
export function pageEnvelope(
  wire: Wire,
  { items, total }: RulePage<unknown>,
  query: unknown,
  url: URL,
): (items: readonly unknown[]) => unknown {
  const { page = 1, per_page = defaultPerPage } = query as { page?: number; per_page?: number };
  const { from } = pageOf({ page, per_page });
  const info: PageInfo = {
    current_page: page,
    per_page,
    last_page: Math.max(1, Math.ceil(total / per_page)),
    total,
    from: items.length === 0 ? null : from + 1,
    to: items.length === 0 ? null : from + items.length,
  };
  return (encoded) => wire.page.encode(encoded, info, url);
}
