import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { ticketTarget } from 'worktrack/jobs';
import { BullmqLedger } from '../../addons/jobs/import/bullmq/bullmq-ledger.js';
import { rowJobId } from '../../addons/jobs/import/bullmq/row-job.js';
import { useBackend } from './backends.js';
import { deadLetters, finished, key, patience, type Row, rowsOf } from './rows.js';
import { setUpImport } from './set-up-import.js';

const backend = useBackend();

const setUp = () => setUpImport(backend);

it('a row stays in doubt even if it can no longer be converted to a ticket', async () => {
  const { queue, work, mock, client, project } = await setUp();
  mock.faults.add({ operation: 'tickets.create', error: 'response_lost', times: 1 });
  await queue.add(rowsOf(1), { key });
  const worker = await work({ lookupDelay: 500 });
  await vi.waitFor(
    async () => expect(await queue.ledger.get('r0')).toMatchObject({ state: 'unknown' }),
    patience,
  );
  const unavailable = mock.faults.add({ operation: 'tickets.list', status: 503 });
  expect(await finished(queue, 1)).toEqual({ done: 0, failed: 1 });
  await worker.close();
  unavailable.remove();

  const toTicket = () => {
    throw new Error('no status "Later"');
  };
  const failing = await work({ target: ticketTarget<Row>({ client, project: project.id, toTicket }) });
  await queue.retry();
  expect(await finished(queue, 1)).toEqual({ done: 0, failed: 1 });
  await failing.close();
  expect(await deadLetters(queue)).toMatchObject([
    { key: 'r0', state: 'unknown', error: { message: 'no status "Later"' } },
  ]);
  const { group = '' } = (await queue.ledger.get('r0')) ?? {};
  expect(await queue.ledger.inDoubt(group)).toEqual(['r0']);

  await work();
  await queue.retry();
  expect(await finished(queue, 1)).toEqual({ done: 1, failed: 0 });
  expect(mock.state.tickets.all()).toHaveLength(1);
});

it("a replaced in-doubt row isn't created a second time after its lookups fail", async () => {
  const { queue, work, mock, titles } = await setUp();
  mock.faults.add({ operation: 'tickets.create', error: 'response_lost', times: 1 });
  const unavailable = mock.faults.add({ operation: 'tickets.list', status: 503 });
  await queue.add(rowsOf(1), { key });
  await work();
  expect(await finished(queue, 1)).toEqual({ done: 0, failed: 1 });
  expect(await queue.replace([{ id: 'r0', title: 'Corrected' }], { key })).toMatchObject({ replaced: 1 });
  expect(await finished(queue, 1)).toEqual({ done: 0, failed: 1 });
  unavailable.remove();
  await queue.retry();
  expect(await finished(queue, 1)).toEqual({ done: 0, failed: 1 });
  expect(await deadLetters(queue)).toMatchObject([
    { state: 'unknown', candidates: [{ title: 'Step 0 of the plan' }] },
  ]);
  expect(titles()).toEqual(['Step 0 of the plan']);
});

it("a row's job returns the record's ID after one attempt, whether the record is new or recovered", async () => {
  const { queue, work, mock } = await setUp();
  mock.faults.add({ operation: 'tickets.create', error: 'response_lost', times: 1 });
  await queue.add(rowsOf(2), { key });
  await work({ concurrency: 1 });
  expect(await finished(queue, 2)).toEqual({ done: 2, failed: 0 });
  const [recovered, created] = mock.state.tickets.all();
  for (const [index, ticket] of [recovered, created].entries()) {
    const job = await queue.bullmq.getJob(rowJobId(`r${index}`));
    expect(job).toMatchObject({ returnvalue: { recordId: ticket?.id }, attemptsStarted: 1 });
  }
});

