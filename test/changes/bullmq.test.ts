import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Queue, Worker } from 'bullmq';
import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Worktrack } from 'worktrack';
import { type Change, type SweepInfo, snapshotContract } from 'worktrack/jobs';
import { type ChangeQueue, type EnqueueChangesOptions, enqueueChanges } from 'worktrack/jobs/bullmq';
import { createMockServer } from 'worktrack/mock-server';
import { openBackend } from '../../addons/jobs/bullmq/connection.js';
import { openSharedSnapshot } from '../../addons/jobs/changes/bullmq/shared-snapshot.js';
import {
  postgresAddress,
  queueName,
  reachable,
  startBackend,
  type TestBackend,
  useBackend,
} from '../import/backends.js';
import { patience } from '../import/rows.js';

describe.each(['redis', 'postgres', 'pglite'] as const)('a shared snapshot on %s', (name) => {
  let backend: TestBackend;
  beforeAll(async () => {
    if (reachable[name]) backend = await startBackend(name);
  }, 60_000);
  afterAll(() => backend?.stop());

  /** Opens the snapshot of a new queue twice, as two processes would. */
  async function openSnapshots() {
    const { openQueue, closeQueues } = await openBackend(backend.options);
    const queue = (await openQueue(queueName())) as Queue;
    const processes = await Promise.all([openSharedSnapshot(queue), openSharedSnapshot(queue)]);
    onTestFinished(async () => {
      await processes[0].delete();
      await closeQueues();
    });
    return processes;
  }

  const createStore = async () => {
    const processes = await openSnapshots();
    let turn = 0;
    return () => (processes[turn++ % 2] as (typeof processes)[0]).startSweep();
  };
  for (const { name: title, check } of snapshotContract(createStore)) {
    test.skipIf(!reachable[name])(title, check);
  }

  test.skipIf(!reachable[name])("rejects a sweep's writes if another sweep has started", async () => {
    const [one, two] = await openSnapshots();
    const entry = (value: string) => ({ scope: 'ticket:prj_1', id: 'a', value });
    const stale = await one.startSweep();
    await stale.write([entry('1')]);
    const current = await two.startSweep();
    await expect(stale.write([entry('2')])).rejects.toThrow(
      /^another sweep of the "import-[\w-]+" queue has started$/,
    );
    expect([...(await current.read())]).toEqual([entry('1')]);
    await current.write([entry('3')]);
    // The first process must detect that its copy is outdated.
    expect([...(await (await one.startSweep()).read())]).toEqual([entry('3')]);
  });
});

