import { unlessMissing } from '../errors/expected-errors.js';
import { hasMark, type Mark, markText } from '../mark.js';
import { createdAt } from './complete-read.js';
import type { PageList } from './pagination.js';

/** How to read the records of a resource. */
export interface RecordStore<Item> {
  htmlOf(item: Item): string | null | undefined;
  list(query: FindQuery): PageList<Item>;
  get(id: string): PromiseLike<Item>;
}

/** Must contain only filters that the resource's list operation supports. */
export interface FindQuery {
  q?: string | undefined;
  board_id?: string | undefined;
  project_id?: string | undefined;
}

export interface StoredRecord {
  id: string;
  created_at?: string;
}

export type Match<Item> = (item: Item) => boolean | PromiseLike<boolean>;

/**
 * Finds the record with a mark. Searches for the mark's digest first, which takes one request if the server's search
 * covers the text. If that finds nothing, reads all records, because the search may cover only titles.
 */
export async function findMarked<Item extends StoredRecord>(
  store: RecordStore<Item>,
  mark: Mark,
): Promise<Item | undefined> {
  const isMarked = async (item: Item) => {
    // Some servers leave the text out of lists.
    const isPartial = store.htmlOf(item) === undefined;
    const record = isPartial ? await unlessMissing(store.get(item.id)) : item;
    return record !== undefined && hasMark(store.htmlOf(record), mark);
  };
  const digest = markText(mark).slice(-9, -1);
  return (await findFirst(store.list({ q: digest }), isMarked)) ?? findFirst(store.list({}), isMarked);
}

/**
 * Reads a list completely, or up to the first page that contains a match.
 *
 * @returns the page's oldest match, so that all callers get the same record if there are several
 */
export async function findFirst<Item extends StoredRecord>(
  list: PageList<Item>,
  matches: Match<Item>,
): Promise<Item | undefined> {
  for await (const { data } of list.pages({ complete: true })) {
    let oldest: Item | undefined;
    for (const item of data) {
      if ((await matches(item)) && (!oldest || createdAt(item) < createdAt(oldest))) oldest = item;
    }
    if (oldest) return oldest;
  }
  return undefined;
}
