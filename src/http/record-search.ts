import { unlessMissing } from '../errors/expected-errors.js';
import { IncompleteListError } from '../errors/index.js';
import { race } from '../shared/abort.js';
import { createdAt } from './complete-read.js';
import type { PageList } from './pagination.js';

/** How to find and create the records of a resource. */
export interface RecordStore<Item> {
  /** The new record's content, without the key. */
  readonly html: string | null | undefined;
  readHtml(item: Item): string | null | undefined;
  list(query: FindQuery): PageList<Item>;
  /** Returns the filter for the records to pass to `match`, or undefined if no record can match. */
  filter(): Promise<FindQuery | undefined>;
  get(id: string): PromiseLike<Item>;
  create(html: string | null | undefined): PromiseLike<Item>;
}

/** Must contain only filters that the resource's list operation supports. */
interface FindQuery {
  q?: string | undefined;
  per_page?: number;
  board_id?: string | undefined;
  project_id?: string | undefined;
}

export interface StoredRecord {
  id: string;
  created_at?: string;
}

export type Match<Item> = (item: Item) => boolean | PromiseLike<boolean>;

/** How to find and create the record of a `findOrCreate` call. Exactly one of `key` and `match` is set. */
export interface RecordSearch<Item> {
  key?: string | undefined;
  match?: Match<Item> | undefined;
  q?: string | undefined;
  /** The method's name in error messages. */
  method: string;
  store: RecordStore<Item>;
  /** Aborts when `totalTimeout` expires. */
  signal: AbortSignal;
}

export const find = <Item extends StoredRecord>(search: RecordSearch<Item>): Promise<Item | undefined> =>
  search.match ? findByMatch(search, search.match) : findByMarker(search, markerOf(search.key as string));

export const create = <Item>({ store, key }: RecordSearch<Item>): PromiseLike<Item> =>
  store.create(key ? addMarker(store.html ?? '', markerOf(key)) : store.html);

async function findByMatch<Item extends StoredRecord>(
  search: RecordSearch<Item>,
  match: Match<Item>,
): Promise<Item | undefined> {
  const { method, store, q } = search;
  const filter = await store.filter();
  if (!filter) return undefined;
  return findFirst(method, store.list({ ...filter, q }), (item) =>
    race(Promise.resolve(match(item)), search.signal),
  );
}

/**
 * Finds the record that contains a marker. The specification doesn't say whether the search covers more than
 * titles. If the search finds nothing but might not cover the content, all records are read.
 */
async function findByMarker<Item extends StoredRecord>(
  { method, store }: RecordSearch<Item>,
  marker: string,
): Promise<Item | undefined> {
  const contains = async (item: Item) => {
    // Some servers omit the content from list items.
    const isPartial = store.readHtml(item) === undefined;
    const record = isPartial ? await unlessMissing(store.get(item.id)) : item;
    return (record && store.readHtml(record))?.includes(marker) ?? false;
  };
  const found = await findFirst(method, store.list({ q: marker }), contains);
  if (found || (await searchesContent(store))) return found;
  return findFirst(method, store.list({}), contains);
}

/** Checks whether the server's search also covers the content of records. */
async function searchesContent<Item>(store: RecordStore<Item>): Promise<boolean> {
  const { data } = await store.list({ q: markerStart, per_page: 10 });
  return data.some((item) => {
    const { title, caption } = item as { title?: unknown; caption?: unknown };
    return (
      store.readHtml(item)?.includes(markerStart) &&
      !`${title} ${caption}`.toLowerCase().includes(markerStart)
    );
  });
}

/** The maximum number of pages to search, with 200 records each. After that, the search fails. */
const maxPages = 500;

/**
 * Reads the list completely, or up to the first page that contains a match.
 *
 * @returns the page's oldest match, so that all callers get the same record if there are several
 */
async function findFirst<Item extends StoredRecord>(
  method: string,
  list: PageList<Item>,
  matches: Match<Item>,
): Promise<Item | undefined> {
  let pages = 0;
  for await (const { data } of list.pages({ complete: true })) {
    let oldest: Item | undefined;
    for (const item of data) {
      if ((await matches(item)) && (!oldest || createdAt(item) < createdAt(oldest))) oldest = item;
    }
    if (oldest) return oldest;
    if (++pages === maxPages) {
      throw new IncompleteListError(`${method}: no match on ${maxPages} pages; pass "match" and "q"`, {
        passes: 1,
      });
    }
  }
  return undefined;
}

const markerStart = '[worktrack-key:';

/**
 * Returns the marker that stores a key in a record. It's visible because servers remove hidden markup. It
 * contains only characters that have no meaning in HTML. The bracket at the end keeps `form-1` from matching
 * `form-123`.
 */
const markerOf = (key: string) =>
  `${markerStart}${encodeURIComponent(key).replace(/[!'()*~]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)}]`;

/** Adds the marker at the end, or at the beginning if the end may be inside a comment or tag. */
function addMarker(html: string, marker: string): string {
  if (html.includes(marker)) return html;
  const paragraph = `<p>${marker}</p>`;
  const isOpen = html.lastIndexOf('<') > html.lastIndexOf('>') || unusualMarkup.test(html);
  return isOpen ? paragraph + html : html + paragraph;
}

const unusualMarkup =
  /<!|<\?|<(?:iframe|math|noscript|plaintext|script|style|svg|template|textarea|title|xmp)\b/i;
