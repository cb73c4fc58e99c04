import type { Reply } from './reply.js';
import { type Row, table } from './table.js';

/** A page of a list and its position in the list. */
export interface ListPage {
  rows: readonly Row[];
  page: number;
  perPage: number;
  total: number;
  /** Whether there is another page. */
  hasNext: boolean;
}

/** Formats a page of a list and explains how to get the next rows. */
export function listReply(noun: string, list: ListPage, fields: readonly string[], group?: string): Reply {
  const { rows, page, perPage, total, hasNext } = list;
  const offset = (page - 1) * perPage;
  if (rows.length === 0) {
    const hint =
      page > 1 && total > 0 ? 'This page is past the end of the list. Start at page=1.' : undefined;
    return { heading: `No ${noun}${page > 1 ? ` on page ${page}` : ''}; ${total} in total.`, hint };
  }
  const { text, shown } = table(rows, fields, group);
  const heading = `${noun} ${offset + 1}-${offset + shown} of ${total}`;
  if (shown < rows.length) return { heading, data: text, hint: smallerPages(offset + shown, shown) };
  return { heading, data: text, hint: hasNext ? `More: page=${page + 1}` : undefined };
}

/** Suggests a page size that fits, and which page to request next. */
function smallerPages(next: number, shown: number): string {
  const perPage = [100, 50, 20, 10, 5].find((size) => size <= shown) ?? 1;
  return `This page was cut off at the size limit. More: per_page=${perPage} page=${Math.floor(next / perPage) + 1}`;
}
