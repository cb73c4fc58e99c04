import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type CreateTicket, Worktrack } from 'worktrack';
import { ticketTarget } from 'worktrack/import';
import {
  createImportQueue,
  createImportWorker,
  type ImportConnection,
  type ImportWorkerOptions,
} from 'worktrack/import/bullmq';
import { createMockServer } from 'worktrack/mock-server';
import { queueName, reachable, startBackend, type TestBackend } from './backends.js';
import { deadLetters, key, type Row, rowsOf, settled } from './rows.js';

// These tests don't depend on the backend, so they use only one, preferably Redis, which starts faster.

let backend: TestBackend;
beforeAll(async () => {
  backend = await startBackend(reachable.redis ? 'redis' : 'pglite');
}, 60_000);
afterAll(() => backend.stop());

async function setUp() {
  const mock = createMockServer();
  const project = mock.add.project();
  const board = mock.add.board({ project: project.id });
  const client = new Worktrack({
    ...mock.clientOptions(),
    fetch: mock.fetch,
    logLevel: 'off',
    retry: { maxDelay: 1 },
  });
  const connection = { name: queueName(), ...backend.options };
  const queue = await createImportQueue<Row>(connection);
  onTestFinished(() => queue.close());
  const toTicket = ({ title }: Row): CreateTicket => ({ board_id: board.id, title });
  const work = async (options: Partial<ImportWorkerOptions<Row>> = {}) => {
    const worker = await createImportWorker<Row>({
      ...connection,
      target: ticketTarget({ client, project: project.id, toTicket }),
      lookupDelay: 0,
      retry: { attempts: 2, delay: 1, maxDelay: 1 },
      bullmqOptions: { drainDelay: 0.2 },
      ...options,
    });
    onTestFinished(() => worker.close());
    return worker;
  };
  return { mock, client, project, queue, work, toTicket };
}

describe('a worker', () => {
  it("a worker dead-letters a row if the row can't be converted to a ticket", async () => {
    const { queue, work, client, project } = await setUp();
    await queue.add(rowsOf(1), { key });
    const toTicket = () => {
      throw new Error('no status "Later"');
    };
    const worker = await work({ target: ticketTarget<Row>({ client, project: project.id, toTicket }) });
    expect(await settled(queue, 1)).toEqual({ done: 0, failed: 1 });
    expect(await deadLetters(queue)).toMatchObject([{ key: 'r0', error: { message: 'no status "Later"' } }]);
    expect(worker.requests).toBe(0);
  });

  it('a worker dead-letters a row if all attempts fail and the record was never created', async () => {
    const { queue, work, mock } = await setUp();
    mock.faults.add({ operation: 'tickets.create', status: 425 });
    await queue.add(rowsOf(1), { key });
    const worker = await work();
    expect(await settled(queue, 1)).toEqual({ done: 0, failed: 1 });
    expect(await deadLetters(queue)).toMatchObject([{ key: 'r0', state: 'failed', error: { status: 425 } }]);
    expect(worker.requests).toBe(2);
  });

  it('a worker dead-letters a row if all attempts to look up its record fail', async () => {
    const { queue, work, mock } = await setUp();
    mock.faults.add({ operation: 'tickets.create', error: 'response_lost', times: 1 });
    mock.faults.add({ operation: 'tickets.list', status: 503 });
    await queue.add(rowsOf(1), { key });
    await work();
    expect(await settled(queue, 1)).toEqual({ done: 0, failed: 1 });
    expect(await deadLetters(queue)).toMatchObject([{ key: 'r0', state: 'unknown' }]);
  });

  it("a worker dead-letters a row if the target fails and doesn't support lookups", async () => {
    const { queue, work } = await setUp();
    await queue.add(rowsOf(1), { key });
    const target = {
      scope: 'things',
      toPayload: (row: Row) => row,
      create: () => Promise.reject(new Error('the socket is gone')),
    };
    await work({ target });
    expect(await settled(queue, 1)).toEqual({ done: 0, failed: 1 });
    expect(await deadLetters(queue)).toMatchObject([{ key: 'r0', state: 'unknown' }]);
  });
});

it("if a worker is killed while processing a row, another worker looks up the row's record", async () => {
  const { queue, work, mock, client, project, toTicket } = await setUp();
  const [row = { id: '', title: '' }] = rowsOf(1);
  await queue.add([row], { key });
  // The worker was killed after creating the ticket and before recording it.
  await client.tickets.create(project.id, toTicket(row));
  const { fingerprint } = await fingerprintOfRow();
  await queue.ledger.put({ key: 'r0', state: 'started', fingerprint, group: row.title });
  await work();
  expect(await settled(queue, 1)).toEqual({ done: 1, failed: 0 });
  expect(mock.state.tickets.all()).toHaveLength(1);

  /** Imports the row through another queue to get the row's fingerprint. */
  async function fingerprintOfRow() {
    const other = await createImportQueue<Row>({ name: queueName(), ...backend.options });
    onTestFinished(() => other.close());
    await other.add([row], { key });
    const worker = await createImportWorker<Row>({
      name: other.bullmq.name,
      ...backend.options,
      target: { scope: 'x', toPayload: toTicket, create: async () => ({ id: 'x' }) },
      bullmqOptions: { drainDelay: 0.2 },
    });
    onTestFinished(() => worker.close());
    for (;;) {
      const entry = await other.ledger.get('r0');
      if (entry?.state === 'done') return { fingerprint: entry.fingerprint };
      await sleep(20);
    }
  }
});

it('workers respect requestsPerMinute', async () => {
  const { queue, work } = await setUp();
  await queue.add(rowsOf(4), { key });
  const started = performance.now();
  await work({ requestsPerMinute: 240 });
  expect(await settled(queue, 4)).toEqual({ done: 4, failed: 0 });
  expect(performance.now() - started).toBeGreaterThan(400);
});

it('queue.add reports progress and stops if its signal is aborted', async () => {
  const { queue } = await setUp();
  const stop = new AbortController();
  const progress: number[] = [];
  const added = await queue.add(rowsOf(10), {
    key,
    batchSize: 2,
    signal: stop.signal,
    onProgress: (read) => {
      progress.push(read);
      if (read === 4) stop.abort();
    },
  });
  expect(added.read).toBe(4);
  expect(progress).toEqual([2, 4]);
  expect(await queue.counts()).toMatchObject({ waiting: 4 });
});

it("a paused queue doesn't start any rows", async () => {
  const { queue, work } = await setUp();
  await queue.pause();
  await queue.add(rowsOf(1), { key });
  const worker = await work();
  await sleep(300);
  expect(worker.requests).toBe(0);
  await queue.resume();
  expect(await settled(queue, 1)).toEqual({ done: 1, failed: 0 });
});

it.each<[Partial<ImportConnection>, string]>([
  [{}, 'pass either "redis" or "postgres"'],
  [{ redis: 'redis://127.0.0.1', postgres: 'postgres://127.0.0.1' }, 'pass either "redis" or "postgres"'],
  [{ redis: 'redis://127.0.0.1', name: 'a b' }, 'option "name" must be a string without spaces or colons'],
  [{ redis: 7 as never }, 'option "redis" must be a URL, connection options, or a client (got 7)'],
])('createImportQueue rejects the options %j', async (options, message) => {
  await expect(createImportQueue({ name: 'tickets', ...options })).rejects.toThrow(message);
});
