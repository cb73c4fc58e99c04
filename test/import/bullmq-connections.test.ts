import { randomUUID } from 'node:crypto';
import { Redis, type RedisOptions } from 'ioredis';
import { Client, Pool } from 'pg';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ImportTarget } from 'worktrack/jobs';
import {
  createImportQueue,
  createImportWorker,
  type ImportConnection,
  type ImportWorkerOptions,
} from 'worktrack/jobs/bullmq';
import type { BullmqLedger } from '../../addons/jobs/import/bullmq/bullmq-ledger.js';
import { postgresAddress, queueName, reachable, redisAddress } from './backends.js';
import { startProxy } from './proxy.js';
import { finished, key, patience, type Row, rowsOf } from './rows.js';
import { openQueue, startWorker } from './set-up-import.js';

const target: ImportTarget<Row, Row> = {
  scope: 'things',
  toPayload: (row) => row,
  create: async ({ id }) => ({ id: `thing_${id}` }),
};

const work = (connection: ImportConnection, options: Partial<ImportWorkerOptions<Row>> = {}) =>
  startWorker({ ...connection, target, ...options });

/** Imports a row to check that the connection can be used. */
const checkImport = async (connection: ImportConnection) => {
  const queue = await openQueue(connection);
  await queue.add(rowsOf(1), { key });
  await work(connection);
  expect(await finished(queue, 1)).toEqual({ done: 1, failed: 0 });
};

