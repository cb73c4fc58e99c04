import type { OperationId, PageInfo } from '../contract/index.js';
import { ConfigurationError, IncompleteListError } from '../errors/index.js';
import { onAbort } from '../shared/abort.js';
import type { DecodedPage } from '../wire/index.js';
import { checkPagesOptions, checkToArrayOptions } from './check-options.js';
import { CompleteRead, type ReadPlan, type ReadStep } from './complete-read.js';
import { type ApiPromise, type ReceivedResponse, toApiPromise } from './read-response.js';

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
 * Requests are sent only when you await the list or iterate over it. The first page is requested only once,
 * unless the request fails or you read the list completely.
 *
 * Items move between pages if the list changes while you're reading it. An iteration skips items that already
 * appeared, but it can miss an item that moves to an earlier page. To get every item, use
 * `toArray({ complete: true })`.
 *
 * @example
 * ```ts
 * const page = await client.tickets.list(project, { per_page: 200 });
 * for await (const ticket of client.tickets.list(project)) console.log(ticket.title);
 * const ten = await client.tickets.list(project, { q: 'launch' }).toArray({ limit: 10 });
 * const all = await client.tickets.list(project).toArray({ complete: true });
 * ```
 */
export interface PageList<Item> extends ApiPromise<Page<Item>>, AsyncIterable<Item> {
  /**
   * Iterates over all pages, starting with the first. Each page's `data` contains only items that weren't on
   * an earlier page, so it can be empty.
   *
   * @throws {@link IncompleteListError} if 100 pages in a row contain no new items, but the server reports
   * more, or if a complete read fails
   */
  pages(options?: PagesOptions): AsyncGenerator<Page<Item>, void, undefined>;
  /**
   * Returns up to `limit` items as an array. Requests only the pages it needs, plus one with `prefetch`.
   *
   * @param options `limit`: the maximum number of items, a non-negative integer or `Infinity`
   */
  toArray(options: { limit: number }): Promise<Item[]>;
  /**
   * Returns every item that exists and matches the filters throughout the read, even if the list changes.
   * Items that are created, deleted, or changed during the read may or may not be included.
   *
   * Reads the pages forward, then backward, and so on, until two passes in a row agree: they contain the same
   * items, or neither found an item that earlier passes missed. Items created in the meantime don't count. An
   * item is missed only if, in every pass, it moves from an unread page to a page that has already been read.
   * Before you conclude that a record doesn't exist, request it by its ID. A list that fits on one page takes
   * one request, and an unchanged list of n pages takes 2n - 1 requests. `per_page` is 200 by default.
   *
   * @throws {@link IncompleteListError} if the list is still changing after 20 passes, if items have no `id`,
   * or if the list never ends
   */
  toArray(options: { complete: true }): Promise<Item[]>;
}

/** Options for {@link PageList.pages}. */
export interface PagesOptions {
  /**
   * Whether to read the list completely, as `toArray({ complete: true })` does. If so, the pages are read
   * several times, in both directions.
   *
   * @defaultValue false
   */
  complete?: boolean | undefined;
}

/** How to read a list page by page. */
export interface PageSource {
  query: { readonly page?: unknown; readonly per_page?: unknown } | undefined;
  prefetch: boolean | undefined;
  signal: AbortSignal | undefined;
  fetchPage(query: PageSource['query'], signal: AbortSignal | undefined): Promise<ReceivedResponse>;
}

export function createPageList<Item>(operation: OperationId, source: PageSource): PageList<Item> {
  let first: FirstPage<Item> | undefined;
  const firstPage = (): FirstPage<Item> => {
    first ??= requestFirstPage(source, () => {
      first = undefined;
    });
    return first;
  };

  async function* pages(options: PagesOptions = {}) {
    checkPagesOptions(operation, options);
    if (!options.complete) {
      yield* walkPages<Item>(source, new ForwardRead(operation), () => firstPage().response);
      return;
    }
    const { query } = source;
    if (query?.page !== undefined && Number(query.page) !== 1) {
      throw new ConfigurationError(
        `${operation}: a complete read must start at page 1 (got "page" ${query.page})`,
        { operation },
      );
    }
    const largePages = { ...source, query: { ...query, per_page: query?.per_page ?? 200 } };
    yield* walkPages<Item>(largePages, new CompleteRead(operation));
  }

  async function* items(options?: PagesOptions): AsyncGenerator<Item, void, undefined> {
    for await (const page of pages(options)) yield* page.data;
  }

  return {
    [Symbol.toStringTag]: 'PageList',
    [Symbol.asyncIterator]: () => items(),
    // biome-ignore lint/suspicious/noThenProperty: awaiting the list requests its first page
    then: (fulfilled, rejected) => firstPage().page.then(fulfilled, rejected),
    catch: (rejected) => firstPage().page.catch(rejected),
    finally: (settled) => firstPage().page.finally(settled),
    withResponse: () => firstPage().page.withResponse(),
    asResponse: () => firstPage().page.asResponse(),
    pages,
    async toArray(options: { limit?: number; complete?: boolean } = {}) {
      checkToArrayOptions(operation, options);
      const { limit = Number.POSITIVE_INFINITY, complete } = options;
      const found: Item[] = [];
      if (limit) for await (const item of items({ complete })) if (found.push(item) >= limit) break;
      return found;
    },
  } satisfies PageList<Item>;
}

