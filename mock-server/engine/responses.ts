import { defaultPerPage, errorCodes, type PageInfo } from '../../src/contract/index.js';
import type { ErrorContent, Wire } from '../../src/wire/index.js';
import type { ErrorResponse } from '../rules/index.js';
import { pageOf } from '../rules/pages.js';
import type { RulePage } from '../rules/rule.js';

/** The constructor of answers: the platform's, or a lighter one that a face brings. */
export type ResponseConstructor = new (body?: BodyInit | null, init?: ResponseInit) => Response;

/** Builds an answer with a JSON body, which is text or its UTF-8. */
export function jsonResponse(
  Response: ResponseConstructor,
  status: number,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string>,
): Response {
  headers['content-type'] = 'application/json';
  return new Response(body, { status, headers });
}

/** Builds the answer to a refused request. */
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

/** What the wire wants around the items of a page. */
export function pageEnvelope(
  wire: Wire,
  { items, total }: RulePage<unknown>,
  query: unknown,
  url: URL,
): (items: readonly unknown[]) => unknown {
  const { page = 1, per_page = defaultPerPage } = query as { page?: number; per_page?: number };
  const { from } = pageOf({ page, per_page });
  const pageInfo: PageInfo = {
    current_page: page,
    per_page,
    last_page: Math.max(1, Math.ceil(total / per_page)),
    total,
    from: items.length === 0 ? null : from + 1,
    to: items.length === 0 ? null : from + items.length,
  };
  return (given) => wire.page.encode(given, pageInfo, url);
}
