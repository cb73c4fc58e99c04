import { type ErrorContext, WorktrackError } from '../../src/index.js';
import { brandAs, isNonEmptyString } from '../../src/internal.js';

/** What a job knows about one piece of work: it was started, it's done, or it failed. */
export type BookState = 'started' | 'done' | 'failed';

/** One line of a book. */
export interface BookEntry {
  /** A string that is unique in the book. Keys that start with `#` are reserved. */
  key: string;
  state: BookState;
  /** Whatever the job needs later. It's stored as JSON, so it must be JSON-compatible. */
  value?: unknown;
}

/** An entry to store, or the key of an entry to delete. */
export type BookChange = BookEntry | { key: string; state: 'removed' };

/**
 * Records what a job has started and finished, so that the next run continues where this one stopped. A book
 * belongs to one job, and one process uses it at a time.
 *
 * Every method except `close` throws a {@link BookError} if the book can't be read or written, or is closed.
 */
export interface Book {
  /** Returns the entries for some keys. Keys without an entry are missing from the map. */
  get(keys: readonly string[]): Promise<Map<string, BookEntry>>;
  /**
   * Stores all changes, or none of them if it throws. When the promise resolves, they survive a crash. If a
   * key occurs several times, the last change counts.
   */
  put(changes: readonly BookChange[]): Promise<void>;
  /**
   * Iterates over all entries, in no particular order and in constant memory. You can change the book while
   * you iterate. An entry that is added during the iteration may be missing from it, and with Redis, an entry
   * can occur twice.
   */
  entries(): AsyncIterable<BookEntry>;
  /** Waits for the puts that are in flight, then closes the book. Further calls do nothing. */
  close(): Promise<void>;
}

/**
 * Thrown if a book can't be opened, read, or written, if another process is using it, or if it belongs to
 * another job. The message names the book.
 */
export class BookError extends WorktrackError {
  declare readonly name: 'BookError';
  declare readonly code: 'book';

  static {
    brandAs(BookError, 'BookError', 'book');
  }

  constructor(message: string, context: Partial<ErrorContext> = {}) {
    super(message, { outcome: 'not_sent', ...context });
  }
}

/**
 * Creates a book that exists only in this process. If the process exits, the next run has to read the marks of
 * the records to find out what was done.
 */
export function memoryBook(): Book {
  const stored = new Map<string, StoredEntry>();
  let isOpen = true;
  const requireOpen = () => {
    if (!isOpen) throw new BookError('the memory book is closed');
  };
  return {
    async get(keys) {
      requireOpen();
      return new Map(
        keys.flatMap((key) => {
          const entry = stored.get(key);
          return entry ? [[key, readEntry(key, entry)]] : [];
        }),
      );
    },
    async put(changes) {
      requireOpen();
      for (const { key, stored: entry } of storedChanges(changes)) {
        if (entry) stored.set(key, entry);
        else stored.delete(key);
      }
    },
    async *entries() {
      requireOpen();
      for (const [key, entry] of stored) yield readEntry(key, entry);
    },
    async close() {
      isOpen = false;
    },
  };
}

/**
 * Makes sure that a book belongs to a job: stores the job's scope in a new book, and compares it in a used
 * one.
 *
 * @param scope a string that identifies the job, such as `tickets:prj_1:Jira`
 * @throws {@link BookError} if the book belongs to another job
 */
export async function bindBook(book: Book, scope: string): Promise<void> {
  const entry = (await book.get([scopeKey])).get(scopeKey);
  if (!entry) return book.put([{ key: scopeKey, state: 'done', value: scope }]);
  if (entry.value === scope) return;
  throw new BookError(
    `this book belongs to ${JSON.stringify(entry.value)}, not to ${JSON.stringify(scope)}; use a book for each job`,
  );
}

const scopeKey = '#scope';

/** The books that jobs in this process are using. */
const used = new WeakSet<Book>();

/**
 * Runs a job that no other job with the same book overlaps, because both would do what isn't in the book yet.
 *
 * @throws {@link BookError} if another job is using the book
 */
export async function withBook<Result>(book: Book, run: () => Promise<Result>): Promise<Result> {
  if (used.has(book))
    throw new BookError('the book is in use by another job; start this one when the other has finished');
  used.add(book);
  try {
    return await run();
  } finally {
    used.delete(book);
  }
}

/** An entry as books store it. */
export interface StoredEntry {
  state: BookState;
  /** The JSON of the value. Null if the entry has no value. */
  value: string | null;
}

/** Converts changes to what books store, which also protects the book from later changes to a value. */
export function storedChanges(changes: readonly BookChange[]) {
  return changes.map((change): { key: string; stored: StoredEntry | undefined } => {
    const { key, state } = change;
    if (!isNonEmptyString(key))
      throw new TypeError(`a book's keys must be non-empty strings (got ${JSON.stringify(key)})`);
    if (state === 'removed') return { key, stored: undefined };
    return { key, stored: { state, value: JSON.stringify(change.value) ?? null } };
  });
}

/** Converts what a book stores to an entry. */
export function readEntry(key: string, { state, value }: StoredEntry): BookEntry {
  return value === null ? { key, state } : { key, state, value: JSON.parse(value) };
}

/**
 * Escapes what some databases can't store in a string: NUL characters and lone surrogates. Paired surrogates
 * are escaped as well, so that databases sort keys like JavaScript does. Other keys stay readable.
 */
export function escapeKey(key: string): string {
  const escapeUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16)}`;
  return JSON.stringify(key)
    .slice(1, -1)
    .replace(/[\ud800-\udfff]/g, escapeUnit);
}

export const unescapeKey = (key: string): string => JSON.parse(`"${key}"`);