describe.skipIf(!reachable.redis)('a connection to Redis', () => {
  const { host, port } = redisAddress;

  /** Opens a connection that is closed at the end of the test. */
  const connect = (options: RedisOptions = {}) => {
    const redis = new Redis({ ...redisAddress, ...options, replyMapping: 'legacy' });
    onTestFinished(() => redis.disconnect());
    return redis;
  };

  /** Connection options for a new queue, through a proxy. */
  const throughProxy = async () => {
    const proxy = await startProxy(redisAddress);
    return { proxy, connection: { name: queueName(), redis: { host, port: proxy.port } } };
  };

  it('can be opened with a URL', () => checkImport({ name: queueName(), redis: `redis://${host}:${port}` }));

  it('uses the database specified in the URL', async () => {
    const name = queueName();
    const queue = await openQueue({ name, redis: `redis://${host}:${port}/1` });
    await queue.add(rowsOf(1), { key });
    const other = await openQueue({ name, redis: redisAddress });
    expect(await other.counts()).toMatchObject({ waiting: 0 });
  });

  it("can be an existing ioredis client, which isn't closed", async () => {
    const redis = connect({ db: 1, maxRetriesPerRequest: null });
    const connection = { name: queueName(), redis };
    const queue = await createImportQueue<Row>(connection);
    await queue.add(rowsOf(1), { key });
    const other = await openQueue({ ...connection, redis: redisAddress });
    expect(await other.counts()).toMatchObject({ waiting: 0 });
    const worker = await createImportWorker<Row>({ ...connection, target });
    expect(await finished(queue, 1)).toEqual({ done: 1, failed: 0 });
    await worker.close();
    await queue.delete({ force: true });
    await queue.close();
    expect(await redis.ping()).toBe('PONG');
  });

  it('can use a prefix to keep queues with the same name separate', async () => {
    const connection = { name: queueName(), redis: redisAddress };
    const [queue, other] = [
      await openQueue({ ...connection, prefix: 'one' }),
      await openQueue({ ...connection, prefix: 'two' }),
    ];
    await queue.add(rowsOf(1), { key });
    expect(await other.counts()).toMatchObject({ waiting: 0 });
    await work({ ...connection, prefix: 'one' });
    expect(await finished(queue, 1)).toEqual({ done: 1, failed: 0 });
    const redis = connect();
    expect(await redis.exists(`one:${connection.name}:meta`)).toBe(1);
    expect(await redis.exists(`bull:${connection.name}:meta`)).toBe(0);
    expect(await redis.hexists(`one:${connection.name}:import:claims`, 'thing_r0')).toBe(1);
  });

  it('leaves no keys behind after its queue is deleted', async () => {
    const connection = { name: queueName(), redis: redisAddress };
    const queue = await openQueue(connection);
    await queue.add([...rowsOf(3), { id: 'doubt', title: 'In doubt' }], { key });
    const group = { group: () => 'all', find: async function* () {}, match: () => 'no' as const };
    const create = async ({ id }: Row) => {
      if (id === 'doubt') throw new Error('the response is lost');
      return { id: `thing_${id}`, created_at: '2026-01-01T00:00:00Z' };
    };
    const options = { lookupDelay: 0, maxOutage: 0, requestsPerMinute: 60_000, retry: { limit: 0 } };
    const worker = await work(connection, { target: { ...target, create, lookup: group }, ...options });
    expect(await finished(queue, 4)).toEqual({ done: 3, failed: 1 });
    await worker.close();
    const redis = connect();
    const keys = () => redis.keys(`bull:${connection.name}:*`);
    expect((await keys()).filter((name) => name.includes(':import:')).length).toBeGreaterThan(3);
    await queue.delete();
    expect(await keys()).toEqual([]);
  });

  it.each(['claims', 'groups', 'doubts', 'meta'])(
    'rejects calls with a LedgerError if the import:%s key is damaged',
    async (name) => {
      const connection = { name: queueName(), redis: redisAddress };
      const queue = await openQueue(connection);
      await queue.add(rowsOf(1), { key });
      const redis = connect();
      await redis.set(`bull:${connection.name}:import:${name}`, 'damaged');
      const ledger = queue.ledger as BullmqLedger;
      const calls = {
        claims: () => ledger.claim({ key: 'r0', state: 'done', recordId: 'thing_1' }),
        groups: () => ledger.enter('Fuel', 'r0'),
        doubts: () => ledger.inDoubt('Fuel'),
        meta: () => ledger.bind('things'),
      };
      await expect(calls[name as keyof typeof calls]()).rejects.toMatchObject({
        name: 'LedgerError',
        message: `the "${connection.name}" queue's data in Redis is damaged`,
      });
    },
  );

  it('is closed once the queue and the worker are closed', async () => {
    const { proxy, connection } = await throughProxy();
    const queue = await createImportQueue<Row>(connection);
    const worker = await createImportWorker<Row>({ ...connection, target });
    expect(proxy.open).toBeGreaterThan(0);
    await worker.close();
    await queue.close();
    await vi.waitFor(() => expect(proxy.open).toBe(0), patience);
  });

  it("is shared with the queue's ledger, and isn't closed with the ledger", async () => {
    const { proxy, connection } = await throughProxy();
    const queue = await openQueue(connection);
    expect(proxy.open).toBe(1);
    await queue.ledger.close();
    await expect(queue.ledger.get('r0')).rejects.toThrow('is closed');
    expect(await queue.counts()).toMatchObject({ waiting: 0 });
  });

  it("doesn't print anything while Redis is unavailable", async () => {
    const printed = [vi.spyOn(console, 'error'), vi.spyOn(console, 'warn'), vi.spyOn(console, 'log')];
    onTestFinished(() => {
      for (const spy of printed) spy.mockRestore();
    });
    const { proxy, connection } = await throughProxy();
    proxy.refuse(true);
    const opening = [openQueue(connection), work(connection)];
    await vi.waitFor(() => expect(proxy.refused).toBeGreaterThan(2), patience);
    proxy.refuse(false);
    await Promise.all(opening);
    for (const spy of printed) expect(spy).not.toHaveBeenCalled();
  });

  it('is closed if the queue is found to belong to another import', async () => {
    const { proxy, connection } = await throughProxy();
    await work({ ...connection, redis: redisAddress });
    await expect(work(connection, { target: { ...target, scope: 'other' } })).rejects.toThrow(
      'belongs to the import "things"',
    );
    await vi.waitFor(() => expect(proxy.open).toBe(0), patience);
    expect(proxy.mostOpen).toBeGreaterThan(0);
  });

  it("is restored after it's lost, and the import continues", async () => {
    const printed = vi.spyOn(console, 'error');
    onTestFinished(() => printed.mockRestore());
    const { proxy, connection } = await throughProxy();
    const queue = await openQueue(connection);
    const create = vi.fn(target.create);
    await work(connection, { target: { ...target, create } });
    proxy.cut();
    await vi.waitFor(() => expect(proxy.open).toBeGreaterThan(0), patience);
    await queue.add(rowsOf(3), { key });
    expect(await finished(queue, 3)).toEqual({ done: 3, failed: 0 });
    expect(create.mock.calls.map(([{ id }]) => id).sort()).toEqual(['r0', 'r1', 'r2']);
    expect(printed).not.toHaveBeenCalled();
  });
});

