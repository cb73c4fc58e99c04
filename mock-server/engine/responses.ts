import { defaultPerPage, type PageInfo } from '../../src/contract/index.js';
import { concat } from '../../src/shared/chunks.js';
import type { WireFormat } from '../../src/wire/index.js';
import { type JournalEntry, maxBodySize } from '../journal/entry.js';
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

/**
 * Builds a JSON response from a string or UTF-8 bytes. Adds the content type to the target's headers, and the
 * body to its journal entry.
 */
export function jsonResponse(
  { entry, headers, Response }: ResponseTarget,
  status: number,
  body: string | Uint8Array<ArrayBuffer>,
): Response {
  headers['content-type'] = 'application/json';
  entry.responseText = body;
  return new Response(body, { status, headers });
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

/**
 * Records a response's body for the journal while the client reads it, so that a streamed body isn't delayed
 * or read ahead.
 *
 * @param onEnd called after the last byte has been read, unless the body is too large for the journal
 * @returns a response with the same properties, to be sent instead
 */
export function journalBody(response: Response, onEnd: (body: Uint8Array) => void): Response {
  const { body, status, statusText, headers } = response;
  // If an override has already read the body, return the response unchanged so that the client gets the same
  // error as without recording.
  if (!body || response.bodyUsed) return response;
  const chunks: Uint8Array[] = [];
  let size = 0;
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  const recorded = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        reader ??= body.getReader();
        const { done, value } = await reader.read();
        if (!done) {
          // Skip chunks of other types, because they make the client's read fail.
          if (value instanceof Uint8Array) {
            size += value.length;
            // Copy the chunk, because the client may modify it.
            if (size <= maxBodySize) chunks.push(value.slice());
          }
          return controller.enqueue(value);
        }
        // If the client has canceled the body, this throws an error, so an incomplete body is never recorded.
        controller.close();
        if (size <= maxBodySize) onEnd(concat(chunks));
      },
      cancel: (reason) => (reader ?? body).cancel(reason),
    },
    // Read a chunk only when the client requests one.
    { highWaterMark: 0 },
  );
  const copy = new Response(recorded, { status, statusText, headers });
  // The constructor doesn't accept these properties, which are set if an override returns a response from
  // `fetch`.
  for (const name of ['url', 'redirected', 'type'] as const) {
    Object.defineProperty(copy, name, { value: response[name], configurable: true });
  }
  return copy;
}
