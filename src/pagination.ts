import type { PageInfo, PaginatedId, ResultOf } from './contract/index.js';
import { ConfigurationError } from './errors/index.js';
import type { ApiPromise, ApiResponse, Call, CallInput } from './http/call.js';
import { Limit } from './http/interrupt.js';
import type { ListOptions } from './options.js';
import type { DecodedPage } from './wire/index.js';

/** One page of a list, with its page info as the server sent it. */
export interface Page<Item> extends PageInfo {
  data: Item[];
  /** Whether the server says that another page follows. */
  hasNext: boolean;
  /** Asks for the page after this one, with the same filters; undefined after the last. */
  next(): Promise<Page<Item> | undefined>;
}

/**
 * A list that comes in pages: await it for the first page, iterate it for every item.
 *
 * Nothing is asked for before one of the two, and the first page is asked for once.
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
   * Every page, the first included. Items seen before are left out, because page numbers shift while
   * others insert; a page without a new item ends the iteration.
   */
  pages(): AsyncGenerator<Page<Item>, void, undefined>;
  /** The first items, at most `limit` (an integer from 0); asks for no page more than they need. */
  toArray(bounds: { limit: number }): Promise<Item[]>;
}

/** Makes the list that a paginated operation answers with. */
export type Lister = <Id extends PaginatedId>(
  operation: Id,
  input: CallInput<Id>,
  options?: ListOptions,
) => PageList<ResultOf<Id>[number]>;

/** @param prefetchByDefault the client's own choice */
export const createLister = (call: Call, prefetchByDefault = false): Lister =>
  function list<Id extends PaginatedId>(operation: Id, input: CallInput<Id>, given?: ListOptions) {
    const options = given ?? {};
    const { prefetch = prefetchByDefault } = options;
    type Item = ResultOf<Id>[number];
    const firstNumber = input.query?.page ?? 1;
    let first: Promise<ApiResponse<Page<Item>>> | undefined;

    const ask = async (number: number, { query, signal }: Asked<Id>): Promise<ApiResponse<Page<Item>>> => {
      const answer = await call(operation, { ...input, query }, { ...options, signal }).withResponse();
      const { data, pageInfo, hasNext } = answer.data as unknown as DecodedPage;
      const next = async () => (hasNext ? (await follow(number + 1)).data : undefined);
      return { ...answer, data: { ...pageInfo, data, hasNext, next } as unknown as Page<Item> };
    };
    const follow = (number: number, signal = options.signal) =>
      ask(number, { query: { ...input.query, page: number } as typeof input.query, signal });
    const start = () => (first ??= ask(firstNumber, { query: input.query, signal: options.signal }));
    const firstPage = () => start().then(({ data }) => data);

    const pages = () => walk(firstPage, firstNumber, follow, { prefetch, signal: options.signal });

    async function* items(): AsyncGenerator<Item, void, undefined> {
      for await (const page of pages()) yield* page.data;
    }

    return {
      [Symbol.toStringTag]: 'PageList',
      [Symbol.asyncIterator]: items,
      // biome-ignore lint/suspicious/noThenProperty: the list is a promise of its first page, begun when it is awaited
      then: (fulfilled, rejected) => firstPage().then(fulfilled, rejected),
      catch: (rejected) => firstPage().catch(rejected),
      finally: (settled) => firstPage().finally(settled),
      withResponse: start,
      pages,
      async toArray({ limit } = {} as never) {
        if (!Number.isInteger(limit) || limit < 0) {
          throw new ConfigurationError(`${operation}: toArray needs a limit, an integer from 0`, {
            operation,
          });
        }
        const found: Item[] = [];
        if (limit) for await (const item of items()) if (found.push(item) >= limit) break;
        return found;
      },
    } satisfies PageList<Item>;
  };

interface Asked<Id extends PaginatedId> {
  query: CallInput<Id>['query'];
  signal: AbortSignal | undefined;
}

/** Goes from page to page until the server says that no more follow, or gives one without a new item. */
async function* walk<Item>(
  first: () => Promise<Page<Item>>,
  firstNumber: number,
  follow: (number: number, signal: AbortSignal) => Promise<ApiResponse<Page<Item>>>,
  { prefetch, signal }: ListOptions,
): AsyncGenerator<Page<Item>, void, undefined> {
  const scope = new Limit(Number.POSITIVE_INFINITY, signal);
  const isNew = newcomers();
  try {
    let page = await first();
    for (let number = firstNumber + 1; ; number++) {
      const data = page.data.filter(isNew);
      const isLast = !page.hasNext || !data.length;
      const ahead = !isLast && prefetch ? follow(number, scope.signal) : undefined;
      // Its failure is met where it is awaited, which may be never.
      ahead?.catch(() => {});
      if (data.length || number === firstNumber + 1) yield { ...page, data };
      if (isLast) return;
      page = (await (ahead && !signal?.aborted ? ahead : follow(number, scope.signal))).data;
    }
  } finally {
    scope.abort();
    scope.close();
  }
}

/** Tells items apart by their id, and those without one by identity. */
function newcomers(): (item: unknown) => boolean {
  const seen = new Set<unknown>();
  return (item) => {
    const id = (item as { id?: unknown } | null)?.id ?? item;
    const isNew = !seen.has(id);
    seen.add(id);
    return isNew;
  };
}
