import type { Worktrack } from '../../src/index.js';
import { deploymentOf } from '../../src/internal.js';
import { type Book, BookError, bindBook } from './book.js';
import type { Source } from './feed-sources.js';
import type { KnownFields } from './watched-fields.js';

/** A record as it was last delivered. */
export interface StoredRecord {
  /**
   * How many of the record's changes have been delivered. This number is part of each change's ID, so if a
   * value changes back and forth, each change gets a new ID.
   */
  revision: number;
  /** Null if the record is gone, except for projects. */
  known: KnownFields | null;
  /** Finds out quickly whether a record has changed. Undefined if not all of its changes were delivered. */
  fingerprint?: string | undefined;
  /** Whether the record was deleted, or the project is inaccessible. It may come back. */
  isGone?: boolean | undefined;
}

/** An entry to store in the book. */
export interface FeedEntry {
  key: string;
  /** The revision that the entry replaces. */
  from: number;
  record: StoredRecord;
}

/** What a feed keeps in memory about a record. */
type Summary = Omit<StoredRecord, 'known'>;

type SourceName = Pick<Source, 'kind' | 'projectId'>;

/**
 * A feed's book, with a fingerprint of each record in memory. The book's entries are:
 *
 * - `rec:<kind>:<project>:<id>`: a record as it was last delivered
 * - `read:<kind>:<project>`: a list that has been read completely
 */
export class FeedState {
  readonly book: Book;
  /** The records by list and ID. */
  readonly #lists = new Map<string, Map<string, Summary>>();
  readonly #read = new Set<string>();

  /**
   * Returns the state of a book. Reads the book only once, because only one process uses it.
   *
   * @throws BookError if the book can't be read, or belongs to another job or deployment
   */
  static async of({ book, client }: { book: Book; client: Worktrack }): Promise<FeedState> {
    await bindBook(book, `${deploymentOf(client)?.baseUrl} feed`);
    let state = states.get(book);
    if (!state) {
      state = new FeedState(book).#load();
      states.set(book, state);
      state.catch(() => states.delete(book));
    }
    return state;
  }

  private constructor(book: Book) {
    this.book = book;
  }

  /** Whether a list has been read completely, so that records that aren't known are new. */
  wasRead = (source: SourceName): boolean => this.#read.has(listKey(source));

  /** Returns the records of a list, by ID. */
  recordsOf = (source: SourceName): ReadonlyMap<string, Summary> =>
    this.#lists.get(listKey(source)) ?? new Map();

  /** Reads records from the book, by ID. */
  async load(source: SourceName, ids: readonly string[]): Promise<Map<string, StoredRecord>> {
    const entries = await this.book.get(ids.map((id) => recordKey(source, id)));
    const records = ids.map((id) => [id, entries.get(recordKey(source, id))?.value as StoredRecord] as const);
    return new Map(records.filter(([, record]) => record !== undefined));
  }

  /**
   * Stores entries that no change reports, and which lists were read. Skips records that have changed since the
   * entries were created.
   */
  async store(entries: readonly FeedEntry[], sources: readonly SourceName[]): Promise<void> {
    const current = entries.filter(({ key, from }) => this.#revisionOf(key) === from);
    const read = sources.map(listKey);
    await this.#put(current, read);
    for (const list of read) this.#read.add(list);
  }

  /** @throws BookError if later changes to one of the records are already stored */
  async commit(entries: readonly FeedEntry[]): Promise<void> {
    const revisions = new Map<string, number>();
    for (const { key, from, record } of entries) {
      if ((revisions.get(key) ?? this.#revisionOf(key)) !== from) {
        throw new BookError('commit: a later call has already committed changes to these records');
      }
      revisions.set(key, record.revision);
    }
    await this.#put(entries, []);
  }

  async #load(): Promise<this> {
    for await (const { key, value } of this.book.entries()) {
      if (key.startsWith('rec:')) this.#remember(key, value as StoredRecord);
      else if (key.startsWith('read:')) this.#read.add(key.slice('read:'.length));
    }
    return this;
  }

  async #put(entries: readonly FeedEntry[], read: readonly string[]): Promise<void> {
    if (entries.length === 0 && read.length === 0) return;
    try {
      await this.book.put([
        ...entries.map(({ key, record }) => ({ key, state: 'done', value: record }) as const),
        ...read.map((list) => ({ key: `read:${list}`, state: 'done' }) as const),
      ]);
    } catch (error) {
      // The book may contain the entries nevertheless, so the next sweep must read it again.
      states.delete(this.book);
      throw error;
    }
    for (const { key, record } of entries) this.#remember(key, record);
  }

  #remember(key: string, { revision, fingerprint, isGone }: StoredRecord): void {
    const { list, id } = partsOf(key);
    const records = this.#lists.get(list) ?? new Map();
    this.#lists.set(list, records);
    records.set(id, { revision, fingerprint, isGone });
  }

  #revisionOf(key: string): number {
    const { list, id } = partsOf(key);
    return this.#lists.get(list)?.get(id)?.revision ?? 0;
  }
}

const states = new WeakMap<Book, Promise<FeedState>>();

/** Returns the projects that a feed has reported or stored, including inaccessible ones. */
export async function projectsIn(book: Book): Promise<{ id: string; key?: string; name?: string }[]> {
  const projects = new Map<string, { id: string; key?: string; name?: string }>();
  for await (const { key, value } of book.entries()) {
    const [type, kind, project = ''] = key.split(':');
    const id = decodeURIComponent(project);
    if (type === 'read' && id !== '') projects.set(id, { id, ...projects.get(id) });
    if (type === 'rec' && kind === 'project' && id !== '')
      projects.set(id, { ...(value as StoredRecord).known, id });
  }
  return [...projects.values()];
}

const listKey = ({ kind, projectId }: SourceName): string => `${kind}:${encodeURIComponent(projectId ?? '')}`;

export const recordKey = (source: SourceName, id: string): string => `rec:${listKey(source)}:${id}`;

function partsOf(key: string): { list: string; id: string } {
  const end = key.indexOf(':', key.indexOf(':', 'rec:'.length) + 1);
  return { list: key.slice('rec:'.length, end), id: key.slice(end + 1) };
}
