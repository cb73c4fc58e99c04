import { checkOptions, isFunction, requiredOption } from '../../src/internal.js';
import { type Book, type BookEntry, readEntry, unescapeKey } from './book.js';
import { type LeaseOptions, leasedBook, leasedOptions } from './leased-book.js';

/** The part of an `ioredis` client that a book uses. */
export interface RedisClient {
  hmget(key: string, ...fields: string[]): Promise<(string | null)[]>;
  hscan(key: string, cursor: string, token: 'COUNT', count: number): Promise<[string, string[]]>;
  mget(...keys: string[]): Promise<(string | null)[]>;
  watch(key: string): Promise<unknown>;
  multi(commands: string[][]): { exec(): Promise<[error: Error | null, result: unknown][] | null> };
  duplicate(options: { retryStrategy: () => null; enableOfflineQueue: true }): RedisClient;
  disconnect(): void;
  on(event: 'error', listener: () => void): unknown;
}

export interface RedisBookOptions extends LeaseOptions {
  /** An `ioredis` client. The book opens another connection for its transactions, and closes only that one. */
  redis: RedisClient;
}

/**
 * Creates a book in Redis, for jobs that run on many machines. One process at a time uses a book: it holds a
 * lease with a token, and every put watches the token during its transaction.
 *
 * A put is as durable as Redis's configuration makes it. With `appendfsync always`, it's on the disk.
 *
 * @throws TypeError if an option is unknown or invalid
 */
export function redisBook(options: RedisBookOptions): Book {
  checkOptions(schema(), options, { fail: (message) => new TypeError(`redisBook: ${message}`) });
  const { redis } = options;
  // The braces keep the keys on one node of a cluster.
  const book = `worktrack:book:{${options.name}}`;
  const tokenKey = `${book}:token`;
  const leaseKey = `${book}:lease`;
  const extend = (milliseconds: number) => ['set', leaseKey, 'held', 'px', String(milliseconds)];
  let connection: RedisClient | undefined;
  let last: Promise<unknown> = Promise.resolve();
  function disconnect(): undefined {
    connection?.disconnect();
    connection = undefined;
  }

  /**
   * Runs commands in a transaction, after the earlier ones.
   *
   * @param expected the lease's token. Undefined if the lease must be free.
   * @returns the results. Undefined if another process has taken the lease, even during the transaction.
   */
  function transact(expected: string | undefined, commands: string[][]): Promise<unknown[] | undefined> {
    const results = last.then(async () => {
      connection ??= connect(redis);
      try {
        const [, state] = await Promise.all([
          connection.watch(tokenKey),
          connection.mget(tokenKey, leaseKey),
        ]);
        const [token, lease] = state;
        const isAllowed = expected === undefined ? lease === null : token === expected;
        return isAllowed ? requireSuccess(await connection.multi(commands).exec()) : disconnect();
      } catch (error) {
        disconnect();
        throw error;
      }
    });
    last = results.catch(() => {});
    return results;
  }

  return leasedBook(options, {
    async take(milliseconds) {
      const results = await transact(undefined, [['incr', tokenKey], extend(milliseconds)]);
      return results ? String(results[0]) : disconnect();
    },
    renew: (token, milliseconds) => transact(token, [extend(milliseconds)]),
    async release(token) {
      await transact(token, [['del', leaseKey]]).finally(disconnect);
    },
    async put(token, rows) {
      const commands = Array.from(rows, ([key, row]) =>
        row ? ['hset', book, key, JSON.stringify(row)] : ['hdel', book, key],
      );
      return (await transact(token, commands)) !== undefined;
    },
    async get(keys) {
      const rows = await redis.hmget(book, ...keys);
      return rows.flatMap((row, index) => (row === null ? [] : [entryOf(keys[index] as string, row)]));
    },
    async *entries() {
      let cursor = '0';
      do {
        const [next, fields] = await redis.hscan(book, cursor, 'COUNT', 1000);
        for (const [at, key] of fields.entries())
          if (at % 2 === 0) yield entryOf(key, fields[at + 1] as string);
        cursor = next;
      } while (cursor !== '0');
    },
  });
}

/** Opens a connection that never reconnects, because nothing would be watched on the new connection. */
function connect(redis: RedisClient): RedisClient {
  const connection = redis.duplicate({ retryStrategy: () => null, enableOfflineQueue: true });
  // The commands that fail report the error.
  connection.on('error', () => {});
  return connection;
}

function requireSuccess(results: [Error | null, unknown][] | null): unknown[] | undefined {
  for (const [error] of results ?? []) if (error) throw error;
  return results?.map(([, result]) => result);
}

const entryOf = (key: string, row: string): BookEntry => readEntry(unescapeKey(key), JSON.parse(row));

const isClient = (value: unknown): boolean => isFunction((value as RedisClient | null)?.duplicate);
const schema = () => leasedOptions({ redis: requiredOption('an ioredis client', isClient) });
