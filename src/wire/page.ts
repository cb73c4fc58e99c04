import type { PageInfo } from '../contract/index.js';
import { isObject, type JsonObject } from '../shared/json.js';

/** The format of list pages, and the query parameter that selects a page. */
export interface PageWire {
  /** The query parameter for the page number, which starts at 1. */
  parameter: string;
  /**
   * Converts the parameter's value to a page number. Needed only if the value is something else, such as an
   * offset. Only the mock server uses this function.
   */
  readParameter?(value: string, perPage: number): string;
  /** @param url the request URL, used to build the links to other pages */
  encode(data: readonly unknown[], pageInfo: PageInfo, url: URL): unknown;
  /** @returns undefined if the body doesn't contain a list */
  decode(body: unknown): DecodedPage | undefined;
}

export interface DecodedPage {
  data: unknown[];
  /** The page info in the response, including fields that aren't in the contract. */
  pageInfo: Partial<PageInfo> & JsonObject;
  /** Whether there is a next page. Undefined if the response doesn't contain this information. */
  hasNext: boolean | undefined;
}

export const pageParameter = 'page';

/**
 * Encodes pages in the format of Laravel's length-aware paginator, wrapped in `data`. Also decodes pages
 * without the outer `data`, and pages with `meta` and `links`.
 */
export const numberedPages: PageWire = {
  parameter: pageParameter,

  encode(data, pageInfo, url) {
    const { current_page, last_page } = pageInfo;
    const path = url.origin + url.pathname;
    const link = (page: number) => {
      const query = new URLSearchParams(url.search);
      query.set('per_page', String(pageInfo.per_page));
      query.set(this.parameter, String(page));
      return `${path}?${query}`;
    };
    const within = (page: number) => (page >= 1 && page <= last_page ? link(page) : null);
    const previous = within(current_page - 1);
    const next = within(current_page + 1);
    return {
      data: {
        data,
        ...pageInfo,
        path,
        first_page_url: link(1),
        last_page_url: link(last_page),
        next_page_url: next,
        prev_page_url: previous,
        links: [
          { url: previous, label: 'Previous', active: false },
          ...linkedPages(current_page, last_page).map((page) => ({
            url: link(page),
            label: String(page),
            active: page === current_page,
          })),
          { url: next, label: 'Next', active: false },
        ],
      },
    };
  },

  decode: decodePage,
};

export function decodePage(body: unknown): DecodedPage | undefined {
  if (!isObject(body)) return undefined;
  const nested = isObject(body.data);
  const envelope = nested ? (body.data as JsonObject) : body;
  if (!Array.isArray(envelope.data)) return undefined;
  const meta = isObject(envelope.meta) ? envelope.meta : envelope;
  const { data: _, path: _p, links: _l, ...rest } = meta;
  const pageInfo = Object.fromEntries(Object.entries(rest).filter(([name]) => !name.endsWith('_page_url')));
  const { current_page, last_page } = pageInfo;
  const { links } = envelope;
  const nextLinks = [envelope.next_page_url, isObject(links) ? links.next : undefined];
  return {
    data: envelope.data,
    pageInfo,
    hasNext: decodeHasNext(nextLinks, Number(current_page), Number(last_page)),
  };
}

/**
 * Returns whether there is a next page. Accepts numbers that were sent as strings. Rejecting them is up to
 * `responseValidation`.
 */
function decodeHasNext(
  nextLinks: readonly unknown[],
  currentPage: number,
  lastPage: number,
): boolean | undefined {
  if (nextLinks.some((link) => typeof link === 'string') || currentPage < lastPage) return true;
  const isLast = currentPage >= lastPage || nextLinks.some((link) => link !== undefined);
  return isLast ? false : undefined;
}

/**
 * Returns the numbers of the pages to link to: the first, the last, and five on either side of the current
 * page.
 */
function linkedPages(current: number, last: number): number[] {
  const first = Math.max(1, Math.min(current, last) - 5);
  const end = Math.min(last, Math.max(current, 1) + 5);
  const nearby = Array.from({ length: Math.max(0, end - first + 1) }, (_, index) => first + index);
  return [...new Set([1, ...nearby, last])];
}