it("a dead letter's job fails after one attempt with the row's error", async () => {
  const { queue, work, mock, client, project, toTicket } = await setUp();
  mock.faults.add({ operation: 'tickets.create', error: 'response_lost', times: 1 });
  mock.faults.add({ operation: 'tickets.list', status: 403 });
  const letters = [
    { key: 'in-doubt', title: 'Fuel', state: 'unknown', message: 'lookup: ' },
    { key: 'too-long', title: 'x'.repeat(501), state: 'failed', message: 'title' },
    { key: 'not-converted', title: '', state: 'failed', message: 'no status "Later"' },
  ];
  await queue.add(
    letters.map(({ key: id, title }) => ({ id, title })),
    { key },
  );
  const convert = (row: Row) => {
    if (row.title === '') throw new Error('no status "Later"');
    return toTicket(row);
  };
  await work({ concurrency: 1, target: ticketTarget({ client, project: project.id, toTicket: convert }) });
  expect(await finished(queue, 3)).toEqual({ done: 0, failed: 3 });
  for (const { key, state, message } of letters) {
    const job = await queue.bullmq.getJob(rowJobId(key));
    const entry = await queue.ledger.get(key);
    expect(entry).toMatchObject({ state, error: { message: expect.stringContaining(message) } });
    expect(job).toMatchObject({ failedReason: entry?.error?.message, attemptsStarted: 1 });
  }
});

it.each<[string, string | undefined]>([
  ['in a group', 'Fuel'],
  ['without a group', undefined],
])(
  "a finished row %s isn't re-created if its worker was killed before finishing the job",
  async (_, group) => {
    const { queue, work } = await setUp();
    await queue.add(rowsOf(1), { key });
    const ledger = queue.ledger as BullmqLedger;
    if (group !== undefined) await ledger.enter(group, 'r0');
    await ledger.claim({ key: 'r0', state: 'done', group, recordId: 'tic_1' });
    const worker = await work();
    expect(await finished(queue, 1)).toEqual({ done: 1, failed: 0 });
    expect(worker.requests).toBe(0);
    const job = await queue.bullmq.getJob(rowJobId('r0'));
    expect(job).toMatchObject({ returnvalue: { recordId: 'tic_1' }, attemptsStarted: 1 });
    expect(await ledger.enter('Fuel', 'other')).toBe('in');
  },
);

it('a row leaves its group when it has been processed', async () => {
  const { queue, work } = await setUp();
  const rows = [...rowsOf(1), { id: 'long', title: 'x'.repeat(501) }];
  await queue.add(rows, { key });
  await work();
  expect(await finished(queue, 2)).toEqual({ done: 1, failed: 1 });
  const ledger = queue.ledger as BullmqLedger;
  // A takeover would request the state of the row's job, so the lock must already be free.
  const takeOver = vi.spyOn(queue.bullmq, 'getJobState');
  for (const { id } of rows) {
    const group = (await ledger.get(id))?.group as string;
    expect(await ledger.enter(group, 'other')).toBe('in');
  }
  expect(takeOver).not.toHaveBeenCalled();
});

it("a row is retried one second after the queue's database fails", async () => {
  const { queue, work, mock } = await setUp();
  await queue.add(rowsOf(1), { key });
  const put = vi.spyOn(BullmqLedger.prototype, 'put').mockRejectedValueOnce(new Error('out of memory'));
  onTestFinished(() => put.mockRestore());
  await work();
  await vi.waitFor(async () => expect(await queue.counts()).toMatchObject({ delayed: 1 }), patience);
  expect(mock.state.tickets.all()).toEqual([]);
  expect(await finished(queue, 1)).toEqual({ done: 1, failed: 0 });
  expect(mock.state.tickets.all()).toHaveLength(1);
});

it('a worker checks for unresponsive workers twice per stalledAfter interval', async () => {
  const { work } = await setUp();
  const { bullmq } = await work({ stalledAfter: 100 });
  expect(bullmq.opts).toMatchObject({ lockDuration: 100, stalledInterval: 50 });
});

it('a row stays with its worker even if processing it takes longer than stalledAfter', async () => {
  const { queue, work } = await setUp();
  await queue.add(rowsOf(1), { key });
  const create = vi.fn(async () => {
    await sleep(1100);
    return { id: 'thing_1' };
  });
  const target = { scope: 'things', toPayload: (row: Row) => row, create };
  await Promise.all([work({ target, stalledAfter: 500 }), work({ target, stalledAfter: 500 })]);
  expect(await finished(queue, 1)).toEqual({ done: 1, failed: 0 });
  expect(create).toHaveBeenCalledTimes(1);
});

it('workers send at most requestsPerMinute requests per minute', async () => {
  const { queue, work } = await setUp();
  await queue.add(rowsOf(6), { key });
  const started = performance.now();
  await work({ requestsPerMinute: 600 });
  expect(await finished(queue, 6)).toEqual({ done: 6, failed: 0 });
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

  const onProgress = () => Promise.reject(new Error('oops'));
  await expect(queue.add(rowsOf(1), { key, onProgress })).rejects.toThrow('oops');
});
