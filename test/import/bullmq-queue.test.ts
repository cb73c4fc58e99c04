import { setTimeout as sleep } from 'node:timers/promises';
import { UnrecoverableError } from 'bullmq';
import { expect, it, vi } from 'vitest';
import type { UnresolvedRow } from 'worktrack/jobs';
import type { ImportQueue } from 'worktrack/jobs/bullmq';
import { rowJobId } from '../../addons/jobs/import/bullmq/row-job.js';
import { collect } from '../support/collect.js';
import { queueName, useBackend } from './backends.js';
import { key, type Row, rowsOf } from './rows.js';
import { openQueue } from './set-up-import.js';
import { jobTaker } from './take-job.js';

const backend = useBackend();

async function setUp() {
  const connection = { name: queueName(), ...backend.options };
  const queue = await openQueue(connection);
  const take = await jobTaker(connection);
  /** Makes the next row fail without a ledger entry, like a job that BullMQ gives up on. */
  const failNext = async (reason: string) => {
    const job = await take();
    await job.moveToFailed(new UnrecoverableError(reason), 'token');
    return job;
  };
  return { queue, take, failNext };
}

const deadLetterKeys = async (queue: ImportQueue<Row>) =>
  (await collect(queue.deadLetters())).map(({ key }) => key);

it('queue.counts returns the number of rows in each state', async () => {
  const { queue, take, failNext } = await setUp();
  await queue.add(rowsOf(11), { key });
  await take();
  for (let index = 0; index < 2; index++) await (await take()).moveToDelayed(Date.now() + 60_000, 'token');
  for (let index = 0; index < 3; index++) await failNext('no');
  await (await take()).moveToCompleted('ok', 'token', false);
  expect(await queue.counts()).toEqual({ waiting: 4, active: 1, delayed: 2, done: 1, failed: 3 });
});

it('a row that fails without a ledger entry becomes a dead letter with the reason given by BullMQ', async () => {
  const { queue, failNext } = await setUp();
  await queue.add(rowsOf(1), { key });
  await failNext('job stalled more than allowable limit');
  const error = { message: 'job stalled more than allowable limit' };
  expect(await collect(queue.deadLetters())).toEqual([
    { key: 'r0', state: 'failed', error, row: rowsOf(1)[0] },
  ]);
});

it('dead letters are listed and retried in the order in which they failed', async () => {
  const { queue, take, failNext } = await setUp();
  await queue.add(rowsOf(4), { key });
  for (let index = 0; index < 4; index++) {
    await failNext('no');
    // BullMQ sorts failed jobs by time, with a precision of one millisecond.
    await sleep(5);
  }
  expect(await deadLetterKeys(queue)).toEqual(['r0', 'r1', 'r2', 'r3']);
  expect(await queue.retry()).toBe(4);
  expect(await deadLetterKeys(queue)).toEqual([]);
  expect((await take()).data.key).toBe('r0');
});

it('a list of dead letters that spans several pages omits rows that are resolved while it is being read', async () => {
  const { queue, take, failNext } = await setUp();
  await queue.add(rowsOf(502), { key });
  for (let index = 0; index < 502; index++) await failNext('no');
  // Rows that failed in the same millisecond are sorted by ID, so the last two aren't always r500 and r501.
  const [removed = '', retried = ''] = await queue.bullmq.getRanges(['failed'], 500, 501, true);
  const listed: string[] = [];
  for await (const { key } of queue.deadLetters()) {
    if (listed.push(key) > 1) continue;
    // While the first page is being processed, two rows on the second page are resolved.
    await (await queue.bullmq.getJob(removed))?.remove();
    await (await queue.bullmq.getJob(retried))?.retry();
    await (await take()).moveToCompleted({ recordId: 'tic_1' }, 'token', false);
  }
  expect(listed).toHaveLength(500);
});

