import { checkOptions, isFunction, isString, option, requiredOption } from '../../src/internal.js';
import { type Book, type BookEntry, readEntry, type StoredEntry, unescapeKey } from './book.js';
import { type LeaseOptions, leasedBook, leasedOptions } from './leased-book.js';

/** The part of a `pg` pool that a book uses. */
export interface PostgresPool {
  query(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
}

export interface PostgresBookOptions extends LeaseOptions {
  /** A `Pool` of the `pg` package. The book doesn't end it. */
  pool: PostgresPool;
  /**
   * The table, such as `jobs.book`. It's created if it doesn't exist, along with a table for leases whose name
   * ends with `_lease`.
   * @defaultValue worktrack_book
   */
  table?: string | undefined;
}

/**
 * Creates a book in a Postgres database, for jobs that run on many machines. One process at a time uses a book:
 * it holds a lease with a token, and every put checks the token in the same transaction.
 *
 * @throws TypeError if an option is unknown or invalid
 */
export function postgresBook(options: PostgresBookOptions): Book {
  checkOptions(schema(), options, { fail: (message) => new TypeError(`postgresBook: ${message}`) });
  const { pool, name, table = 'worktrack_book' } = options;
  const query = async (text: string, ...values: unknown[]) =>
    (await pool.query(text, [name, ...values])).rows;

  return leasedBook(options, {
    async take(milliseconds) {
      // Without the lock, creating a table in two processes at the same time can fail.
      await pool.query(`BEGIN; SELECT pg_advisory_xact_lock(${createLock}); ${createTables(table)}; COMMIT`);
      const [taken] = await query(
        `INSERT INTO ${table}_lease AS lease VALUES ($1, 1, now() + $2 * interval '1 ms')
        ON CONFLICT (book) DO UPDATE SET token = lease.token + 1, expires = excluded.expires
        WHERE lease.expires < now() RETURNING token`,
        milliseconds,
      );
      return taken && String(taken.token);
    },
    renew: (token, milliseconds) =>
      query(
        `UPDATE ${table}_lease SET expires = now() + $3 * interval '1 ms' WHERE book = $1 AND token = $2`,
        token,
        milliseconds,
      ),
    release: (token) =>
      query(`UPDATE ${table}_lease SET expires = '-infinity' WHERE book = $1 AND token = $2`, token),
    async put(token, changes) {
      // Sort the rows so that two concurrent puts lock them in the same order.
      const rows = [...changes].toSorted(([a], [b]) => (a < b ? -1 : 1));
      const stored = rows.flatMap(([key, row]) => (row ? [{ key, ...row }] : []));
      const [result] = await query(
        // `FOR SHARE` makes a process that takes the lease wait until this transaction ends.
        `WITH lease AS (SELECT FROM ${table}_lease WHERE book = $1 AND token = $2 FOR SHARE),
        removed AS (DELETE FROM ${table} WHERE book = $1 AND key = ANY ($3) AND EXISTS (SELECT FROM lease)),
        stored AS (
          INSERT INTO ${table} SELECT $1, * FROM unnest($4::text[], $5::text[], $6::text[])
          WHERE EXISTS (SELECT FROM lease)
          ON CONFLICT (book, key) DO UPDATE SET state = excluded.state, value = excluded.value
        )
        SELECT EXISTS (SELECT FROM lease) AS is_held`,
        token,
        rows.flatMap(([key, row]) => (row ? [] : [key])),
        stored.map(({ key }) => key),
        stored.map(({ state }) => state),
        stored.map(({ value }) => value),
      );
      return result?.is_held === true;
    },
    async get(keys) {
      return (await query(`SELECT * FROM ${table} WHERE book = $1 AND key = ANY ($2)`, keys)).map(entryOf);
    },
    async *entries() {
      const page = `SELECT * FROM ${table} WHERE book = $1 AND key > $2 ORDER BY key LIMIT 1000`;
      for (let rows = await query(page, ''); rows.length > 0; rows = await query(page, rows.at(-1)?.key)) {
        yield* rows.map(entryOf);
      }
    },
  });
}

const createTables = (table: string) => `
  CREATE TABLE IF NOT EXISTS ${table}
    (book text, key text COLLATE "C", state text NOT NULL, value text, PRIMARY KEY (book, key));
  CREATE TABLE IF NOT EXISTS ${table}_lease
    (book text PRIMARY KEY, token bigint NOT NULL, expires timestamptz NOT NULL)`;

/** An arbitrary number that identifies the advisory lock. */
const createLock = 0x5774_426b;

const entryOf = ({ key, ...stored }: Record<string, unknown>): BookEntry =>
  readEntry(unescapeKey(String(key)), stored as unknown as StoredEntry);

const schema = () =>
  leasedOptions({
    pool: requiredOption('a pool of the pg package', (value) =>
      isFunction((value as PostgresPool | null)?.query),
    ),
    table: option(
      'a table name such as worktrack_book or jobs.book',
      (value) => isString(value) && /^([a-z_]\w{0,50}\.)?[a-z_]\w{0,50}$/.test(value),
    ),
  });
