import { setTimeout as sleep } from 'node:timers/promises';
import { type Job, Queue, UnrecoverableError } from 'bullmq';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { LedgerEntry } from 'worktrack/jobs';
import type { ImportQueue } from 'worktrack/jobs/bullmq';
import type { BullmqLedger } from '../../addons/jobs/import/bullmq/bullmq-ledger.js';
import { type RowJob, rowJobId } from '../../addons/jobs/import/bullmq/row-job.js';
import { collect } from '../support/collect.js';
import { useFakeTimers } from '../support/timers.js';
import { queueName, useBackend } from './backends.js';
import { key, type Row } from './rows.js';
import { openQueue } from './set-up-import.js';
import { jobTaker } from './take-job.js';

const backend = useBackend();

/** Replaces the clock that measures how old a lock is, so that `vi.advanceTimersByTime` can suspend a worker. */
function suspendAtWill() {
  useFakeTimers('performance');
}

/** Opens a queue with a row for each key. */
async function setUp(...keys: string[]) {
  const connection = { name: queueName(), ...backend.options };
  const queue = await openQueue(connection);
  await queue.add(
    keys.map((id) => ({ id, title: id })),
    { key },
  );
  const ledger = queue.ledger as BullmqLedger;
  const take = await jobTaker(connection);
  return { queue, ledger, take, connection };
}

const entry = (key: string, fields: Partial<LedgerEntry> = {}): LedgerEntry => ({
  key,
  state: 'unknown',
  group: 'Fuel',
  ...fields,
});

const held = (job: Job<RowJob<Row>>, token = 'token') => ({
  job: job as Job,
  token,
  lockDuration: 5000,
  onPause: async () => {},
});

const keysOf = async (entries: AsyncIterable<LedgerEntry>) => (await collect(entries)).map(({ key }) => key);

/** Adds rows that have entries. Returns their keys. */
async function addEntries(queue: ImportQueue<Row>, count: number) {
  const keys = Array.from({ length: count }, (_, index) => `r${index}`);
  await queue.bullmq.addBulk(
    keys.map((key) => ({ name: key, data: { key, entry: entry(key) }, opts: { jobId: rowJobId(key) } })),
  );
  return keys;
}

describe('entries', () => {
  it("writing an entry fails if its row isn't in the queue", async () => {
    const { ledger, connection } = await setUp();
    const missing = { name: 'LedgerError', message: `row "missing" isn't in the "${connection.name}" queue` };
    await expect(ledger.put(entry('missing'))).rejects.toMatchObject(missing);
    await expect(
      ledger.claim({ ...entry('missing', { state: 'done' }), recordId: 'tic_1' }),
    ).rejects.toMatchObject(missing);
  });

  it('listing returns each entry once, even if there is more than one page of entries', async () => {
    const { queue, ledger } = await setUp();
    const keys = await addEntries(queue, 1001);
    expect((await keysOf(ledger.entries())).sort()).toEqual(keys.sort());
  });

  it.each(['waiting', 'delayed', 'active', 'failed', 'completed'])(
    'listing returns the entries of %s rows',
    async (state) => {
      const { ledger, take } = await setUp('a');
      if (state !== 'waiting') {
        const job = await take();
        if (state === 'delayed') await job.moveToDelayed(Date.now() + 60_000, 'token');
        if (state === 'failed') await job.moveToFailed(new UnrecoverableError('no'), 'token');
        if (state === 'completed') await job.moveToCompleted('ok', 'token', false);
      }
      await ledger.put(entry('a'));
      expect(await keysOf(ledger.entries('unknown'))).toEqual(['a']);
      expect(await keysOf(ledger.entries('failed'))).toEqual([]);
    },
  );

  it('listing returns the entries for completed rows from oldest to newest', async () => {
    const { ledger, take } = await setUp('a', 'b', 'c');
    for (const key of ['a', 'b', 'c']) {
      const job = await take();
      await ledger.put(entry(key));
      await job.moveToCompleted('ok', 'token', false);
      // BullMQ sorts completed jobs by time, with a precision of one millisecond.
      await sleep(5);
    }
    expect(await keysOf(ledger.entries())).toEqual(['a', 'b', 'c']);
  });

  it('listing returns a row once, even if its job changes state in the meantime', async () => {
    const { ledger, take } = await setUp('a');
    const job = await take();
    await ledger.put(entry('a'));
    const keys: string[] = [];
    for await (const { key } of ledger.entries()) {
      keys.push(key);
      await job.moveToDelayed(Date.now() + 60_000, 'token');
    }
    expect(keys).toEqual(['a']);
  });

  it('listing continues after a page that contains a removed row', async () => {
    const { queue, ledger } = await setUp();
    await addEntries(queue, 501);
    const getJobs = queue.bullmq.getJobs.bind(queue.bullmq);
    let removed: string | undefined;
    vi.spyOn(queue.bullmq, 'getJobs').mockImplementation(async (...page) => {
      const jobs = await getJobs(...page);
      // BullMQ omits jobs that are removed while it's listing jobs.
      if (removed === undefined && jobs.length > 0) removed = jobs.shift()?.data.key;
      return jobs;
    });
    const listed = await keysOf(ledger.entries());
    expect(listed).toHaveLength(500);
    expect(listed).not.toContain(removed);
  });
});

