import { digestOf, isNonEmptyString, SqliteFile } from '../../src/internal.js';
import {
  type Book,
  type BookChange,
  type BookEntry,
  BookError,
  escapeKey,
  readEntry,
  type StoredEntry,
  storedChanges,
  unescapeKey,
} from './book.js';

/**
 * Creates a book in a SQLite file, for jobs that run on one machine. The file is opened by the first call to a
 * method, and created if it doesn't exist.
 *
 * A put is on the disk when its promise resolves. Concurrent puts share a transaction, so they're faster than
 * consecutive ones. Only the file's owner can read it. Only one process can use it at a time, and the lock
 * ends with the process. Every entry is checked when the file is opened.
 *
 * Requires Node.js, Bun, or Deno. Don't store the file on a network drive.
 *
 * @param path the file's path, such as `import.book`
 * @throws TypeError if the path isn't a non-empty string
 */
export function sqliteBook(path: string): Book {
  if (!isNonEmptyString(path)) {
    throw new TypeError(`sqliteBook: path must be a non-empty string (got ${JSON.stringify(path)})`);
  }
  let opened: BookFile | undefined;
  let isOpen = true;
  const book = () => {
    if (!isOpen) throw new BookError(`${path} is closed`);
    opened ??= new BookFile(path);
    return opened;
  };
  return {
    get: async (keys) => book().get(keys),
    put: async (changes) => book().put(changes),
    async *entries() {
      yield* book().entries();
    },
    async close() {
      isOpen = false;
      opened?.close();
    },
  };
}

class BookFile {
  readonly #file: SqliteFile;
  readonly #statements;

  constructor(path: string) {
    this.#file = new SqliteFile(path, format);
    const { database } = this.#file;
    this.#statements = {
      get: database.prepare('SELECT * FROM book WHERE key = ?'),
      page: database.prepare('SELECT * FROM book WHERE key > ? ORDER BY key LIMIT 1000'),
      put: database.prepare('REPLACE INTO book VALUES (?, ?, ?, ?)'),
      remove: database.prepare('DELETE FROM book WHERE key = ?'),
    };
    try {
      // Damage can also hide an entry, or move it to where `get` doesn't find it, so read all of them.
      for (const _ of this.entries());
    } catch (error) {
      this.#file.close();
      throw error;
    }
  }

  get(keys: readonly string[]): Map<string, BookEntry> {
    const rows = this.#file.read(() => keys.map((key) => this.#statements.get.get(escapeKey(key))));
    return new Map(rows.flatMap((row) => (row ? [entryWithKey(this.#check(row))] : [])));
  }

  put(changes: readonly BookChange[]): Promise<void> {
    const rows = storedChanges(changes).map(({ key, stored }) => ({ key: escapeKey(key), stored }));
    return this.#file.write(() => {
      for (const { key, stored } of rows) {
        if (!stored) this.#statements.remove.run(key);
        else this.#statements.put.run(key, stored.state, stored.value, digest(key, stored));
      }
    });
  }

  *entries(): Generator<BookEntry> {
    let last = '';
    for (;;) {
      const rows = this.#file.read(() => this.#statements.page.all(last));
      for (const row of rows) {
        const entry = this.#check(row);
        if (String(row.key) <= last) throw this.#file.damaged('its entries are out of order');
        last = String(row.key);
        yield entry;
      }
      if (rows.length === 0) return;
    }
  }

  close(): void {
    this.#file.close();
  }

  #check({ key, state, value, digest: expected }: Record<string, unknown>): BookEntry {
    const stored = { state, value } as StoredEntry;
    if (digest(key, stored) === expected) return readEntry(unescapeKey(String(key)), stored);
    throw this.#file.damaged(`the entry ${JSON.stringify(key)} doesn't match its digest`);
  }
}

const entryWithKey = (entry: BookEntry): [string, BookEntry] => [entry.key, entry];

const digest = (key: unknown, { state, value }: StoredEntry): string =>
  digestOf(JSON.stringify([key, state, value]));

const format = {
  name: 'a book of worktrack',
  applicationId: 0x5774_426b,
  schema: [
    'CREATE TABLE book (key TEXT PRIMARY KEY, state TEXT NOT NULL, value TEXT, digest TEXT NOT NULL) WITHOUT ROWID',
  ],
  fail: (message: string, cause?: unknown) => new BookError(message, { cause }),
};