describe.skipIf(!reachable.postgres)('a connection to Postgres', () => {
  it('can be opened with a URL', () => {
    const { host, port, user, database } = postgresAddress;
    return checkImport({ name: queueName(), postgres: `postgres://${user}@${host}:${port}/${database}` });
  });

  it("can be an existing pool, which isn't closed", async () => {
    // Create the tables first, because BullMQ doesn't create them through an existing pool.
    await openQueue({ name: queueName(), postgres: postgresAddress });
    const pool = new Pool({ ...postgresAddress, options: '-c search_path=bullmq' });
    onTestFinished(() => pool.end());
    const connection = { name: queueName(), postgres: pool };
    const queue = await createImportQueue<Row>(connection);
    await queue.add(rowsOf(1), { key });
    const worker = await createImportWorker<Row>({ ...connection, target });
    expect(await finished(queue, 1)).toEqual({ done: 1, failed: 0 });
    await worker.close();
    await queue.close();
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });

  it.each([
    ["Postgres isn't available", { port: 1 }, 'ECONNREFUSED'],
    ["the database doesn't exist", { database: 'missing' }, 'database "missing" does not exist'],
  ])("can't be opened if %s, and the error explains why", async (_, options, message) => {
    const connection = { name: queueName(), postgres: { ...postgresAddress, ...options } };
    await expect(createImportQueue(connection)).rejects.toThrow(message);
  });

  it("can't be opened if it's lost while the tables are being checked", async () => {
    class LostClient extends Client {
      override query = (async (text: string) => {
        const result = await super.query(text);
        const ended = new Promise<void>((resolve) => this.on('end', resolve));
        this.connection.stream.destroy();
        await ended;
        return result;
      }) as never;
    }
    const connection = { name: queueName(), postgres: { ...postgresAddress, Client: LostClient } };
    await expect(createImportQueue(connection)).rejects.toThrow('connection error');
  });

  /** Returns a pool, and the options for a schema that is dropped at the end of the test. */
  const newSchema = () => {
    const schema = `worktrack_${randomUUID().replaceAll('-', '')}`;
    const pool = new Pool(postgresAddress);
    onTestFinished(async () => {
      await pool.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
      await pool.end();
    });
    return { schema, pool, connection: { name: queueName(), postgres: { ...postgresAddress, schema } } };
  };

  it('creates missing tables in its schema, even if multiple workers try at the same time', async () => {
    const { schema, pool, connection } = newSchema();
    await Promise.all(Array.from({ length: 5 }, () => openQueue(connection)));
    await checkImport(connection);
    const tables = 'SELECT FROM information_schema.tables WHERE table_schema = $1';
    expect((await pool.query(tables, [schema])).rowCount).toBeGreaterThan(0);
  });

  it.each([
    ['other columns', 'name text PRIMARY KEY'],
    [
      'a column of another type',
      'queue text, kind text, id text, value integer, PRIMARY KEY (queue, kind, id)',
    ],
    ['no unique key', 'queue text, kind text, id text, value text'],
  ])("can't be opened if its table already exists with %s", async (_, columns) => {
    const { schema, pool, connection } = newSchema();
    await pool.query(`CREATE SCHEMA ${schema}; CREATE TABLE ${schema}.worktrack_import (${columns})`);
    await expect(createImportQueue(connection)).rejects.toMatchObject({
      name: 'LedgerError',
      message: expect.stringMatching(
        /^the Postgres table "worktrack_import" wasn't created by worktrack \(.+\);/,
      ),
    });
  });

  it('leaves no rows behind after its queue is deleted', async () => {
    const connection = { name: queueName(), postgres: { ...postgresAddress, schema: 'worktrack_test' } };
    const queue = await openQueue(connection);
    await queue.add(rowsOf(3), { key });
    const worker = await work(connection, { requestsPerMinute: 60_000 });
    expect(await finished(queue, 3)).toEqual({ done: 3, failed: 0 });
    await worker.close();
    const pool = new Pool(postgresAddress);
    onTestFinished(() => pool.end());
    const query = 'SELECT FROM worktrack_test.worktrack_import WHERE queue = $1';
    expect((await pool.query(query, [connection.name])).rowCount).toBe(5);
    await queue.delete();
    expect((await pool.query(query, [connection.name])).rowCount).toBe(0);
  });

  it.each([
    [undefined, 7],
    [2, 5],
  ])('with max: %s lets each worker open at most %d connections', async (max, most) => {
    const proxy = await startProxy(postgresAddress);
    const connection = {
      name: queueName(),
      postgres: { ...postgresAddress, port: proxy.port, ...(max && { max }) },
    };
    const queue = await openQueue({ ...connection, postgres: postgresAddress });
    await queue.add(rowsOf(60), { key });
    const worker = await work(connection, {
      concurrency: 30,
      target: {
        ...target,
        lookup: { group: ({ id }) => id, find: async function* () {}, match: () => 'no' },
      },
    });
    expect(await finished(queue, 60)).toEqual({ done: 60, failed: 0 });
    expect(proxy.mostOpen).toBeLessThanOrEqual(most);
    await worker.close();
    await vi.waitFor(() => expect(proxy.open).toBe(0), patience);
  });
});
