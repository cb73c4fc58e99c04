import { expect, it } from 'vitest';
import { openBackend } from '../../addons/jobs/bullmq/connection.js';
import { BullmqLedger, openStore } from '../../addons/jobs/import/bullmq/bullmq-ledger.js';
import { rowJobId } from '../../addons/jobs/import/bullmq/row-job.js';
import { queueName, type TestBackend } from './backends.js';
import { key } from './rows.js';
import { openQueue } from './set-up-import.js';
import { jobTaker } from './take-job.js';

/** Defines the tests that every backend's store must pass. */
export function describeStore(backend: () => TestBackend): void {
  const open = async (name = queueName()) => {
    const connection = { name, ...backend().options };
    const queue = await openQueue(connection);
    return { connection, queue, store: await openStore(queue.bullmq as never) };
  };
  const job = { jobId: rowJobId('a'), key: 'a', data: { key: 'a' } };
  const lock = { token: 'token', duration: 1000 };
  /** Opens a queue with one row. If the row is active, a worker with the token `token` is processing it. */
  const openWithRow = async ({ isActive = false, title = 'A' } = {}) => {
    const opened = await open();
    await opened.queue.add([{ id: 'a', title }], { key });
    if (isActive) await (await jobTaker(opened.connection))();
    const stored = async () => (await opened.store.find([job.jobId])).get(job.jobId);
    return { ...opened, stored };
  };
  const [a, b] = [
    { key: 'a', token: 'one' },
    { key: 'b with spaces', token: 'two' },
  ];

  it("putIfAbsent doesn't overwrite an existing value", async () => {
    const { store } = await open();
    const values = await Promise.all(['x', 'y', 'z'].map((value) => store.putIfAbsent('scope', value)));
    expect(new Set(values).size).toBe(1);
    expect(await store.putIfAbsent('scope', 'other')).toBe(values[0]);
  });

  it('a value expires after its lifetime', async () => {
    const { store } = await open();
    expect(await store.get('server-time')).toBeUndefined();
    await store.put('server-time', '2026-01-01T00:00:00Z', 60_000);
    expect(await store.get('server-time')).toBe('2026-01-01T00:00:00Z');
    await store.put('server-time', '2026-01-02T00:00:00Z', 1);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await store.get('server-time')).toBeUndefined();
  });

  it('only one row at a time can lock a group', async () => {
    const { store } = await open();
    const holders = await Promise.all(
      Array.from({ length: 10 }, (_, index) => store.lock('Fuel', { key: `r${index}`, token: 't' })),
    );
    expect(new Set(holders.map(({ key }) => key)).size).toBe(1);
  });

  it('a row can take over a lock only from the holder that it specifies', async () => {
    const { store } = await open();
    expect(await store.lock('Fuel', a)).toEqual(a);
    expect(await store.lock('Fuel', b)).toEqual(a);
    expect(await store.lock('Fuel', b, { ...a, token: 'other' })).toEqual(a);
    expect(await store.lock('Fuel', { ...a, token: 'new' })).toEqual({ ...a, token: 'new' });
    expect(await store.lock('Fuel', b, a)).toEqual({ ...a, token: 'new' });
    await store.unlock('Fuel', a);
    expect(await store.lock('Fuel', b)).toEqual({ ...a, token: 'new' });
    expect(await store.lock('Fuel', b, { ...a, token: 'new' })).toEqual(b);
    await store.unlock('Fuel', b);
    expect(await store.lock('Fuel', a)).toEqual(a);
  });

  it('a pause is never shortened, and no row starts during a pause', async () => {
    const { store } = await openWithRow();
    const write = (isStart: boolean) => store.write({ ...job, isStart });
    expect((await write(true)).is).toBe('written');
    await store.pause(60_000);
    await store.pause(10);
    const paused = await write(true);
    expect(paused).toMatchObject({ is: 'paused' });
    expect((paused as { wait: number }).wait).toBeGreaterThan(30_000);
    expect((paused as { wait: number }).wait).toBeLessThanOrEqual(60_000);
    expect((await write(false)).is).toBe('written');
  });

  it('requests are scheduled one after another', async () => {
    const { store } = await open();
    expect(await store.reserve(10_000)).toBe(0);
    const waits = await Promise.all([1, 2, 3].map(() => store.reserve(10_000)));
    for (const [index, wait] of waits.sort((one, other) => one - other).entries()) {
      expect(wait).toBeGreaterThan((index + 1) * 10_000 - 5000);
      expect(wait).toBeLessThanOrEqual((index + 1) * 10_000);
    }
  });

  it('only its worker can write to a job that is being processed', async () => {
    const { store, stored } = await openWithRow({ isActive: true });
    expect((await store.write({ ...job, before: await stored() })).is).toBe('active');
    const other = { ...lock, token: 'other' };
    expect((await store.write({ ...job, lock: other, recordId: 'tic_1' })).is).toBe('lost');
    expect(await store.claimant('tic_1')).toBeUndefined();
    expect(await stored()).toMatchObject({ row: { title: 'A' } });
    expect((await store.write({ ...job, lock })).is).toBe('written');
    expect(await store.find([job.jobId, rowJobId('b')])).toEqual(new Map([[job.jobId, { key: 'a' }]]));
  });

  it("a job that has changed since it was read isn't overwritten", async () => {
    const { store, stored } = await openWithRow({ title: 'A "quoted" \u2028 title' });
    const before = await stored();
    expect((await store.write({ ...job, data: { key: 'a', digest: 'x' }, before })).is).toBe('written');
    expect((await store.write({ ...job, before })).is).toBe('changed');
    expect(await stored()).toEqual({ key: 'a', digest: 'x' });
  });

  it('a group can have an empty name, for example if a title contains no text', async () => {
    const { store } = await openWithRow({ isActive: true });
    await store.write({ ...job, lock, enters: '', doubtIn: '' });
    expect(await store.lock('', b)).toEqual({ key: 'a', token: 'token' });
    expect(await store.inDoubt('')).toEqual(['a']);
    await store.write({ ...job, lock, leaves: '', resolvedIn: '' });
    expect(await store.lock('', b)).toEqual(b);
    expect(await store.inDoubt('')).toEqual([]);
  });

  it.each(['\0', '\ud800'])("a row can contain the string %j, but its key can't", async (text) => {
    const { queue } = await open();
    const rows = [
      { id: 'a', title: `<${text}>` },
      { id: `${'x'.repeat(99)}😀`, title: 'B' },
    ];
    expect(await queue.add(rows, { key })).toMatchObject({ added: 2 });
    expect(await queue.add(rows, { key })).toMatchObject({ added: 0, unchanged: 2 });
    await expect(queue.add([{ id: `<${text}>`, title: 'C' }], { key })).rejects.toThrow(
      new TypeError('the key of row 0 contains a NUL character or a lone surrogate'),
    );
  });

  it('a row starts only if no other row holds the lock on its group', async () => {
    const { store, stored } = await openWithRow({ isActive: true });
    const [enter, leave] = [
      { ...job, lock, enters: 'Fuel' },
      { ...job, lock, leaves: 'Fuel' },
    ];
    await store.lock('Fuel', b);
    expect((await store.write(enter)).is).toBe('busy');
    expect(await stored()).toHaveProperty('row');
    await store.unlock('Fuel', b);
    expect((await store.write(enter)).is).toBe('written');
    expect(await store.lock('Fuel', b)).toEqual({ key: 'a', token: 'token' });
    expect((await store.write(enter)).is).toBe('written');
    expect((await store.write(leave)).is).toBe('written');
    expect(await store.lock('Fuel', b)).toEqual(b);
    await store.write(leave);
    expect(await store.lock('Fuel', a)).toEqual(b);
  });

  it("writing to a job that doesn't exist fails and doesn't claim a record", async () => {
    const { store } = await open();
    expect((await store.write({ ...job, recordId: 'tic_1' })).is).toBe('missing');
    expect(await store.claimant('tic_1')).toBeUndefined();
    expect(await store.find([job.jobId])).toEqual(new Map());
  });

  it.each(['\0', '\ud800', '"\\u0000"'])('an entry can contain the string %j', async (text) => {
    const { queue } = await openWithRow();
    await queue.ledger.put({ key: 'a', state: 'failed', error: { message: `<${text}>` } });
    expect((await queue.ledger.get('a'))?.error?.message).toMatch(/^<.+>$/su);
  });

  it('the data of queues in the same database is kept separate', async () => {
    const [one, two] = [await open(), await open()];
    await one.store.lock('Fuel', a);
    await one.store.putIfAbsent('scope', 'one');
    expect(await two.store.lock('Fuel', b)).toEqual(b);
    expect(await two.store.putIfAbsent('scope', 'two')).toBe('two');
    await two.store.deleteAll();
    expect(await one.store.putIfAbsent('scope', 'other')).toBe('one');
    expect(await one.store.lock('Fuel', b)).toEqual(a);
  });

  it('workers can read data that another process has stored', async () => {
    const { connection, queue, store } = await openWithRow();
    await queue.ledger.claim({ key: 'a', state: 'done', recordId: 'tic_1', since: '2026-01-01T00:00:00Z' });
    const backend = await openBackend(connection);
    try {
      const other = await backend.openQueue(connection.name);
      const ledger = new BullmqLedger(other as never, await openStore(other as never));
      expect(await ledger.serverTime()).toBe('2026-01-01T00:00:00Z');
      expect(await ledger.isClaimed('tic_1', 'b')).toBe(true);
    } finally {
      await backend.closeQueues();
    }
    await store.deleteAll();
    expect(await store.claimant('tic_1')).toBeUndefined();
    expect(await store.get('server-time')).toBeUndefined();
  });
}
