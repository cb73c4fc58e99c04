import { ConfigurationError, IncompleteListError, WorktrackError } from '../errors/index.js';
import type { CallOptions } from '../options.js';
import { delay, race } from '../shared/abort.js';
import { isObject } from '../shared/json.js';
import type { PageList } from './pagination.js';

/**
 * Options for `findOrCreate`: how to identify the record, and the call options. `totalTimeout` applies to the
 * entire call.
 */
export type FindOptions<Item> = FindByKey | FindByMatch<Item>;

interface FindCallOptions extends CallOptions {
  /**
   * Called if this call creates the record, so that you can tell a new record from an existing one. After a lost
   * response, it's also called if another client created the record at the same time.
   */
  onCreate?: (() => void) | undefined;
}

/** Options for a `findOrCreate` call that identifies the record by a key. */
export interface FindByKey extends FindCallOptions {
  /**
   * A string that identifies the record, for example the ID of a form submission (1 to 200 characters).
   *
   * The key is stored in the new record as a paragraph such as `[worktrack-key:form-123]` at the end of the
   * description or content. If someone removes the paragraph, the record is no longer found.
   */
  key: string;
  match?: undefined;
  q?: undefined;
}

/** Options for a `findOrCreate` call that identifies the record by its fields. */
export interface FindByMatch<Item> extends FindCallOptions {
  /** Returns true for the record to find. Must also return true for a newly created record. */
  match: (item: Item) => boolean;
  /**
   * Narrows the search to records that contain this string, for example the title. Without it, all records
   * are read.
   */
  q?: string | undefined;
  key?: undefined;
}

/** How to find and create the records of a resource. */
export interface RecordStore<Item> {
  /** The new record's content, which will also contain the key. */
  readonly html: string | null | undefined;
  readHtml(item: Item): string | null | undefined;
  list(query: FindQuery): PageList<Item>;
  /** Returns the filter for the records to pass to `match`, or undefined if no record can match. */
  filter(): Promise<FindQuery | undefined>;
  get(id: string): PromiseLike<Item>;
  create(html: string | null | undefined): PromiseLike<Item>;
}

/** Only the filters that the resource's list operation supports may be set. */
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

/**
 * Creates a record unless it already exists. If the response is lost, searches for the record several times,
 * because the server may have created it. If the searches find nothing, the next call with the same name also
 * searches several times before it creates a record.
 *
 * @param method the method's name in error messages
 * @param signal aborts when `totalTimeout` expires
 * @param name identifies the calls that use the same key
 * @param lost the names of earlier calls that lost the response and then found no record
 */
export async function findOrCreate<Item extends StoredRecord>(
  method: string,
  store: RecordStore<Item>,
  { key, match, q, onCreate }: FindOptions<Item>,
  signal: AbortSignal,
  name: string,
  lost: Set<string>,
): Promise<Item> {
  const marker = key === undefined ? undefined : markerOf(key);
  const find = async () =>
    match ? findByMatch(method, store, match, q) : findByMarker(method, store, marker as string);
  const existing = await (lost.has(name) ? findLater(find, signal) : find());
  lost.delete(name);
  if (existing) return existing;
  let created: Item | undefined;
  try {
    created = await store.create(marker ? addMarker(store.html ?? '', marker) : store.html);
  } catch (error) {
    if (!(error instanceof WorktrackError) || (error.outcome !== 'unknown' && error.outcome !== 'done'))
      throw error;
    created = await findLater(find, signal).catch(() => undefined);
    if (!created) {
      if (key) lost.add(name);
      const [oldest] = lost;
      if (lost.size > maxLost) lost.delete(oldest as string);
      throw error;
    }
  }
  onCreate?.();
  return created;
}

/** The maximum number of lost calls to remember. */
const maxLost = 1000;

/**
 * @throws ConfigurationError unless the options contain either a valid `key` or a `match` function, or if
 * `onCreate` is invalid
 */