describe('enqueueChanges', { timeout: 90_000 }, () => {
  const backend = useBackend();

  /** Starts a mock server with a project that has a board and a ticket. */
  function setUp() {
    const mock = createMockServer();
    const project = mock.add.project();
    const board = mock.add.board({ project: project.id });
    const ticket = mock.add.ticket({ board: board.id, title: 'First' });
    const connection = { ...mock.clientOptions(), logLevel: 'off', retry: { limit: 0 } } as const;
    const client = new Worktrack({ ...connection, fetch: mock.fetch });
    const name = queueName();
    /** Watches the project, as another process would. */
    const watch = async (options: Partial<EnqueueChangesOptions> = {}) => {
      const sweeps: SweepInfo[] = [];
      const errors: Error[] = [];
      const feed = await enqueueChanges({
        name,
        ...backend.options,
        client,
        project: project.id,
        every: 40,
        // On a busy machine, a sweep may be suspended for a while, but it must not lose its lock.
        stalledAfter: 5000,
        onSweep: (sweep) => sweeps.push(sweep),
        onError: (error) => errors.push(error),
        ...options,
      });
      onTestFinished(() => feed.delete().catch(() => {}));
      /** Waits for a sweep to start after this call, and then to finish. */
      const swept = async () => {
        const before = sweeps.length;
        await vi.waitFor(() => expect(sweeps.length).toBeGreaterThan(before + 1), patience);
      };
      return { ...feed, sweeps, errors, swept, scheduled: feed.sweeps };
    };
    /** Like `watch`, but waits for the first sweep. */
    const watchFromBaseline = async (options?: Partial<EnqueueChangesOptions>) => {
      const feed = await watch(options);
      await feed.swept();
      return feed;
    };
    return { mock, project, board, ticket, connection, client, name, watch, watchFromBaseline };
  }

  const jobsOf = async ({ changes }: Pick<ChangeQueue, 'changes'>) =>
    (await changes.getJobs(['waiting', 'completed'], 0, -1, true)).map(({ id, name, data }) => {
      expect(id).toBe(data.id);
      expect(name).toBe(data.type);
      return data;
    });

  test.skipIf(!reachable.postgres)(
    "can connect as a Postgres user who can use tables but can't create them",
    async () => {
      const user = `worktrack_${randomUUID().replaceAll('-', '')}`;
      const schema = user;
      const pool = new Pool(postgresAddress);
      onTestFinished(async () => {
        await pool.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE; DROP ROLE IF EXISTS ${user}`);
        await pool.end();
      });
      const { client, project, name } = setUp();
      const watch = { name, client, project: project.id, every: 40 };
      const owner = await enqueueChanges({ ...watch, postgres: { ...postgresAddress, schema } });
      await owner.close();
      await pool.query(`
        CREATE ROLE ${user} LOGIN;
        GRANT USAGE ON SCHEMA ${schema} TO ${user};
        GRANT ALL ON ALL TABLES IN SCHEMA ${schema} TO ${user};
        GRANT ALL ON ALL SEQUENCES IN SCHEMA ${schema} TO ${user}`);
      const sweeps: SweepInfo[] = [];
      const feed = await enqueueChanges({
        ...watch,
        postgres: { ...postgresAddress, schema, user, migrate: false },
        onSweep: (sweep) => sweeps.push(sweep),
      });
      await vi.waitFor(() => expect(sweeps[0]?.records).toBe(4), patience);
      await feed.close();
    },
  );

  test('adds one job for each change, and no jobs for records that already exist', async () => {
    const { ticket, client, watchFromBaseline } = setUp();
    const feed = await watchFromBaseline();
    expect(await jobsOf(feed)).toEqual([]);
    await client.tickets.update(ticket.id, { title: 'Second' });
    await feed.swept();
    await feed.swept();
    expect(await jobsOf(feed)).toMatchObject([
      { type: 'ticket.updated', before: { title: 'First' }, after: { title: 'Second' } },
    ]);
    expect(feed.sweeps[0]).toMatchObject({ changes: 0, records: 4 });
  });

  test('runs only one sweep at a time across processes', async () => {
    const { client, name, watch } = setUp();
    let running = 0;
    let most = 0;
    const list = client.boards.list.bind(client.boards);
    const spy = vi.spyOn(client.boards, 'list').mockImplementation(((...args: Parameters<typeof list>) => {
      running++;
      most = Math.max(most, running);
      const ended = new Promise((resolve) => setTimeout(resolve, 60)).then(() => running--);
      return Promise.all([list(...args), ended]).then(([boards]) => boards);
    }) as never);
    onTestFinished(() => spy.mockRestore());
    const feeds = await Promise.all([watch(), watch(), watch()]);
    const total = () => feeds.reduce((sum, { sweeps }) => sum + sweeps.length, 0);
    await vi.waitFor(() => expect(total()).toBeGreaterThan(5), patience);
    expect(most).toBe(1);
    expect(feeds[0]?.scheduled.name).toBe(`${name}-sweeps`);
    expect(feeds.flatMap(({ sweeps }) => sweeps).at(-1)?.hint).toContain('longer than the interval of 40 ms');
  });

  test('adds jobs for existing records in order and in batches if `initial` is `emit`', async () => {
    const { mock, board, client, name, watchFromBaseline } = setUp();
    for (let index = 0; index < 240; index++) mock.add.ticket({ board: board.id, title: `T${index}` });
    await watchFromBaseline({
      include: ['ticket'],
      initial: 'emit',
      jobOptions: { attempts: 3 },
    });
    const received: Change[] = [];
    const { options, factory } = await openBackend(backend.options);
    const worker = new Worker<Change>(
      name,
      async ({ data, opts }) => {
        expect(opts).toMatchObject({ attempts: 3 });
        received.push(data);
      },
      { ...options, drainDelay: 0.1 },
      ...factory,
    );
    onTestFinished(() => worker.close());
    await vi.waitFor(() => expect(received).toHaveLength(241), patience);
    const tickets = await client.tickets.list(board.project_id).toArray({ limit: 300 });
    expect(new Set(received.map(({ recordId }) => recordId))).toEqual(new Set(tickets.map(({ id }) => id)));
    const times = received.map(({ after }) => (after as { updated_at: string }).updated_at);
    expect(times).toEqual(times.toSorted());
  });

  test("doesn't add duplicate jobs when it retries a batch whose sweep failed partway", async () => {
    const { ticket, client, watchFromBaseline } = setUp();
    const feed = await watchFromBaseline();
    const addBulk = feed.changes.addBulk.bind(feed.changes);
    vi.spyOn(feed.changes, 'addBulk').mockImplementationOnce(async (jobs) => {
      await addBulk(jobs);
      throw new Error('the connection was lost');
    });
    await client.tickets.update(ticket.id, { title: 'Second' });
    await vi.waitFor(
      () => expect(feed.errors).toMatchObject([{ message: 'the connection was lost' }]),
      patience,
    );
    await client.tickets.update(ticket.id, { title: 'Third' });
    await feed.swept();
    expect(await jobsOf(feed)).toMatchObject([
      { before: { title: 'First' }, after: { title: 'Second' } },
      { before: { title: 'Second' }, after: { title: 'Third' } },
    ]);
    expect(feed.changes.addBulk).toHaveBeenCalledTimes(3);
  });

  test('reports a failed sweep, adds no jobs for it, and continues with the next sweep', async () => {
    const { mock, ticket, client, watchFromBaseline } = setUp();
    const feed = await watchFromBaseline();
    const fault = mock.faults.add({ operation: 'tickets.list', status: 401 });
    await client.tickets.update(ticket.id, { title: 'Second' });
    await vi.waitFor(() => expect(feed.errors[0]).toMatchObject({ status: 401 }), patience);
    expect(await jobsOf(feed)).toEqual([]);
    fault.remove();
    await feed.swept();
    expect(await jobsOf(feed)).toMatchObject([{ type: 'ticket.updated' }]);
    expect((await feed.scheduled.getFailed())[0]?.failedReason).toContain('401');
  });

  test.each(['onSweep', 'onError'])(
    'waits for a promise returned by %s before the next sweep, but close() does not wait for it',
    async (name) => {
      const { mock, watch } = setUp();
      if (name === 'onError') mock.faults.add({ operation: 'tickets.list', status: 401 });
      const callback = vi.fn(() => new Promise(() => {}));
      const feed = await watch({ [name]: callback });
      await vi.waitFor(() => expect(callback).toHaveBeenCalled(), patience);
      await sleep(300);
      expect(callback).toHaveBeenCalledTimes(1);
      await feed.close();
    },
  );

  test('restarts a sweep in another process if the first process shuts down', async () => {
    const { mock, ticket, client, connection, watch } = setUp();
    let onRequest = () => {};
    const isRequested = new Promise<void>((resolve) => {
      onRequest = resolve;
    });
    const blocked = new Worktrack({
      ...connection,
      fetch: async (input, init) => {
        onRequest();
        await new Promise((_, reject) => {
          const { signal } = input instanceof Request ? input : (init as RequestInit);
          signal?.addEventListener('abort', () => reject(signal.reason));
        });
        return mock.fetch(input, init);
      },
    });
    const first = await watch({ client: blocked, every: 3_600_000, stalledAfter: 3_600_000 });
    await isRequested;
    const second = await watch({ client, every: 3_600_000, stalledAfter: 3_600_000, initial: 'emit' });
    await first.close();
    await vi.waitFor(() => expect(second.sweeps).toHaveLength(1), patience);
    expect((await jobsOf(second)).map(({ recordId }) => recordId)).toContain(ticket.id);
    expect(first.errors).toEqual([]);
  });

  test("doesn't add jobs if another sweep has started, for example because the process was suspended", async () => {
    const { ticket, client, watchFromBaseline } = setUp();
    const feed = await watchFromBaseline();
    const list = client.boards.list.bind(client.boards);
    const spy = vi.spyOn(client.boards, 'list').mockImplementationOnce((async (project: string) => {
      await (await openSharedSnapshot(feed.changes as Queue)).startSweep();
      await client.tickets.update(ticket.id, { title: 'Second' });
      return list(project);
    }) as never);
    onTestFinished(() => spy.mockRestore());
    await vi.waitFor(() => expect(feed.errors).toMatchObject([{ name: 'SnapshotError' }]), patience);
    await feed.swept();
    expect(await jobsOf(feed)).toMatchObject([{ after: { title: 'Second' } }]);
  });

  test('stops the schedule once all watched projects have been deleted', async () => {
    const { project, client, watchFromBaseline } = setUp();
    const feed = await watchFromBaseline();
    await client.projects.delete(project.id);
    await vi.waitFor(async () => expect(await feed.scheduled.getJobSchedulersCount()).toBe(0), patience);
    expect(await jobsOf(feed)).toMatchObject([{ type: 'project.deleted', recordId: project.id }]);
  });

  test('starts with a new baseline after delete()', async () => {
    const { ticket, client, watchFromBaseline } = setUp();
    const first = await watchFromBaseline();
    await first.delete();
    await client.tickets.update(ticket.id, { title: 'Second' });
    const second = await watchFromBaseline();
    expect(await jobsOf(second)).toEqual([]);
  });

  test.each<[string, object, string]>([
    ['both databases', { postgres: 'postgres://localhost' }, 'pass either "redis" or "postgres"'],
    ['reserved job options', { jobOptions: { jobId: 'x' } }, 'option "jobOptions" must not contain jobId'],
    ['a mistyped option', { evry: 5 }, 'unknown option "evry"; did you mean "every"?'],
    ['a snapshot', { snapshot: {} }, 'unknown option "snapshot"'],
    ['boards without a project', { project: undefined, include: ['board'] }, 'option "project" is required'],
  ])('rejects %s', async (_, options, message) => {
    const { client, project } = setUp();
    const feed = enqueueChanges({
      name: 'feed',
      redis: 'redis://localhost',
      client,
      project: project.id,
      ...options,
    });
    await expect(feed).rejects.toThrow(message);
  });
});
