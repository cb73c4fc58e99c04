import { isWorktrackError } from '../errors/index.js';
import type { ApiPromise } from '../http/api-promise.js';
import type { PageList } from '../http/pagination.js';
import type { LookupContext, RequestContext } from './target.js';

/**
 * The maximum number of pages (200 records each) that a search reads. If there are more, the row stays in
 * doubt.
 */
const maxPages = 100;
/** The number of pages that are read from the end of a long list, where new records are. */
const recentPages = 3;

/** Makes a call and counts the requests it sends. */
export async function counted<Result>(
  { signal, countRequests }: RequestContext,
  call: (options: { signal: AbortSignal }) => ApiPromise<Result>,
): Promise<Result> {
  try {
    const { data, attempts } = await call({ signal }).withResponse();
    countRequests(attempts);
    return data;
  } catch (error) {
    if (isWorktrackError(error)) countRequests(error.attempts);
    throw error;
  }
}

type Range = { page?: number };

/**
 * Iterates over a search's results. If there are many, the first and the last ones of `narrowed`, where the
 * record probably is, are returned first.
 *
 * @throws IncompleteSearch if there are too many results
 */
export async function* findInPages<Item>(
  context: LookupContext,
  list: (range: Range, options: { signal: AbortSignal }) => PageList<Item>,
  narrowed = list,
): AsyncGenerator<Item, void, undefined> {
  const { signal } = context;
  const page = (pages: typeof list, range: Range) => counted(context, (options) => pages(range, options));
  await context.beforeRequest?.();
  const first = await page(list, {});
  yield* first.data;
  if (!first.hasNext) return;
  if (first.last_page > recentPages) {
    await context.beforeRequest?.();
    const { last_page } = await page(narrowed, {});
    for (let number = last_page; number > Math.max(1, last_page - recentPages); number--) {
      await context.beforeRequest?.();
      yield* (await page(narrowed, { page: number })).data;
      if (context.isFound()) return;
    }
  }
  if (first.last_page > maxPages) {
    throw new IncompleteSearch(
      `more than ${maxPages} pages of records match the row's title; use more specific titles`,
    );
  }
  try {
    await context.beforeRequest?.();
    for await (const { data } of list({}, { signal }).pages()) {
      context.countRequests(1);
      yield* data;
      await context.beforeRequest?.();
    }
  } catch (error) {
    if (isWorktrackError(error)) context.countRequests(error.attempts);
    throw error;
  }
}

/** Thrown if a search can't return every record. */
export class IncompleteSearch extends Error {}
