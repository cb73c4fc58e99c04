import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { ticketTarget } from 'worktrack/import';
import { createImportQueue, createImportWorker, type ImportWorkerOptions } from 'worktrack/import/bullmq';
import { isLong, queueName, reachable, startBackend } from '../import/backends.js';
import { keepRunning } from './support/processes.js';
import { credential, type Settings } from './support/records.js';
import { type Row, rowsOf } from './support/rows.js';
import { exactlyOnce, loseSome, loseSomeAndListLate, lost, reset, setUp } from './support/set-up.js';

/** Starts a deployment with a board, and opens a queue. */
async function setUpQueue(name: 'redis' | 'postgres', settings?: Partial<Settings>) {
  const setting = await setUp(settings);
  const { client, deployment, project, board, toTicket } = setting;
  const { options } = await startBackend(name);
  const connection = { name: queueName(), ...options };
  const queue = await createImportQueue<Row>(connection);
  onTestFinished(async () => {
    await queue.delete({ force: true });
    await queue.close();
  });
  const add = (rows: Row[]) => queue.add(rows, { key: ({ id }) => id });
  const work = async (workerOptions: Partial<ImportWorkerOptions<Row>> = {}) => {
    const worker = await createImportWorker<Row>({
      ...connection,
      target: ticketTarget({ client, project, toTicket }),
      lookupDelay: 5,
      retry: { limit: 29, delay: 2, maxDelay: 20 },
      bullmqOptions: { drainDelay: 0.5 },
      ...workerOptions,
    });
    onTestFinished(() => worker.close());
    return worker;
  };
  /** Resolves when all rows are done or failed. */
  const finished = async (count: number) => {
    for (;;) {
      const { done, failed } = await queue.counts();
      if (done + failed >= count) return;
      await sleep(20);
    }
  };
  const processOptions = { client: deployment.client, project, board, queue: connection };
  return { ...setting, queue, add, work, finished, processOptions };
}

// The tests with random kills use Redis, so these tests use Postgres unless there is time for both.
const backends = isLong ? (['redis', 'postgres'] as const) : (['postgres'] as const);

describe.each(backends)('an import with BullMQ on %s', { timeout: 120_000 }, (name) => {
  beforeEach(({ skip }) => skip(!reachable[name], `${name} is not available on this machine`));

  it('matches rows only to records that the import itself created, even after a worker restarts', async () => {
    const { deployment, records, project, toTicket, keepOld, queue, add, work, finished, outcome } =
      await setUpQueue(name);
    const rows = rowsOf(40);
    deployment.settings.clockOffset = -365 * 86_400_000;
    for (const row of rows) records.addTicket(project, toTicket(row), credential);
    deployment.settings.clockOffset = 0;
    keepOld();
    await add(rows.slice(0, 16));
    const first = await work();
    await finished(16);
    await first.close();
    const before = deployment.requests('tickets.create');
    deployment.intercept = async ({ operation, count }) =>
      operation === 'tickets.create' && count <= before + 12 ? reset : undefined;
    await add(rows);
    await work();
    await finished(40);
    expect(await outcome(rows, queue.ledger)).toEqual(exactlyOnce);
  });

  it("doesn't create a row twice even if the server's clock briefly jumps an hour ahead", async () => {
    const { deployment, queue, add, work, finished, outcome } = await setUpQueue(name);
    const lose = loseSome(1);
    deployment.intercept = async (request) => {
      const { operation, count } = request;
      if (operation === 'tickets.create')
        deployment.settings.clockOffset = count > 20 && count <= 25 ? 3_600_000 : 0;
      return count > 30 ? lose(request) : undefined;
    };
    const rows = rowsOf(50);
    await add(rows);
    await work();
    await finished(50);
    expect(await outcome(rows, queue.ledger)).toMatchObject({ lost: 0, duplicates: 0 });
  });

  it('waits for the full lookup delay again if a worker is killed during the wait', async () => {
    const { deployment, queue, add, finished, outcome, processOptions } = await setUpQueue(name, {
      listLag: 800,
    });
    const rows = rowsOf(4);
    let onLost = () => {};
    const isLost = new Promise<void>((resolve) => {
      onLost = resolve;
    });
    deployment.intercept = async ({ operation, count }) => {
      if (operation !== 'tickets.create') return undefined;
      if (count === 4) onLost();
      return count <= 4 ? lost : undefined;
    };
    await add(rows);
    const options = { ...processOptions, concurrency: 4, lookupDelay: 1000, stalledAfter: 300 };
    const workers = keepRunning(1, options);
    await isLost;
    await sleep(100);
    workers.signal('SIGKILL', 0);
    await finished(4);
    await workers.end();
    expect(await outcome(rows, queue.ledger)).toEqual(exactlyOnce);
  });

  it("doesn't fail any rows during an outage that outlasts a row's retries", async () => {
    const { deployment, queue, add, work, finished, outcome } = await setUpQueue(name);
    const rows = rowsOf(40);
    let resets = 0;
    deployment.intercept = async () =>
      deployment.requests('tickets.create') >= 20 && resets++ < 100 ? reset : undefined;
    await add(rows);
    await work({ retry: { limit: 2, delay: 5, maxDelay: 20 } });
    await finished(40);
    expect(await outcome(rows, queue.ledger)).toEqual(exactlyOnce);
  });

  it('lists every row that has two records if new records are slow to appear in lists', async () => {
    const { deployment, queue, add, work, finished, outcome } = await setUpQueue(name);
    loseSomeAndListLate(deployment, 17);
    const rows = rowsOf(40);
    await add(rows);
    await work();
    await finished(40);
    const { lost, duplicates } = await outcome(rows, queue.ledger);
    let listed = 0;
    for await (const { candidates } of queue.suspectedDuplicates()) listed += candidates.length;
    expect({ lost, listed }).toEqual({ lost: 0, listed: duplicates });
    expect(duplicates).toBeGreaterThan(0);
  });

  it('closes a worker without waiting for the lookup delay to end', async () => {
    const { deployment, add, work, queue } = await setUpQueue(name);
    deployment.intercept = async ({ operation }) => (operation === 'tickets.create' ? lost : undefined);
    await add(rowsOf(1));
    const worker = await work({ lookupDelay: 600_000 });
    while (deployment.requests('tickets.create') === 0) await sleep(10);
    await worker.close();
    expect((await queue.counts()).done).toBe(0);
  });

  it('counts lookups and retries toward `requestsPerMinute`', async () => {
    const { deployment, add, work, finished } = await setUpQueue(name);
    deployment.intercept = loseSome(7, 0.25);
    await add(rowsOf(40));
    const started = performance.now();
    await work({ requestsPerMinute: 1800 });
    await finished(40);
    const sent = deployment.requests('tickets.create') + deployment.requests('tickets.list');
    // An initial burst can use up to half a second's worth of the limit.
    expect(sent - 15).toBeLessThanOrEqual(((performance.now() - started) / 60_000) * 1800);
  });
});
