import type { OperationId, PageInfo } from '../contract/index.js';
import { ConfigurationError } from '../errors/index.js';
import type { DecodedPage } from '../wire/index.js';
import { type ApiPromise, type ReadResponse, toApiPromise } from './api-promise.js';
import { onAbort } from './on-abort.js';

/** A page of a list, with the page numbers and totals from the response. */
export interface Page<Item> extends PageInfo {
  data: Item[];
  /** Whether there is a next page. */
  hasNext: boolean;
  /** Requests the next page with the same filters. Resolves to undefined if this is the last page. */
  next(): Promise<Page<Item> | undefined>;
}

/**
 * A paginated list. Await it to get the first page, or iterate over it to get every item.
 *
 * Requests are sent only when you await the list or iterate over it. The first page is requested only once.
 *
 * @example
 * ```ts
 * const page = await client.tickets.list(project, { per_page: 200 });
 * for await (const ticket of client.tickets.list(project)) console.log(ticket.title);
 * const ten = await client.tickets.list(project, { q: 'launch' }).toArray({ limit: 10 });
 * ```
 */
export interface PageList<Item> extends ApiPromise<Page<Item>>, AsyncIterable<Item> {
  /**
   * Iterates over all pages, starting with the first. Skips items that already appeared on an earlier
   * page, for example after an insertion. A page without new items ends the iteration.
   */
  pages(): AsyncGenerator<Page<Item>, void, undefined>;
  /**
   * Returns up to `limit` items as an array. Requests only the pages it needs.
   *
   * @param options `limit`: the maximum number of items, a non-negative integer or `Infinity`
   */
  toArray(options: { limit: number }): Promise<Item[]>;
}

/** How to page through a list. */
export interface PageSource {
  firstPage: number;
  prefetch: boolean | undefined;
  signal: AbortSignal | undefined;
  /** @param page undefined for the first page */
  fetchPage(page: number | undefined, signal: AbortSignal | undefined): Promise<ReadResponse>;
}

export function createPageList<Item>(operation: OperationId, source: PageSource): PageList<Item> {
  let first: ApiPromise<Page<Item>> | undefined;
  const firstPage = () => (first ??= requestPage(source, undefined, source.signal));
  const pages = () => walkPages(firstPage, source);

  async function* items(): AsyncGenerator<Item, void, undefined> {
    for await (const page of pages()) yield* page.data;
  }

  return {
    [Symbol.toStringTag]: 'PageList',
    [Symbol.asyncIterator]: items,
    // biome-ignore lint/suspicious/noThenProperty: awaiting the list requests its first page
    then: (fulfilled, rejected) => firstPage().then(fulfilled, rejected),
    catch: (rejected) => firstPage().catch(rejected),
    finally: (settled) => firstPage().finally(settled),
    withResponse: () => firstPage().withResponse(),
    asResponse: () => firstPage().asResponse(),
    pages,
    async toArray({ limit } = {} as never) {
      if (limit !== Number.POSITIVE_INFINITY && !(Number.isInteger(limit) && limit >= 0)) {
        throw new ConfigurationError(
          `${operation}: toArray: "limit" must be a non-negative integer or Infinity (got ${limit})`,
          { operation },
        );
      }
      const found: Item[] = [];
      if (limit) for await (const item of items()) if (found.push(item) >= limit) break;
      return found;
    },
  } satisfies PageList<Item>;
}

function requestPage<Item>(
  source: PageSource,
  number: number | undefined,
  signal: AbortSignal | undefined,
): ApiPromise<Page<Item>> {
  const toPage = (response: ReadResponse): ReadResponse => {
    const { data, pageInfo, hasNext } = response.data as DecodedPage;
    const nextNumber = (number ?? source.firstPage) + 1;
    const next = async () => (hasNext ? requestPage<Item>(source, nextNumber, source.signal) : undefined);
    return { ...response, data: { ...pageInfo, data, hasNext, next } };
  };
  return toApiPromise(source.fetchPage(number, signal).then(toPage));
}

/** Requests pages one by one until none are left or a page contains no new items. */
async function* walkPages<Item>(
  firstPage: () => Promise<Page<Item>>,
  source: PageSource,
): AsyncGenerator<Page<Item>, void, undefined> {
  const { firstPage: firstNumber, prefetch, signal } = source;
  // Aborts the request for an unneeded prefetched page.
  const walk = new AbortController();
  const removeListener = signal && onAbort(signal, () => walk.abort(signal.reason));
  const isNew = deduplicate();
  const request = (number: number) => requestPage<Item>(source, number, walk.signal);
  try {
    let page = await firstPage();
    for (let number = firstNumber + 1; ; number++) {
      const data = page.data.filter(isNew);
      const isLast = !page.hasNext || !data.length;
      const prefetched = !isLast && prefetch ? request(number) : undefined;
      // The page may never be awaited, so an error must not cause an unhandled rejection.
      prefetched?.catch(() => {});
      if (data.length || number === firstNumber + 1) yield { ...page, data };
      if (isLast) return;
      page = await (prefetched && !signal?.aborted ? prefetched : request(number));
    }
  } finally {
    removeListener?.();
    walk.abort(new DOMException('No longer needed', 'AbortError'));
  }
}

/**
 * Creates a filter that accepts each item only once. It compares IDs, or the items themselves if they have no
 * ID.
 */
function deduplicate(): (item: unknown) => boolean {
  const seen = new Set<unknown>();
  return (item) => {
    const id = (item as { id?: unknown } | null)?.id ?? item;
    const isNew = !seen.has(id);
    seen.add(id);
    return isNew;
  };
}
