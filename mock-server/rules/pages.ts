import { defaultPerPage } from '../../src/contract/index.js';

/** Returns the range of items that a query requests. */
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