export function checkIdentity(method: string, { key, match, q, onCreate }: Record<string, unknown>): void {
  const fail = (message: string) => new ConfigurationError(`${method}: ${message}`);
  if (onCreate !== undefined && typeof onCreate !== 'function')
    throw fail('option "onCreate" must be a function');
  if ((key === undefined) === (match === undefined)) throw fail('pass either "key" or "match"');
  if (match !== undefined) {
    if (typeof match !== 'function') throw fail('option "match" must be a function');
    if (q !== undefined && typeof q !== 'string') throw fail('option "q" must be a string');
    return;
  }
  if (q !== undefined) throw fail('option "q" requires "match"');
  if (typeof key !== 'string' || key === '' || key.length > 200 || /\p{Surrogate}/u.test(key)) {
    throw fail('option "key" must be a string of 1 to 200 characters');
  }
}

/**
 * The delay before each search after a lost response, in milliseconds. New records may not appear in lists
 * immediately.
 */
const waitsAfterLostResponse = [0, 1000, 3000];

async function findLater<Item>(
  find: () => Promise<Item | undefined>,
  signal: AbortSignal,
): Promise<Item | undefined> {
  for (const milliseconds of waitsAfterLostResponse) {
    await delay(milliseconds, signal);
    const item = await find();
    if (item) return item;
  }
  return undefined;
}

async function findByMatch<Item extends StoredRecord>(
  method: string,
  store: RecordStore<Item>,
  match: (item: Item) => boolean,
  q: string | undefined,
): Promise<Item | undefined> {
  const filter = await store.filter();
  if (!filter) return undefined;
  return search(method, store.list({ ...filter, q }), async (item) => {
    const result: unknown = match(item);
    if (isObject(result) && 'then' in result) {
      throw new ConfigurationError(`${method}: option "match" must return a boolean, not a promise`);
    }
    return Boolean(result);
  });
}

/**
 * Finds the record that contains a marker. The specification doesn't say whether the search covers more than
 * titles. If the search finds nothing and may not cover the content, all records are read.
 */
async function findByMarker<Item extends StoredRecord>(
  method: string,
  store: RecordStore<Item>,
  marker: string,
): Promise<Item | undefined> {
  const contains = async (item: Item) => {
    const html = store.readHtml(item);
    // Some servers omit the content from list items.
    return (html === undefined ? store.readHtml(await store.get(item.id)) : html)?.includes(marker) ?? false;
  };
  const found = await search(method, store.list({ q: marker }), contains);
  if (found || (await searchesContent(store))) return found;
  return search(method, store.list({}), contains);
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
async function search<Item extends StoredRecord>(
  method: string,
  list: PageList<Item>,
  matches: (item: Item) => Promise<boolean>,
): Promise<Item | undefined> {
  let pages = 0;
  for await (const { data } of list.pages({ complete: true })) {
    let oldest: Item | undefined;
    for (const item of data) {
      if ((await matches(item)) && (!oldest || createdAt(item) < createdAt(oldest))) oldest = item;
    }
    if (oldest) return oldest;
    if (++pages === maxPages) {
      throw new IncompleteListError(
        `${method}: found no match on ${maxPages} pages; narrow the search with "q"`,
        { passes: 1 },
      );
    }
  }
  return undefined;
}

const createdAt = ({ created_at }: StoredRecord) => Date.parse(`${created_at}`);

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

/**
 * Runs at most one function per name at a time. Other calls with the same name wait for the result, and run
 * their own function only if the running one fails.
 */
export async function shareResult<Result>(
  running: Map<string, Promise<unknown>>,
  name: string,
  signal: AbortSignal,
  run: () => Promise<Result>,
): Promise<Result> {
  for (let other = running.get(name); other; other = running.get(name)) {
    try {
      return (await race(other, signal)) as Result;
    } catch {
      signal.throwIfAborted();
    }
  }
  const result = run();
  running.set(name, result);
  try {
    return await result;
  } finally {
    running.delete(name);
  }
}
