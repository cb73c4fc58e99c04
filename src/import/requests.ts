import { isWorktrackError } from '../errors/index.js';
import type { ApiPromise } from '../http/api-promise.js';
import type { PageList } from '../http/pagination.js';
import type { RequestContext } from './target.js';

/**
 * The maximum number of pages (200 records each) that a search reads. If there are more, the row stays in
 * doubt.
 */
const maxPages = 100;

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

/** Iterates over a search's results, page by page. */
export async function* findInPages<Item>(
  { signal, countRequests }: RequestContext,
  list: (options: { signal: AbortSignal }) => PageList<Item>,
): AsyncGenerator<Item, void, undefined> {
  let pages = 0;
  try {
    for await (const page of list({ signal }).pages()) {
      countRequests(1);
      yield* page.data;
      if (++pages === maxPages && page.hasNext) throw new TooManyMatches(pages);
    }
  } catch (error) {
    if (isWorktrackError(error)) countRequests(error.attempts);
    throw error;
  }
}

/** Thrown if a search finds too many records. */
export class TooManyMatches extends Error {
  constructor(pages: number) {
    super(`more than ${pages} pages of records match the row's title; use more specific titles`);
  }
}
