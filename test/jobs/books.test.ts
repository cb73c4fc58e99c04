import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { Pool } from 'pg';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  type Book,
  BookError,
  memoryBook,
  postgresBook,
  type RedisClient,
  redisBook,
  sqliteBook,
} from 'worktrack/jobs';
import { temporaryFolder } from '../support/temporary-folder.js';
import { done, entriesOf, testBook } from './book-contract.js';
import { postgresAddress, reachable, redisAddress } from './support/services.js';

describe('memoryBook', () => {
  testBook(async () => ({ open: memoryBook, isLasting: false }));
});

describe('sqliteBook', () => {
  testBook(async () => {
    const path = join(await temporaryFolder(), 'jobs.book');
    return { open: () => sqliteBook(path), isLasting: true };
  });
});

describe.skipIf(!reachable.postgres)('postgresBook (skipped if Postgres is unreachable)', () => {
  const pool = new Pool({ ...postgresAddress, max: 10 });
  const table = 'worktrack_test_book';
  afterAll(async () => {
    await pool.query(`DROP TABLE IF EXISTS ${table}, ${table}_lease`);
    await pool.end();
  });

  testBook(async () => {
    const name = randomUUID();
    return { open: () => postgresBook({ pool, table, name }), isLasting: true };
  });

  testLease({
    open: (name, leaseTime) => postgresBook({ pool, table, name, leaseTime }),
    openSlow: (name, beforeWrite) =>
      postgresBook({
        name,
        table,
        pool: {
          async query(text, values) {
            if (text.includes('INSERT INTO worktrack_test_book SELECT')) await beforeWrite();
            return pool.query(text, values);
          },
        },
      }),
    async expire(name) {
      await pool.query(`UPDATE ${table}_lease SET expires = now() WHERE book = $1`, [name]);
    },
    async remaining(name) {
      const left = `SELECT extract(epoch FROM expires - now()) AS seconds FROM ${table}_lease WHERE book = $1`;
      return Number((await pool.query(left, [name])).rows[0].seconds);
    },
  });

  test('rejects invalid options', () => {
    const open = (options: object) => () => postgresBook({ pool, name: 'a', ...options });
    expect(open({ table: 'book; DROP' })).toThrow(
      new TypeError(
        'postgresBook: option "table" must be a table name such as worktrack_book or jobs.book (got "book; DROP")',
      ),
    );
    expect(open({ pool: {} })).toThrow('postgresBook: option "pool" must be a pool of the pg package');
    expect(open({ name: '' })).toThrow('postgresBook: option "name" must be a non-empty string');
    expect(open({ leaseTime: 0 })).toThrow('postgresBook: option "leaseTime" must be ');
    expect(open({ database: 'x' })).toThrow('postgresBook: unknown option "database"');
  });

  test('reports an unreachable database with a BookError', async () => {
    const broken = new Pool({ ...postgresAddress, port: 1 });
    const book = postgresBook({ pool: broken, name: 'a' });
    await expect(book.get(['a'])).rejects.toThrow(/^the book "a" failed: .*ECONNREFUSED/);
    await expect(book.put([done('a', 1)])).rejects.toBeInstanceOf(BookError);
    await book.close();
    await broken.end();
  });
});

describe.skipIf(!reachable.redis)('redisBook (skipped if Redis is unreachable)', () => {
  const redis = new Redis({ ...redisAddress, lazyConnect: true });
  const prefix = `test-${randomUUID()}`;
  const keyOf = (name: string) => `worktrack:book:{${prefix}${name}}`;
  afterAll(async () => {
    const keys = await redis.keys(`worktrack:book:{${prefix}*`);
    if (keys.length > 0) await redis.del(keys);
    redis.disconnect();
  });

  testBook(async () => {
    const name = prefix + randomUUID();
    return { open: () => redisBook({ redis, name }), isLasting: true };
  });

  testLease({
    open: (name, leaseTime) => redisBook({ redis, name: prefix + name, leaseTime }),
    openSlow(name, beforeWrite) {
      const duplicate: RedisClient['duplicate'] = (options) => {
        const connection = redis.duplicate(options);
        const { multi } = connection;
        connection.multi = ((commands: string[][]) => ({
          async exec() {
            if (commands.some(([command]) => command === 'hset')) await beforeWrite();
            return multi.call(connection, commands).exec();
          },
        })) as never;
        return connection;
      };
      const client = new Proxy(redis, {
        get: (target, key) => (key === 'duplicate' ? duplicate : Reflect.get(target, key).bind(target)),
      });
      return redisBook({ redis: client, name: prefix + name });
    },
    expire: async (name) => void (await redis.del(`${keyOf(name)}:lease`)),
    remaining: (name) => redis.pttl(`${keyOf(name)}:lease`),
  });

  test("stores nothing if the connection breaks between a put's check and its transaction", async () => {
    const name = prefix + randomUUID();
    let id = 0;
    const duplicate: RedisClient['duplicate'] = (options) => {
      const connection = redis.duplicate(options);
      const mget = connection.mget as (...keys: string[]) => Promise<(string | null)[]>;
      connection.mget = (async (...keys: string[]) => {
        const values = await mget.call(connection, ...keys);
        if (values[0] === null) return values;
        id = await connection.client('ID');
        await redis.client('KILL', 'ID', id);
        return values;
      }) as never;
      return connection;
    };
    const client = new Proxy(redis, {
      get: (target, key) => (key === 'duplicate' ? duplicate : Reflect.get(target, key).bind(target)),
    });
    const book = redisBook({ redis: client, name });
    await expect(book.put([done('a', 1)])).rejects.toThrow(/^the book ".*" failed: /);
    expect(id).toBeGreaterThan(0);
    expect(await redis.hlen(`worktrack:book:{${name}}`)).toBe(0);
    await book.close();
  });

  test('rejects invalid options', () => {
    const open = (options: object) => () => redisBook({ redis, name: 'a', ...options });
    expect(open({ redis: {} })).toThrow('redisBook: option "redis" must be an ioredis client');
    expect(open({ name: undefined })).toThrow('redisBook: option "name" must be a non-empty string');
    expect(open({ table: 'x' })).toThrow('redisBook: unknown option "table"');
  });

  test('reports an unreachable server with a BookError', async () => {
    const broken = new Redis({ ...redisAddress, port: 1, lazyConnect: true });
    const book = redisBook({ redis: broken, name: 'a' });
    await expect(book.get(['a'])).rejects.toThrow(/^the book "a" failed: /);
    await expect(book.put([done('a', 1)])).rejects.toBeInstanceOf(BookError);
    await book.close();
    broken.disconnect();
  });
});