it.each(['pending', 'failed', 'started'] as const)(
  'a row with or without a group is in doubt until its state changes to %s',
  async (state) => {
    const { ledger } = await setUp('a', 'b', 'c');
    for (const key of ['a', 'b']) await ledger.put(entry(key));
    await ledger.put({ key: 'c', state: 'unknown' });
    await ledger.put(entry('a', { candidates: [{ id: 'tic_1' }] }));
    expect(await ledger.inDoubt('Fuel')).toEqual(['a', 'b']);
    expect(await ledger.inDoubt('')).toEqual(['c']);
    await ledger.put(entry('a', { state }));
    await ledger.put({ key: 'c', state });
    expect(await ledger.inDoubt('Fuel')).toEqual(['b']);
    expect(await ledger.inDoubt('')).toEqual([]);
  },
);

describe('the lock on a row', () => {
  it("a worker that has lost its lock can't change the entry", async () => {
    const { ledger, take } = await setUp('a');
    const release = ledger.held.hold(held(await take(), 'old-token'));
    const rejection = { name: 'LedgerError', message: 'row "a" was assigned to another worker' };
    for (const state of ['started', 'pending', 'unknown', 'failed'] as const) {
      await expect(ledger.put(entry('a', { state }))).rejects.toMatchObject(rejection);
    }
    await expect(ledger.claim({ ...entry('a'), recordId: 'tic_1' })).rejects.toMatchObject(rejection);
    expect(await ledger.get('a')).toBeUndefined();
    expect(await ledger.inDoubt('Fuel')).toEqual([]);
    expect(await ledger.isClaimed('tic_1', 'b')).toBe(false);
    release();
    await ledger.put(entry('a'));
    expect(await ledger.get('a')).toMatchObject({ state: 'unknown' });
  });

  it('a worker renews its lock when it changes the entry', async () => {
    const { ledger, take } = await setUp('a');
    const job = await take();
    await job.extendLock('token', 200);
    ledger.held.hold(held(job));
    await ledger.put(entry('a', { state: 'started' }));
    await sleep(250);
    await ledger.put(entry('a', { state: 'pending' }));
    expect(await ledger.get('a')).toMatchObject({ state: 'pending' });
  });

  it('a worker renews the locks on all its rows', async () => {
    const { ledger, take } = await setUp('a');
    const job = await take();
    const renew = vi.spyOn(job, 'extendLock');
    suspendAtWill();
    const release = ledger.held.hold({ ...held(job), lockDuration: 30_000 });
    await ledger.held.renewLocks();
    expect(renew).not.toHaveBeenCalled();
    vi.advanceTimersByTime(16_000);
    renew.mockRejectedValueOnce(new Error('the connection is lost'));
    await ledger.held.renewLocks();
    await ledger.held.renewLocks();
    expect(renew).toHaveBeenCalledTimes(2);
    await ledger.held.renewLocks();
    expect(renew).toHaveBeenCalledTimes(2);
    release();
    vi.advanceTimersByTime(16_000);
    await ledger.held.renewLocks();
    expect(renew).toHaveBeenCalledTimes(2);
  });

  it('a worker that was suspended after changing the entry verifies its lock again', async () => {
    const { ledger, take } = await setUp('a');
    const job = await take();
    const renew = vi.spyOn(job, 'extendLock');
    suspendAtWill();
    ledger.held.hold({ ...held(job), lockDuration: 30_000 });
    await ledger.put(entry('a', { state: 'started' }));
    await ledger.confirmOwnership('a');
    expect(renew).not.toHaveBeenCalled();
    vi.advanceTimersByTime(16_000);
    await ledger.confirmOwnership('a');
    expect(renew).toHaveBeenCalledTimes(1);
    renew.mockResolvedValueOnce(0);
    vi.advanceTimersByTime(16_000);
    await expect(ledger.confirmOwnership('a')).rejects.toThrow('row "a" was assigned to another worker');
  });
});

