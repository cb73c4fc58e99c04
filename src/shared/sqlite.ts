import type { DatabaseSync } from 'node:sqlite';

/** What a SQLite file contains, and how its problems are reported. */
export interface SqliteFormat {
  /** What the file is, such as `a book`. */
  name: string;
  /** A number that identifies the format. SQLite stores it in the file's header. */
  applicationId: number;
  /** The `CREATE` statements, in this order and exactly as SQLite stores them. */
  schema: readonly string[];
  fail: (message: string, cause?: unknown) => Error;
}

/**
 * A SQLite file that this process uses exclusively. The operating system releases the lock when the process
 * exits, even if it's killed. Only the file's owner can read it.
 */
export class SqliteFile {
  readonly path: string;
  readonly database: DatabaseSync;
  readonly #format: SqliteFormat;
  #waiting: Write[] = [];
  #isOpen = true;

  /**
   * Opens a file, or creates it.
   *
   * @throws the format's error if another process or another part of this process is using the file, if it's
   * damaged, or if it has another format. It isn't changed then.
   */
  constructor(path: string, format: SqliteFormat) {
    this.path = path;
    this.#format = format;
    this.database = this.#attempt('opened', () => {
      createPrivateFile(path);
      const { DatabaseSync } = builtin('node:sqlite');
      // An absolute path, because SQLite gives names such as `:memory:` a meaning. The timeout is for two
      // processes that create the file at the same time.
      return new DatabaseSync(builtin('node:path').resolve(path), { timeout: 100 });
    });
    try {
      this.#attempt('opened', () => this.#prepare());
    } catch (error) {
      this.database.close();
      throw error;
    }
  }

  /** Runs a function that reads from the database, and converts SQLite's errors to the format's. */
  read<T>(read: () => T): T {
    this.#requireOpen();
    return this.#attempt('read', read);
  }

  /**
   * Runs a function that changes the database. The change is on the disk when the promise resolves. Changes
   * that are requested in the same turn of the event loop share a transaction.
   */
  async write(change: () => void): Promise<void> {
    this.#requireOpen();
    return new Promise((resolve, reject) => {
      this.#waiting.push({ change, resolve, reject });
      if (this.#waiting.length === 1) runSoon(() => this.#commit());
    });
  }

  /** Writes what is waiting, merges the log into the file, and unlocks the file. */
  close(): void {
    if (!this.#isOpen) return;
    this.#commit();
    this.#isOpen = false;
    this.database.close();
  }

  /** The error for contents that can't be right. */
  damaged(problem: string): Error {
    return this.#format.fail(
      `${this.path} is damaged: ${problem}; replace it with a backup, or delete it to start over`,
    );
  }

  #requireOpen(): void {
    if (!this.#isOpen) throw this.#format.fail(`${this.path} is closed`);
  }

  #prepare(): void {
    const { database } = this;
    const { name, applicationId, schema, fail } = this.#format;
    // SQLite keeps this lock until the file is closed. It also needs no shared memory file for its log.
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    // SQLite also considers a file with a single byte to be empty.
    const isNew = builtin('node:fs').statSync(this.path).size === 0;
    const found = database.prepare('PRAGMA application_id').get()?.application_id;
    if (!isNew && found !== applicationId) throw fail(`${this.path} isn't ${name}; choose another path`);
    builtin('node:fs').chmodSync(this.path, 0o600);
    if (isNew) database.exec(`PRAGMA application_id = ${applicationId}; ${schema.join(';')}`);
    if (this.#readSchema().join(';') !== schema.join(';')) {
      throw this.damaged('its tables differ from those that this version of worktrack creates');
    }
    const problem = Object.values(database.prepare('PRAGMA quick_check(1)').get() ?? {})[0];
    if (problem !== 'ok') throw this.damaged(String(problem).replaceAll(/\s+/g, ' '));
    database.exec('COMMIT; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  }

  #readSchema(): unknown[] {
    const rows = this.database.prepare('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL').all();
    return rows.map(({ sql }) => sql);
  }

  #commit(): void {
    const writes = this.#waiting;
    if (writes.length === 0) return;
    this.#waiting = [];
    try {
      this.#attempt('written', () => {
        this.database.exec('BEGIN IMMEDIATE');
        for (const { change } of writes) change();
        this.database.exec('COMMIT');
      });
    } catch (error) {
      this.#rollBack();
      for (const { reject } of writes) reject(error);
      return;
    }
    for (const { resolve } of writes) resolve();
  }

  #rollBack(): void {
    try {
      this.database.exec('ROLLBACK');
    } catch {
      // SQLite has already rolled back, which it does after errors such as a full disk.
    }
  }

  #attempt<T>(action: string, run: () => T): T {
    try {
      return run();
    } catch (error) {
      const { errcode, code, message } = error as { errcode?: number; code?: string; message: string };
      // SQLite's and the file system's errors have codes such as `ENOENT`. The others, such as `damaged`, are
      // complete.
      if (!code?.startsWith('E')) throw error;
      throw this.#format.fail(`${this.path} ${this.#describe(action, errcode, message)}`, error);
    }
  }

  #describe(action: string, errcode = 0, message: string): string {
    switch (errcode & 0xff) {
      case 5: // SQLITE_BUSY
        return 'is in use by another process, or opened twice in this one; close it there first';
      case 11: // SQLITE_CORRUPT
        return `is damaged: ${message}; replace it with a backup, or delete it to start over`;
      case 26: // SQLITE_NOTADB
        return `isn't ${this.#format.name}; choose another path`;
      default:
        // Without the system call and the path, which the message starts with.
        return `can't be ${action}: ${message.replace(/, \w+ '.*/s, '')}`;
    }
  }
}

interface Write {
  change: () => void;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** The real `setImmediate`, even if a test installs fake timers later. */
const { setImmediate: runSoon } = globalThis;

/** Loads a module of Node.js without an import, so that bundles for browsers can contain this file. */
function builtin<Name extends 'node:sqlite' | 'node:fs' | 'node:path' | 'node:crypto'>(name: Name) {
  const { process } = globalThis as { process?: NodeJS.Process };
  const module = process?.getBuiltinModule?.(name);
  if (!module) throw new Error(`${name} isn't available here; use Node.js 22.13 or later`);
  return module;
}

/** Creates the file, unless it exists, because SQLite would let everybody read it. */
function createPrivateFile(path: string): void {
  const { openSync, closeSync } = builtin('node:fs');
  try {
    // Don't open an existing file, because closing it would release the locks that this process has on it.
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Returns a short digest of a string. */
export function digestOf(text: string): string {
  return builtin('node:crypto').createHash('sha256').update(text).digest('base64url').slice(0, 16);
}