it('queue.suspectedDuplicates lists the rows that may have two records', async () => {
  const { queue, take } = await setUp();
  await queue.add(rowsOf(2), { key });
  const job = await take();
  await queue.ledger.claim({ key: 'r0', state: 'done', recordId: 'tic_2', candidates: [{ id: 'tic_1' }] });
  await job.moveToCompleted('ok', 'token', false);
  expect(await collect(queue.suspectedDuplicates())).toEqual([
    { key: 'r0', recordId: 'tic_2', candidates: [{ id: 'tic_1' }] },
  ]);
});

it('queue.retry skips rows that are removed while it runs', async () => {
  const { queue, take, failNext } = await setUp();
  await queue.add(rowsOf(2), { key });
  await failNext('no');
  await failNext('no');
  const select = ({ key }: UnresolvedRow<Row>) => {
    if (key === 'r0') vi.spyOn(queue.bullmq, 'getJob').mockResolvedValueOnce(undefined);
    return true;
  };
  expect(await queue.retry(select)).toBe(1);
  expect((await take()).data.key).toBe('r1');
});

it('queue.replace preserves anything that a worker writes after the row has been read', async () => {
  const { queue, take, failNext } = await setUp();
  await queue.add(rowsOf(2), { key });
  await failNext('no');
  const getJobState = queue.bullmq.getJobState.bind(queue.bullmq);
  // While the first row is being replaced, a worker processes the second row but loses the response.
  vi.spyOn(queue.bullmq, 'getJobState').mockImplementationOnce(async (id) => {
    const job = await take();
    await queue.ledger.put({ key: 'r1', state: 'unknown' });
    await job.moveToFailed(new UnrecoverableError('lost'), 'token');
    return getJobState(id);
  });
  const corrected = rowsOf(2).map(({ id }) => ({ id, title: 'Corrected' }));
  expect(await queue.replace(corrected, { key })).toMatchObject({ replaced: 2, ignored: [] });
  expect(await queue.ledger.get('r1')).toMatchObject({ state: 'unknown' });
  expect(await queue.counts()).toMatchObject({ waiting: 2, failed: 0 });
});

it('queue.add reports the first 1,000 conflicting keys', async () => {
  const { queue } = await setUp();
  const rows = rowsOf(1002);
  const others = rows.map(({ id }) => ({ id, title: 'Other' }));
  const { read, conflicts } = await queue.add([...rows, ...others], { key });
  expect(read).toBe(2004);
  expect(conflicts).toEqual(rows.slice(0, 1000).map(({ id }) => id));
});

it('a job has the same name as its row, truncated to 100 characters', async () => {
  const { queue } = await setUp();
  const keys = ['ABC-1', 'x'.repeat(101)];
  await queue.add(
    keys.map((id) => ({ id, title: id })),
    { key },
  );
  const names = [];
  for (const key of keys) names.push((await queue.bullmq.getJob(rowJobId(key)))?.name);
  expect(names).toEqual(['ABC-1', 'x'.repeat(100)]);
});

it.each(['', 7, undefined])('queue.add rejects the key %j', async (id) => {
  const { queue } = await setUp();
  const add = queue.add([...rowsOf(1), { id: id as string, title: 'Fuel' }], { key, batchSize: 1 });
  await expect(add).rejects.toThrow(new TypeError('the key of row 1 must be a non-empty string'));
  expect(await queue.counts()).toMatchObject({ waiting: 1 });
});

it.each([
  [{}, 'option "key" must be a function (got undefined)'],
  [{ batchSize: 0 }, 'option "batchSize" must be a positive integer (got 0)'],
  [{ signal: 7 }, 'option "signal" must be an AbortSignal (got 7)'],
  [{ onProgress: 7 }, 'option "onProgress" must be a function (got 7)'],
  [{ batch: 7 }, 'unknown option "batch"'],
])('queue.add rejects the options %j', async (options, message) => {
  const { queue } = await setUp();
  const all = Object.keys(options).length > 0 ? { key, ...options } : {};
  await expect(queue.add(rowsOf(1), all as never)).rejects.toThrow(`import: ${message}`);
});
