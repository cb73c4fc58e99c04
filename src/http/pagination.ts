import type { OperationId, PageInfo } from '../contract/index.js';
import { ConfigurationError } from '../errors/index.js';
import type { DecodedPage } from '../wire/index.js';
import { type ApiPromise, type ReadResponse, toApiPromise } from './api-promise.js';
import { onAbort } from './on-abort.js';

/** One page of a list, with the page numbers and totals from the response. */
export interface Page<Item> extends PageInfo {
  data: Item[];
  /** Whether the response says that another page follows. */
  hasNext: boolean;
  /** Requests the page after this one, with the same filters; resolves to undefined after the last. */
  next(): Promise<Page<Item> | undefined>;
}

/**
 * A paginated list: await it for the first page, or iterate over it for every item.
 *
 * No request is sent before that, and the first page is requested only once.
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
   * Iterates over every page, including the first. Items that an earlier page contained are omitted, because
   * items shift between pages if others are inserted meanwhile. A page without a new item ends the iteration.
   */
  pages(): AsyncGenerator<Page<Item>, void, undefined>;
  /**
   * Collects the first items, and requests no more pages than they need.
   *
   * @param options `limit`: the maximum number of items, a non-negative integer or `Infinity`
   */
  toArray(options: { limit: number }): Promise<Item[]>;
}

/** The operation and options of a list. */
export interface PageSource {
  firstPage: number | undefined;
  prefetch: boolean | undefined;
  signal: AbortSignal | undefined;
  /** @param page undefined for the first one */
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
          `${operation}: toArray needs a limit, a non-negative integer or Infinity (got ${limit})`,
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
    const nextNumber = (number ?? source.firstPage ?? 1) + 1;
    const next = async () => (hasNext ? requestPage<Item>(source, nextNumber, source.signal) : undefined);
    return { ...response, data: { ...pageInfo, data, hasNext, next } };
  };
  return toApiPromise(source.fetchPage(number, signal).then(toPage));
}

/**
 * Requests one page after the other until the response says that no more follow, or a page has no new item.
 */
async function* walkPages<Item>(
  firstPage: () => Promise<Page<Item>>,
  source: PageSource,
): AsyncGenerator<Page<Item>, void, undefined> {
  const { firstPage: firstNumber = 1, prefetch, signal } = source;
  // Aborts a prefetched page that nobody will use.
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
      // The error is thrown when the page is awaited, which may never happen. Until then, it isn't an
      // unhandled rejection.
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

/** Creates a filter that recognizes items by ID, or by identity if they have none. */
function deduplicate(): (item: unknown) => boolean {
  const seen = new Set<unknown>();
  return (item) => {
    const id = (item as { id?: unknown } | null)?.id ?? item;
    const isNew = !seen.has(id);
    seen.add(id);
    return isNew;
  };
}
