import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Worktrack } from 'worktrack';
import { type ImportTarget, ticketTarget } from 'worktrack/jobs';
import type { BullmqLedger } from '../../addons/jobs/import/bullmq/bullmq-ledger.js';
import { rowJobId } from '../../addons/jobs/import/bullmq/row-job.js';
import { collect } from '../support/collect.js';
import { describeLedger } from '../unit/import/ledger-contract.js';
import {
  isLong,
  preferredBackend,
  queueName,
  reachable,
  startBackend,
  type TestBackend,
} from './backends.js';
import { describeStore } from './describe-store.js';
import { deadLetters, finished, key, patience, type Row, rowsOf } from './rows.js';
import { openQueue, setUpImport } from './set-up-import.js';
import { jobTaker } from './take-job.js';

const nothingAdded = { read: 0, added: 0, duplicates: 0, conflicts: [], unchanged: 0, changed: [] };

/**
 * Defines the tests of import queues and workers. The tests of the ledger and its store run with every
 * backend. The other tests run with the preferred backend or, in long runs, with every backend.
 */
export function describeBullmq(name: TestBackend['name']): void {
  const isComplete = name === preferredBackend || isLong;
  describe.skipIf(!reachable[name])(`BullMQ on ${name}`, () => {
    let backend: TestBackend;
    beforeAll(async () => {
      backend = await startBackend(name);
    }, 60_000);
    afterAll(() => backend.stop());

    const setUp = () => setUpImport(backend, { limit: 39 });

    describe('ledger', () =>
      describeLedger(async () => {
        const connection = { name: queueName(), ...backend.options };
        const queue = await openQueue(connection);
        await queue.add(
          ['a', 'b', 'c'].map((id) => ({ id, title: id })),
          { key },
        );
        // Opening the queue again simulates a process that was restarted.
        const reopen = async () => (await openQueue(connection)).ledger;
        return { ledger: queue.ledger, reopen };
      }));

    describe('store', () => describeStore(() => backend));

    if (!isComplete) return;

    it('queue.replace retries dead letters with corrected rows, and reports the rows that it ignores', async () => {
      const { queue, work, titles, mock, connection } = await setUp();
      const rows = [...rowsOf(3), { id: 'long', title: 'x'.repeat(501) }];
      await queue.add(rows, { key });
      mock.faults.add({ operation: 'tickets.create', status: 422, times: 1 });
      const worker = await work({ concurrency: 1 });
      expect(await finished(queue, 4)).toEqual({ done: 2, failed: 2 });
      await worker.close();
      await queue.add([{ id: 'active', title: 'Active' }], { key });
      await (await jobTaker(connection))();

      const corrected = [
        { id: 'r0', title: 'Corrected' },
        { id: 'r1', title: 'Already done' },
        { id: 'r2', title: 'Step 2 of the plan' },
        { id: 'long', title: 'x' },
        { id: 'active', title: 'Too late' },
        { id: 'new', title: 'New' },
      ];
      expect(await queue.replace(corrected, { key })).toEqual({
        read: 6,
        added: 1,
        duplicates: 0,
        conflicts: [],
        unchanged: 1,
        replaced: 2,
        ignored: ['r1', 'active'],
      });
      await work();
      expect(await finished(queue, 5)).toEqual({ done: 5, failed: 0 });
      expect(titles()).toEqual(['Corrected', 'New', 'Step 1 of the plan', 'Step 2 of the plan', 'x']);
    });

    it("rows wait while the API is unavailable and are processed once it's available again", async () => {
      const { queue, work, mock, titles } = await setUp();
      const rows = rowsOf(30);
      await queue.add(rows, { key });
      const outage = [
        mock.faults.add({ operation: 'tickets.create', error: 'connection' }),
        mock.faults.add({ operation: 'tickets.list', error: 'connection' }),
      ];
      const options = {
        concurrency: 2,
        maxOutage: 60_000,
        retry: { limit: 1, delay: 20, maxDelay: 50 },
      };
      await Promise.all([work(options), work(options)]);
      // By now, every row would have run out of attempts.
      await vi.waitFor(() => expect(mock.requests.all().length).toBeGreaterThan(40), patience);
      expect(await queue.counts()).toMatchObject({ done: 0, failed: 0 });
      for (const fault of outage) fault.remove();
      expect(await finished(queue, 30)).toEqual({ done: 30, failed: 0 });
      expect(titles()).toEqual(rows.map(({ title }) => title).sort());
    });

    it('rows that are waiting for a lookup go back to the queue when their worker is closed', async () => {
      const { queue, work, mock, titles } = await setUp();
      await queue.add(rowsOf(2), { key });
      mock.faults.add({ operation: 'tickets.create', error: 'response_lost', times: 2 });
      const worker = await work({ lookupDelay: 60_000 });
      await vi.waitFor(async () => {
        for (const key of ['r0', 'r1'])
          expect(await queue.ledger.get(key)).toMatchObject({ state: 'unknown' });
      }, patience);
      await worker.close();
      expect(await queue.counts()).toMatchObject({ waiting: 2, active: 0 });
      await work();
      expect(await finished(queue, 2)).toEqual({ done: 2, failed: 0 });
      expect(titles()).toHaveLength(2);
    });

    it('workers create each row exactly once even if responses are lost', async () => {
      const { mock, queue, work, titles } = await setUp();
      mock.faults.add({ operation: 'tickets.create', error: 'response_lost', probability: 0.2 });
      mock.faults.add({ operation: 'tickets.create', error: 'connection', probability: 0.1 });
      mock.faults.add({ operation: 'tickets.create', status: 503, probability: 0.1 });
      const rows = [...rowsOf(40), ...rowsOf(8).map(({ id }) => ({ id: `same-${id}`, title: 'The same' }))];
      expect(await queue.add(rows, { key })).toEqual({
        ...nothingAdded,
        read: 48,
        added: 48,
      });
      await Promise.all([work({ concurrency: 4 }), work({ concurrency: 4 })]);

      await finished(queue, 48);
      expect(await deadLetters(queue)).toEqual([]);

      expect(titles()).toEqual(rows.map(({ title }) => title).sort());
    });

    it('a worker first processes the row that blocks its group, even if that row is last in the queue', async () => {
      const { queue, work } = await setUp();
      // Simulate a worker that was killed while processing the last row.
      await (queue.ledger as BullmqLedger).enter('all', 'last');
      await queue.add([...rowsOf(8), { id: 'last', title: 'Last' }], { key });
      const created: string[] = [];
      const target: ImportTarget<Row, Row> = {
        scope: 'rows',
        toPayload: (row) => row,
        create: async ({ id }) => {
          created.push(id);
          return { id };
        },
        lookup: { group: () => 'all', find: async function* () {}, match: () => 'no' },
      };
      await work({ concurrency: 2, target });
      expect(await finished(queue, 9)).toEqual({ done: 9, failed: 0 });
      expect(created[0]).toBe('last');
    });

    it('queue.add adds each row only once and reports conflicting keys', async () => {
      const { queue } = await setUp();
      const rows = [...rowsOf(5), ...rowsOf(2), { id: 'r1', title: 'Other' }];
      expect(await queue.add(rows, { key: ({ id }) => id, batchSize: 2 })).toEqual({
        ...nothingAdded,
        read: 8,
        added: 5,
        duplicates: 2,
        conflicts: ['r1'],
      });
      expect(await queue.add([...rowsOf(6), { id: 'r9', title: 'Nine' }], { key })).toEqual({
        ...nothingAdded,
        read: 7,
        added: 2,
        unchanged: 5,
      });
      expect(await queue.add([{ id: 'r1', title: 'Other' }, ...rowsOf(1)], { key })).toEqual({
        ...nothingAdded,
        read: 2,
        unchanged: 1,
        changed: ['r1'],
      });
      expect(await queue.bullmq.remove(rowJobId('r9'))).toBe(1);
      expect(await queue.counts()).toEqual({ waiting: 6, active: 0, delayed: 0, done: 0, failed: 0 });
    });

    it('the rows in a paused queue can be counted and listed', async () => {
      const { queue } = await setUp();
      await queue.add(rowsOf(3), { key });
      await queue.ledger.put({ key: 'r1', state: 'unknown' });
      await queue.pause();
      expect(await queue.counts()).toEqual({ waiting: 3, active: 0, delayed: 0, done: 0, failed: 0 });
      expect(await collect(queue.ledger.entries())).toMatchObject([{ key: 'r1', state: 'unknown' }]);
    });

    it("a deleted queue doesn't leave anything behind, so the same rows can be imported again", async () => {
      const { queue, work, mock, project } = await setUp();
      mock.faults.add({ operation: 'tickets.create', error: 'response_lost', times: 1 });
      const rows = [...rowsOf(3), { id: 'long', title: 'x'.repeat(501) }];
      await queue.add(rows, { key });
      const worker = await work();
      expect(await finished(queue, 4)).toEqual({ done: 3, failed: 1 });
      await worker.close();

      await queue.delete();
      expect(await queue.counts()).toEqual({ waiting: 0, active: 0, delayed: 0, done: 0, failed: 0 });
      expect(await queue.ledger.get('r0')).toBeUndefined();
      const [ticket] = mock.state.tickets.all();
      expect(await queue.ledger.isClaimed(ticket?.id ?? '', 'other')).toBe(false);
      await queue.ledger.bind(`tickets:not-${project.id}`);

      await queue.delete();
      await queue.add(rowsOf(3), { key });
      await work();
      expect(await finished(queue, 3)).toEqual({ done: 3, failed: 0 });
      expect(mock.state.tickets.all()).toHaveLength(6);
    });

    it('a closed queue rejects calls', async () => {
      const { queue } = await setUp();
      const { ledger } = queue;
      await queue.close();
      const calls = [
        () => queue.add(rowsOf(1), { key }),
        () => queue.counts(),
        () => queue.retry(),
        () => queue.pause(),
        () => queue.resume(),
        () => queue.delete(),
        () => ledger.get('r0'),
        () => ledger.put({ key: 'r0', state: 'pending' }),
        () => ledger.bind('things'),
        () => ledger.isClaimed('tkt_1', 'r0'),
        () => ledger.inDoubt('Fuel'),
        () => collect(ledger.entries()),
      ];
      for (const call of calls) {
        await expect(call()).rejects.toMatchObject({
          name: 'LedgerError',
          message: expect.stringMatching(/^the "import-[\w-]+" queue is closed$/),
        });
      }
    });

    it('closing a queue rejects the calls that are in progress', async () => {
      const { queue } = await setUp();
      let isClosed = false;
      async function* rows() {
        try {
          yield* rowsOf(2);
          await queue.close();
          yield* rowsOf(4).slice(2);
        } finally {
          isClosed = true;
        }
      }
      const deadLetters = queue.deadLetters()[Symbol.asyncIterator]();
      const counts = queue.counts();
      const adding = queue.add(rows(), { key, batchSize: 1 });
      expect(await counts).toMatchObject({ active: 0 });
      await expect(adding).rejects.toThrow('is closed');
      await expect.poll(() => isClosed).toBe(true);
      await expect(deadLetters.next()).rejects.toThrow('is closed');
    });

    it('closing a queue rejects the calls whose requests it interrupts', async () => {
      const { queue } = await setUp();
      const { ledger } = queue;
      const calls = [
        queue.add(rowsOf(1000), { key, batchSize: 10 }),
        queue.replace(rowsOf(1000), { key, batchSize: 10 }),
        queue.delete(),
        ledger.get('r0'),
        ledger.inDoubt('Fuel'),
        collect(ledger.entries()),
      ];
      const errors = calls.map((call) => expect(call).rejects.toThrow('is closed'));
      await queue.close();
      await Promise.all(errors);
    });

    it('queue.delete deletes the rows and the ledger, but requires `force` if a row is active', async () => {
      const { queue, connection } = await setUp();
      await queue.add(rowsOf(2), { key });
      await queue.ledger.bind('things');
      await (await jobTaker(connection))();
      await expect(queue.delete()).rejects.toMatchObject({
        name: 'LedgerError',
        message: `the "${connection.name}" queue has active rows; close its workers, or pass { force: true } if they were killed`,
      });
      expect(await queue.counts()).toMatchObject({ waiting: 1, active: 1 });
      expect(await queue.bullmq.isPaused()).toBe(false);
      await queue.pause();
      await expect(queue.delete()).rejects.toThrow('has active rows');
      expect(await queue.bullmq.isPaused()).toBe(true);

      await queue.delete({ force: true });
      expect(await queue.counts()).toMatchObject({ waiting: 0, active: 0 });
      await queue.ledger.bind('other things');
    });

    it('the queue lists dead letters, including their errors, and can retry them', async () => {
      const { queue, work, titles, mock } = await setUp();
      await queue.add([...rowsOf(3), { id: 'long', title: 'x'.repeat(501) }], { key });
      const stop = mock.override('tickets.create', ({ body }, next) =>
        body.title.includes('1')
          ? new Response(JSON.stringify({ message: 'no', errors: { title: ['is taken'] } }), { status: 422 })
          : next(),
      );
      await work();
      expect(await finished(queue, 4)).toEqual({ done: 2, failed: 2 });
      expect(await deadLetters(queue)).toMatchObject([
        { key: 'long', state: 'failed', error: { fieldErrors: { title: [expect.any(String)] } } },
        { key: 'r1', row: { id: 'r1' }, error: { status: 422, fieldErrors: { title: ['is taken'] } } },
      ]);
      stop();
      expect(await queue.retry(({ key }) => key === 'r1')).toBe(1);
      expect(await finished(queue, 4)).toEqual({ done: 3, failed: 1 });
      expect(titles()).toHaveLength(3);
    });

    it('concurrent calls to retry() retry each dead letter only once', async () => {
      const { queue, work } = await setUp();
      const rows = rowsOf(10).map(({ id }) => ({ id, title: 'x'.repeat(501) }));
      await queue.add(rows, { key });
      const worker = await work();
      expect(await finished(queue, 10)).toEqual({ done: 0, failed: 10 });
      await worker.close();
      const [one, other] = await Promise.all([queue.retry(), queue.retry()]);
      expect(one + other).toBe(10);
      expect(await queue.counts()).toMatchObject({ waiting: 10, failed: 0 });
    });

    it('a 429 response pauses all workers for the time given by Retry-After', async () => {
      const { queue, work, mock, project, toTicket } = await setUp();
      let limitedAt = 0;
      const delays: number[] = [];
      mock.override('tickets.create', async (_, next) => {
        limitedAt ||= performance.now();
        if (delays.push(performance.now() - limitedAt) === 1) {
          return new Response('{"message":"Slow down."}', { status: 429, headers: { 'retry-after': '1' } });
        }
        await sleep(50);
        return next();
      });
      await queue.add(rowsOf(30), { key });
      const workInOwnProcess = () => {
        // Each client tracks only its own 429 responses.
        const client = new Worktrack({ ...mock.clientOptions(), fetch: mock.fetch, logLevel: 'off' });
        return work({ concurrency: 1, target: ticketTarget({ client, project: project.id, toTicket }) });
      };
      await Promise.all([workInOwnProcess(), workInOwnProcess()]);
      expect(await finished(queue, 30)).toEqual({ done: 30, failed: 0 });
      const gaps = delays.slice(1).map((delay, index) => delay - (delays[index] as number));
      expect(Math.max(...gaps)).toBeGreaterThan(800);
      expect(delays).toHaveLength(31);
    });

    it('the queue pauses if the credential lacks a scope, and continues after resume()', async () => {
      const { queue, work, mock, titles } = await setUp();
      const { token } = mock.clientOptions();
      mock.credentials.setScopes(token, []);
      await queue.add(rowsOf(4), { key });
      const rejected = new Promise((onFatal) => void work({ onFatal }));
      expect(await rejected).toMatchObject({ code: 'missing_scope' });
      expect(await queue.bullmq.isPaused()).toBe(true);
      // Wait until no rows are active, because each active row pauses the queue when it fails.
      while ((await queue.counts()).active > 0) await sleep(20);
      mock.credentials.setScopes(token, ['*']);
      await queue.resume();
      expect(await finished(queue, 4)).toEqual({ done: 4, failed: 0 });
      expect(titles()).toHaveLength(4);
    });

    it("a worker rejects a target whose project differs from the import's", async () => {
      const { work, client, project, connection } = await setUp();
      await work();
      const target = ticketTarget<Row>({ client, project: 'prj_other', toTicket: vi.fn() });
      await expect(work({ target })).rejects.toThrow(
        `the "${connection.name}" queue belongs to the import "tickets:${project.id}"`,
      );
    });
  });
}
