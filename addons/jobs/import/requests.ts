import { IncompleteListError, WorktrackError } from '../../../src/errors/index.js';
import type { Page, PageList, PagesOptions } from '../../../src/http/pagination.js';
import type { ApiPromise } from '../../../src/http/read-response.js';
import { onAbort } from '../../../src/shared/abort.js';
import { type Ledger, LedgerError } from './ledger.js';
import type { LookupContext, RequestContext } from './target.js';

/**
 * The maximum number of pages (200 records each) that a search reads. If there are more pages, the row stays
 * in doubt.
 */
const maxPages = 100;
/** The number of pages to read at the end of a long list, where new records appear. */
const recentPages = 3;

/** Waits until a request can be sent, makes a call, and counts the requests it sends. */
export async function send<Result>(
  { signal, countRequests, beforeRequest }: RequestContext,
  call: (options: { signal: AbortSignal }) => ApiPromise<Result>,
): Promise<Result> {
  await beforeRequest?.();
  try {
    const { data, attempts } = await call({ signal }).withResponse();
    countRequests(attempts);
    return data;
  } catch (error) {
    if (error instanceof WorktrackError) countRequests(error.attempts);
    throw error;
  }
}

/** How often to confirm ownership while a request is waiting, in milliseconds. */
const confirmationInterval = 100;

/**
 * Sends a request while this process owns the row. The request may have to wait, for example in the client's
 * queue. If this process is suspended during the wait, another process can take over the row. In that case,
 * the waiting request is aborted and never sent.
 *
 * @throws LedgerError if this process no longer owns the row
 */
export async function whileOwned<Result, Context extends RequestContext>(
  ledger: Ledger,
  key: string,
  context: Context,
  request: (context: Context) => Promise<Result>,
): Promise<Result> {
  await ledger.confirmOwnership?.(key);
  if (!ledger.confirmOwnership) return request(context);
  const controller = new AbortController();
  const removeListener = onAbort(context.signal, () => controller.abort(context.signal.reason));
  let isChecking = false;
  let loss: LedgerError | undefined;
  const timer = setInterval(async () => {
    if (isChecking) return;
    isChecking = true;
    try {
      await ledger.confirmOwnership?.(key);
    } catch (error) {
      // After any other error, such as a lost connection to the store, this process may still own the row.
      if (!(error instanceof LedgerError)) return;
      loss = error;
      controller.abort(error);
    } finally {
      isChecking = false;
    }
  }, confirmationInterval);
  try {
    return await request({ ...context, signal: controller.signal });
  } catch (error) {
    throw loss ?? error;
  } finally {
    clearInterval(timer);
    removeListener();
  }
}

/** Reads a list's pages, and counts the requests. By default, reads them once, in order. */
export async function* pagesOf<Item>(
  { signal, countRequests, beforeRequest }: RequestContext,
  list: (options: { signal: AbortSignal }) => PageList<Item>,
  options?: PagesOptions,
): AsyncGenerator<Page<Item>, void, undefined> {
  const pages = list({ signal }).pages(options);
  try {
    for (;;) {
      await beforeRequest?.();
      const { value: page, done } = await pages.next();
      if (done) return;
      countRequests(1);
      yield page;
    }
  } catch (error) {
    if (error instanceof WorktrackError) countRequests(error.attempts);
    throw error;
  } finally {
    await pages.return();
  }
}

/** Whether a gateway could have returned the status because the API is down. */
export const isGatewayStatus = (status: number | undefined): boolean =>
  status === 502 || status === 503 || status === 504;

/** Makes a call to check whether the API responds, even with an error. */
export async function responds(
  context: RequestContext,
  call: (options: { signal: AbortSignal }) => ApiPromise<unknown>,
): Promise<boolean> {
  try {
    await send(context, call);
    return true;
  } catch (error) {
    const { status } = Object(error) as { status?: number };
    return status !== undefined && !isGatewayStatus(status);
  }
}

/** Requests the records that match a search, or one page of them. */
export type ListSearch<Item> = (range: { page?: number }, options: { signal: AbortSignal }) => PageList<Item>;

/**
 * Reads all results of a search. If there are many, starts with the results at the end of `narrowed`,
 * which probably include the record.
 *
 * @throws IncompleteSearch if the search has too many results or the results keep changing
 */
export async function* findInPages<Item>(
  context: LookupContext,
  list: ListSearch<Item>,
  narrowed = list,
): AsyncGenerator<Item, void, undefined> {
  let count = 0;
  try {
    for await (const page of pagesOf(context, (options) => list({}, options), { complete: true })) {
      yield* page.data;
      if (++count > 1) continue;
      if (page.last_page === 1 && !page.hasNext) return;
      if (page.last_page > recentPages) yield* findRecent(context, narrowed);
      if (context.isFound()) return;
      if (page.last_page > maxPages) throw new IncompleteSearch(tooManyMatches);
    }
  } catch (error) {
    if (error instanceof IncompleteListError) throw new IncompleteSearch(`lookup: ${error.message}`);
    throw error;
  }
}

/** Reads the last pages of a list. */
async function* findRecent<Item>(
  context: LookupContext,
  list: ListSearch<Item>,
): AsyncGenerator<Item, void, undefined> {
  const request = (range: { page?: number }) => send(context, (options) => list(range, options));
  const { data, last_page } = await request({});
  yield* data;
  for (let page = last_page; page > Math.max(1, last_page - recentPages); page--) {
    if (context.isFound()) return;
    yield* (await request({ page })).data;
  }
}

const tooManyMatches = `more than ${maxPages} pages of records match the row's title; use more specific titles`;

/** Thrown if a search can't return every record. */
export class IncompleteSearch extends Error {}
