import { defaultPerPage, type ErrorCode, type PageInfo } from '../../src/contract/index.js';
import type { ErrorContent, WireFormat } from '../../src/wire/index.js';
import type { JournalEntry } from '../journal/entry.js';
import type { RejectedRequest } from '../rules/index.js';
import { pageOf, type RulePage } from '../rules/rule.js';

/** A response class: the global one, or a faster one provided by an integration. */
export type ResponseConstructor = new (
  body?: ConstructorParameters<typeof Response>[0],
  init?: ResponseInit,
) => Response;

/** Everything needed to build a response. */
export interface ResponseTarget {
  entry: Pick<JournalEntry, 'responseText'>;
  /** Headers to send with every response, including error responses. */
  headers: Record<string, string>;
  Response: ResponseConstructor;
}

/** Builds a JSON response from a string or UTF-8 bytes. */
export function jsonResponse(
  { entry, headers, Response }: ResponseTarget,
  status: number,
  body: string | Uint8Array<ArrayBuffer>,
): Response {
  headers['content-type'] = 'application/json';
  entry.responseText = body;
  return new Response(body, { status, headers });
}

/** Builds the response to a rejected request. */
export function buildErrorResponse(
  target: ResponseTarget,
  { code, message, fieldErrors }: RejectedRequest,
  wire: WireFormat,
  statuses: Readonly<Record<ErrorCode, number>>,
): Response {
  const status = statuses[code];
  if (status === 401 && wire.credential.scheme) target.headers['www-authenticate'] = wire.credential.scheme;
  const content: ErrorContent = { message, code, ...(fieldErrors && { errors: fieldErrors }) };
  return jsonResponse(target, status, JSON.stringify(wire.error.encode(content, status)));
}

/**
 * Builds the response to a request that was in flight during a reset. The status is 409, so clients don't
 * retry the request.
 */
export function buildStaleResponse(target: ResponseTarget, { message }: Error, wire: WireFormat): Response {
  return jsonResponse(target, 409, JSON.stringify(wire.error.encode({ message }, 409)));
}

/** Returns a function that wraps a page's items in the response envelope. */
export function pageEnvelope(
  wire: WireFormat,
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
