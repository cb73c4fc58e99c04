import * as z from 'zod/mini';
import { lazy } from '../lazy.js';
import { integer, number, type Schema } from './fields.js';

/** Where a page lies in the whole list, under the envelope's own names. */
export interface PageInfo {
  /** From 1. */
  current_page: number;
  /** 1 to 200. */
  per_page: number;
  /** At least 1. */
  last_page: number;
  /** Items on all pages. */
  total: number;
  /** Number of the first item of this page, from 1; null on an empty page. */
  from: number | null;
  /** Number of the last item of this page; null on an empty page. */
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

/** Items a page where `per_page` is left out. */
export const defaultPerPage = 50;

/** The query fields of every paginated operation. */
export const perPage = lazy(() => ({
  per_page: z.optional(integer(1, 200)),
  page: z.optional(integer(1)),
}));
