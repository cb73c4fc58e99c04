import type { PageInfo } from '../contract/index.js';
import { isObject, type JsonObject } from './json.js';

/** How a page of a list is wrapped, and how the next one is asked for. */
export interface PageWire {
  /** Query parameter that selects the page, from 1. */
  parameter: string;
  /** @param url the request's, from which the links of the other pages are made */
  encode(data: readonly unknown[], pageInfo: PageInfo, url: URL): unknown;
  /** @returns undefined where the body holds no list */
  decode(body: unknown): DecodedPage | undefined;
}

/** A page as it was read from an answer. */
export interface DecodedPage {
  data: unknown[];
  /** The page info in the response: the fields of the contract and any others. */
  pageInfo: Partial<PageInfo> & JsonObject;
  /** Whether the answer says that another page follows. */
  hasNext: boolean;
}

export const pageParameter = 'page';

/**
 * Sends Laravel's length-aware page inside `data`; also reads it outside, and the flat form with `meta`
 * and `links`.
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
          ...around(current_page, last_page).map((page) => ({
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
  const link = envelope.next_page_url ?? (isObject(links) ? links.next : undefined);
  return {
    data: envelope.data,
    pageInfo,
    // Figures that came as text are for the response policy to judge; no page is lost to them.
    hasNext: typeof link === 'string' || Number(current_page) < Number(last_page),
  };
}

/** The pages worth a link: the first, the last and five on either side of the current one. */
function around(current: number, last: number): number[] {
  const first = Math.max(1, Math.min(current, last) - 5);
  const end = Math.min(last, Math.max(current, 1) + 5);
  const near = Array.from({ length: Math.max(0, end - first + 1) }, (_, index) => first + index);
  return [...new Set([1, ...near, last])];
}
