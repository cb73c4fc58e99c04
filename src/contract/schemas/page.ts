import * as z from 'zod/mini';
import { lazy } from '../lazy.js';
import { integer, number, type Schema } from './fields.js';

/** The position of a page in a list. The field names match those in the response. */
export interface PageInfo {
  /** The page number, starting at 1. */
  current_page: number;
  /** The page size, from 1 to 200. */
  per_page: number;
  /** The number of the last page, which is at least 1. */
  last_page: number;
  /** The total number of items across all pages. */
  total: number;
  /** The one-based position of the page's first item in the list. Null if the page is empty. */
  from: number | null;
  /** The position of the page's last item in the list. Null if the page is empty. */
  to: number | null;
}

export const pageInfo = lazy<Schema<PageInfo>>(() =>
  z.looseObject({
    current_page: number(),
    per_page: number(),
    last_page: number(),
    total: number(),
    from: z.nullable(number()),
    to: z.nullable(number()),
  }),
);

/** The page size if `per_page` is omitted. */
export const defaultPerPage = 50;

/** Query fields shared by all paginated operations. */
export const perPage = lazy(() => ({
  per_page: z.optional(integer(1, 200)),
  page: z.optional(integer(1)),
}));