describe('the lock on a group', () => {
  it('only one row can hold the lock at a time, and it keeps the lock until it leaves the group', async () => {
    const { ledger } = await setUp('a', 'b');
    expect(await ledger.enter('Fuel', 'a')).toBe('in');
    expect(await ledger.enter('Fuel', 'a')).toBe('in');
    expect(await ledger.enter('Fuel', 'b')).toBe('blocked');
    expect(await ledger.enter('Doors', 'b')).toBe('in');
    await ledger.leave('Fuel', 'b');
    expect(await ledger.enter('Fuel', 'b')).toBe('blocked');
    await ledger.leave('Fuel', 'a');
    expect(await ledger.enter('Fuel', 'b')).toBe('in');
  });

  it('the group is busy while a worker processes the row that holds its lock', async () => {
    const { ledger, take } = await setUp('a', 'b');
    await ledger.enter('Fuel', 'a');
    const job = await take();
    expect(job.data).toMatchObject({ key: 'a' });
    expect(await ledger.enter('Fuel', 'b')).toBe('busy');
  });

  it.each(['completed', 'failed', 'missing'])(
    "a row takes over a group's lock from a %s row",
    async (state) => {
      const { queue, ledger, take } = await setUp('a', 'b', 'c');
      await ledger.enter('Fuel', 'a');
      const job = await take();
      if (state === 'completed') await job.moveToCompleted('ok', 'token', false);
      else await job.moveToFailed(new UnrecoverableError('no'), 'token');
      if (state === 'missing') await queue.bullmq.remove(rowJobId('a'));
      expect(await ledger.enter('Fuel', 'b')).toBe('in');
      expect(await ledger.enter('Fuel', 'c')).toBe('blocked');
      await ledger.leave('Fuel', 'b');
      expect(await ledger.enter('Fuel', 'c')).toBe('in');
    },
  );

  it('only one row can take over the lock if its holder is missing', async () => {
    const rows = ['a', 'b', 'c', 'd', 'e'];
    const { ledger } = await setUp(...rows);
    await ledger.enter('Fuel', 'missing');
    const results = await Promise.all(rows.map((row) => ledger.enter('Fuel', row)));
    expect(results.filter((result) => result === 'in')).toHaveLength(1);
  });

  it('a row that is retried during a takeover is still locked by its worker', async () => {
    const { ledger, take } = await setUp('a', 'b');
    const job = await take();
    ledger.held.hold(held(job));
    await ledger.enter('Fuel', 'a');
    const { getJobState } = Queue.prototype;
    const spy = vi.spyOn(Queue.prototype, 'getJobState').mockImplementationOnce(async function (
      this: Queue,
      ...id
    ) {
      // Another worker starts to process the row again.
      ledger.held.hold(held(job, 'new-token'));
      expect(await ledger.enter('Fuel', 'a')).toBe('in');
      await getJobState.apply(this, id);
      return 'failed';
    });
    onTestFinished(() => spy.mockRestore());
    expect(await ledger.enter('Fuel', 'b')).toBe('busy');
  });
});
