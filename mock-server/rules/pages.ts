import { defaultPerPage } from '../../src/contract/index.js';

/** Returns which part of a list a query requests. */
export function pageOf({
  page = 1,
  per_page = defaultPerPage,
}: {
  page?: number | undefined;
  per_page?: number | undefined;
}): {
  from: number;
  count: number;
} {
  return { from: (page - 1) * per_page, count: per_page };
}
