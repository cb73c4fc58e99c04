import { defaultPerPage, errorCodes, type PageInfo } from '../../src/contract/index.js';
import type { ErrorContent, Wire } from '../../src/wire/index.js';
import type { OpenRecord } from '../journal/entry.js';
import type { ErrorResponse } from '../rules/index.js';
import { pageOf } from '../rules/pages.js';
import type { RulePage } from '../rules/rule.js';

/** The constructor of responses: the platform's, or a faster one that an integration provides. */
export type ResponseConstructor = new (body?: BodyInit | null, init?: ResponseInit) => Response;

/** What the response to a request is built with. */
export interface ResponseTarget {
  /** The request's entry in the journal. */
  record: Pick<OpenRecord, 'responseText'>;
  /** Headers of the response, whatever its status. */
  headers: Record<string, string>;
  Response: ResponseConstructor;
}

/** Builds a response with a JSON body, which is a string or its UTF-8 bytes. */
export function jsonResponse(
  { record, headers, Response }: ResponseTarget,
  status: number,
  body: string | Uint8Array<ArrayBuffer>,
): Response {
  headers['content-type'] = 'application/json';
  record.responseText = body;
  return new Response(body, { status, headers });
}

/** Builds the response to a rejected request. */
export function buildErrorResponse(
  target: ResponseTarget,
  { code, message, fieldErrors }: ErrorResponse,
  wire: Wire,
): Response {
  const status = errorCodes[code];
  if (status === 401 && wire.credential.scheme) target.headers['www-authenticate'] = wire.credential.scheme;
  const content: ErrorContent = { message, code, ...(fieldErrors && { errors: fieldErrors }) };
  return jsonResponse(target, status, JSON.stringify(wire.error.encode(content)));
}

/**
 * Builds the response to a request that was in flight during a reset. The status is 409 because clients don't
 * retry it.
 */
export function buildStaleResponse(target: ResponseTarget, { message }: Error, wire: Wire): Response {
  return jsonResponse(target, 409, JSON.stringify(wire.error.encode({ message })));
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