interface FirstPage<Item> {
  readonly response: Promise<ReceivedResponse>;
  readonly page: ApiPromise<Page<Item>>;
}

function requestFirstPage<Item>(source: PageSource, onFailure: () => void): FirstPage<Item> {
  const response = source.fetchPage(source.query, source.signal);
  const page = toPagePromise<Item>(source, response, firstNumber(source));
  page.catch(onFailure);
  return { response, page };
}

// `client.request()` also accepts the page number as a string.
const firstNumber = ({ query }: PageSource) => Number(query?.page ?? 1);

const fetchPage = (source: PageSource, number: number, signal = source.signal) =>
  source.fetchPage({ ...source.query, page: number }, signal);

function toPagePromise<Item>(
  source: PageSource,
  response: Promise<ReceivedResponse>,
  number: number,
): ApiPromise<Page<Item>> {
  return toApiPromise(
    response.then((read) => ({ ...read, data: toPage(source, read.data as DecodedPage, number) })),
  );
}

function toPage<Item>(source: PageSource, page: DecodedPage, number: number): Page<Item> {
  const hasNext = page.hasNext ?? number < Number(page.pageInfo.last_page);
  const next = async () =>
    hasNext ? toPagePromise<Item>(source, fetchPage(source, number + 1), number + 1) : undefined;
  return { ...(page.pageInfo as PageInfo), data: page.data as Item[], hasNext, next };
}

/** Requests the plan's pages one by one. */
async function* walkPages<Item>(
  source: PageSource,
  plan: ReadPlan,
  requestFirst = () => source.fetchPage(source.query, source.signal),
): AsyncGenerator<Page<Item>, void, undefined> {
  const { prefetch, signal } = source;
  let number = firstNumber(source);
  // The first request also validates the options, so don't use the signal before it has been sent.
  let response = await requestFirst();
  // Used to cancel a prefetched page that isn't needed.
  const walk = new AbortController();
  const removeListener = signal && onAbort(signal, () => walk.abort(signal.reason));
  try {
    for (;;) {
      const decoded = response.data as DecodedPage;
      const { data, next } = plan.visit(decoded, number, response.headers.get('date'));
      const prefetched = next !== undefined && prefetch ? fetchPage(source, next, walk.signal) : undefined;
      // If the caller never requests this page, an error must not cause an unhandled rejection.
      prefetched?.catch(() => {});
      yield { ...toPage<Item>(source, decoded, number), data: data as Item[] };
      if (next === undefined) return;
      const request = prefetched && !signal?.aborted ? prefetched : fetchPage(source, next, walk.signal);
      response = await request.catch((error) => emptyPage(error, source, next, walk.signal));
      number = next;
    }
  } finally {
    removeListener?.();
    walk.abort(new DOMException('No longer needed', 'AbortError'));
  }
}

/**
 * Returns an empty page instead of the error for a page past the end of the list. A list can get shorter
 * while it's being read, and some servers then return a 400, 404, or 422 instead of an empty page. The first
 * page shows whether the list still exists and where it ends.
 */
async function emptyPage(
  error: unknown,
  source: PageSource,
  number: number,
  signal: AbortSignal,
): Promise<ReceivedResponse> {
  const { status } = Object(error) as { status?: number };
  if (![400, 404, 422].includes(status as number) || number === 1) throw error;
  const first = await fetchPage(source, 1, signal);
  const { pageInfo } = first.data as DecodedPage;
  // Without page info, only a 404 shows that the page doesn't exist.
  const { last_page = status === 404 ? 0 : number } = pageInfo;
  if (Number(last_page) >= number) throw error;
  const page: DecodedPage = { data: [], pageInfo: { ...pageInfo, current_page: number }, hasNext: false };
  return { ...first, data: page };
}

/** The maximum number of consecutive pages without new items. After that, iterating throws an error. */
const maxPagesWithoutNewItems = 100;

/** Reads a list once, from the first to the last page. */
class ForwardRead implements ReadPlan {
  readonly #operation: OperationId;
  /** The IDs of the items so far, or the items themselves if they have no ID. */
  readonly #seen = new Set<unknown>();
  #pagesWithoutNewItems = 0;

  constructor(operation: OperationId) {
    this.#operation = operation;
  }

  visit(page: DecodedPage, number: number): ReadStep {
    const data = page.data.filter((item) => this.#isNew(item));
    this.#pagesWithoutNewItems = data.length > 0 ? 0 : this.#pagesWithoutNewItems + 1;
    const hasNext = page.hasNext ?? number < Number(page.pageInfo.last_page);
    if (hasNext && this.#pagesWithoutNewItems >= maxPagesWithoutNewItems) {
      const operation = this.#operation;
      throw new IncompleteListError(
        `${operation}: the server still reports more pages after ${maxPagesWithoutNewItems} without new items; check the "page" setting of option "wire"`,
        { operation, passes: 1 },
      );
    }
    return { data, next: hasNext ? number + 1 : undefined };
  }

  #isNew(item: unknown): boolean {
    const id = (item as { id?: unknown } | null)?.id ?? item;
    const isNew = !this.#seen.has(id);
    this.#seen.add(id);
    return isNew;
  }
}