interface LeaseTest {
  open(name: string, leaseTime?: number): Book;
  /** Opens a book that calls a function right before it sends a put's changes. */
  openSlow(name: string, beforeWrite: () => Promise<void>): Book;
  /** Makes the current lease expire. */
  expire(name: string): Promise<void>;
  /** Returns the time until the lease expires. */
  remaining(name: string): Promise<number>;
}

function testLease({ open, openSlow, expire, remaining }: LeaseTest): void {
  const takenOver = {
    name: 'BookError',
    outcome: 'not_sent',
    message: expect.stringContaining('was taken over by another process'),
  };
  const closeLater = (book: Book) => {
    onTestFinished(() => book.close());
    return book;
  };

  test('one process at a time can use a book, until it closes the book', async () => {
    const name = randomUUID();
    const first = closeLater(open(name));
    const second = closeLater(open(name));
    await first.put([done('a', 1)]);

    for (const call of [() => second.get(['a']), () => second.put([]), () => entriesOf(second)]) {
      await expect(call()).rejects.toMatchObject({
        name: 'BookError',
        message: expect.stringMatching(
          /^the book ".*" is in use by another process; if that process was killed, try again in 30000 ms$/,
        ),
      });
    }
    await first.close();
    expect(await entriesOf(second)).toEqual([done('a', 1)]);
  });

  test('one of several processes that start at the same time gets the book', async () => {
    const name = randomUUID();
    const books = Array.from({ length: 8 }, () => closeLater(open(name)));
    const results = await Promise.allSettled(books.map((book, index) => book.put([done('winner', index)])));

    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test("a process whose lease was taken over can't write, and doesn't release the new lease", async () => {
    const name = randomUUID();
    const suspended = closeLater(open(name));
    await suspended.put([done('a', 'suspended')]);
    await expire(name);
    const next = closeLater(open(name));
    await next.put([done('a', 'next')]);

    await expect(suspended.put([done('a', 'late'), done('b', 'late')])).rejects.toMatchObject(takenOver);
    await suspended.close();
    await expect(closeLater(open(name)).get(['a'])).rejects.toThrow('is in use');
    expect(await entriesOf(next)).toEqual([done('a', 'next')]);
  });

  test("a process that is suspended in the middle of a put can't write after another process took over", async () => {
    const name = randomUUID();
    let takeOver = async () => {};
    const suspended = closeLater(openSlow(name, () => takeOver()));
    await suspended.put([done('a', 'suspended')]);
    const next = closeLater(open(name));
    takeOver = async () => {
      await expire(name);
      await next.put([done('a', 'next')]);
    };

    await expect(suspended.put([done('a', 'late')])).rejects.toMatchObject(takenOver);
    expect(await entriesOf(next)).toEqual([done('a', 'next')]);
  });

  test('a process whose lease expired can write if no other process took it', async () => {
    const name = randomUUID();
    const book = closeLater(open(name));
    await book.put([done('a', 1)]);
    await expire(name);

    await book.put([done('a', 2)]);
    expect(await entriesOf(book)).toEqual([done('a', 2)]);
  });

  test('a book renews its lease while it is open', async () => {
    const name = randomUUID();
    const book = closeLater(open(name, 300));
    await book.put([done('a', 1)]);
    let before = await remaining(name);
    const hasGrown = async () => {
      const now = await remaining(name);
      const grew = now > before;
      before = now;
      return grew;
    };

    await expect.poll(hasGrown, { interval: 5 }).toBe(true);
  });
}
