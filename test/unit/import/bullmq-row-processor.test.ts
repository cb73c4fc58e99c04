import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ApiError, AuthenticationError, ConnectionError, RateLimitError } from 'worktrack';
import type { ImportLookup } from 'worktrack/import';
import { fingerprintOf } from '../../../src/import/prepare-row.js';
import { fakeProcessor } from './bullmq-fakes.js';

const response = { status: 0, headers: new Headers(), body: undefined, outcome: 'rejected' } as const;
const unavailable = new ApiError('unavailable', { ...response, status: 425 });
const rateLimited = (retryAfter?: number) =>
  new RateLimitError('slow down', { ...response, status: 429, retryAfter });
const lost = new ConnectionError('the response is lost', { outcome: 'unknown' });

const oneGroup: ImportLookup<unknown, unknown, { id: string }> = {
  group: () => 'all',
  find: async function* () {},
  match: () => 'exact',
  isIdentity: true,
};

/** Makes timers run immediately. Returns the requested waits in milliseconds. */
function skipWaits(): number[] {
  const waits: number[] = [];
  vi.useFakeTimers({ toFake: ['Date'], now: 0 });
  // A spy on a fake function would come back when another test calls `vi.restoreAllMocks()`.
  vi.stubGlobal('setTimeout', (run: () => void, wait: number) => {
    waits.push(wait);
    queueMicrotask(run);
  });
  onTestFinished(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });
  return waits;
}

const fixRandom = (value: number) => {
  const spy = vi.spyOn(Math, 'random').mockReturnValue(value);
  onTestFinished(() => spy.mockRestore());
};

describe('a row that can be retried', () => {
  it.each([
    [0, [50, 100, 200, 400, 500, 500]],
    [0.5, [75, 150, 300, 600, 750, 750]],
    [1, [100, 200, 400, 800, 1000, 1000]],
  ])('waits longer after each attempt, up to maxDelay (with Math.random() = %d)', async (random, delays) => {
    skipWaits();
    fixRandom(random);
    const { process, job } = fakeProcessor({
      create: () => Promise.reject(unavailable),
      settings: { retry: { attempts: 7, delay: 100, maxDelay: 1000 } },
    });
    for (const _ of delays) await expect(process()).rejects.toThrow('Delayed');
    expect(job.moveToDelayed.mock.calls).toEqual(delays.map((delay) => [delay, 'token']));
    expect(job.data.entry).toMatchObject({ state: 'pending' });
    await expect(process()).rejects.toThrow('unavailable');
    expect(job.data.entry).toMatchObject({ key: 'a', state: 'failed', error: { status: 425 } });
  });

  it('leaves its group while it waits', async () => {
    skipWaits();
    const { process, ledger } = fakeProcessor({
      create: () => Promise.reject(unavailable),
      lookup: oneGroup,
    });
    await expect(process()).rejects.toThrow('Delayed');
    expect(await ledger.enter('all', 'b')).toBe('in');
  });
});

describe('a row whose response is lost', () => {
  const searches = (failures: number) => {
    let count = 0;
    const lookup: typeof oneGroup = {
      ...oneGroup,
      find: async function* () {
        if (count++ < failures) throw lost;
        yield { id: 'thing_1' };
      },
    };
    return { lookup, searched: () => count };
  };

  it('is looked up immediately and waits longer after each search, up to maxDelay', async () => {
    const waits = skipWaits();
    const { lookup } = searches(4);
    const { process, job } = fakeProcessor({
      create: () => Promise.reject(lost),
      lookup,
      settings: { lookupDelay: 150, retry: { attempts: 6, delay: 100, maxDelay: 500 } },
    });
    expect(await process()).toEqual({ recordId: 'thing_1' });
    expect(waits).toEqual([150, 200, 400, 500, 500]);
    expect(job.moveToDelayed).not.toHaveBeenCalled();
  });

  it('stays in doubt after the last attempt', async () => {
    skipWaits();
    const { lookup, searched } = searches(10);
    const { process, job, ledger } = fakeProcessor({
      create: () => Promise.reject(lost),
      lookup,
      settings: { retry: { attempts: 3 } },
    });
    await expect(process()).rejects.toThrow('the response is lost');
    expect(searched()).toBe(2);
    expect(job.data.entry).toMatchObject({
      state: 'unknown',
      group: 'all',
      error: { message: lost.message },
    });
    expect(await ledger.inDoubt('all')).toEqual(['a']);
    expect(await ledger.enter('all', 'b')).toBe('in');
  });
});

it("a killed worker's row is in doubt and looked up after the lookup delay", async () => {
  const waits = skipWaits();
  const find = vi.fn(async function* () {
    expect(waits).toEqual([300]);
    expect(await ledger.inDoubt('all')).toEqual(['a']);
    yield { id: 'thing_1' };
  });
  const create = vi.fn();
  const { process, job, ledger } = fakeProcessor({
    create,
    lookup: { ...oneGroup, find },
    settings: { lookupDelay: 300 },
  });
  const fingerprint = fingerprintOf({ id: 'a' });
  job.data.entry = { key: 'a', state: 'started', group: 'all', fingerprint };
  expect(await process()).toEqual({ recordId: 'thing_1' });
  expect(find).toHaveBeenCalledTimes(1);
  expect(create).not.toHaveBeenCalled();
  expect(await ledger.inDoubt('all')).toEqual([]);
});

describe('a rate-limited row', () => {
  it.each([
    [2, 2000],
    [1.0005, 1001],
    [0, 1],
    [undefined, 700],
  ])('with "Retry-After: %s" pauses the queue for %d ms', async (retryAfter, pause) => {
    const { process, queue } = fakeProcessor({
      create: () => Promise.reject(rateLimited(retryAfter)),
      settings: { retry: { delay: 700 } },
    });
    await expect(process()).rejects.toThrow('bullmq:rateLimitExceeded');
    expect(queue.rateLimit).toHaveBeenCalledWith(pause);
  });

  it("leaves its group if it wasn't created", async () => {
    const { process, ledger } = fakeProcessor({
      create: () => Promise.reject(rateLimited()),
      lookup: oneGroup,
    });
    await expect(process()).rejects.toThrow('bullmq:rateLimitExceeded');
    expect(await ledger.enter('all', 'b')).toBe('in');
  });

  it("stays in its group if it's in doubt", async () => {
    skipWaits();
    const find = () => {
      throw rateLimited();
    };
    const { process, ledger } = fakeProcessor({
      create: () => Promise.reject(lost),
      lookup: { ...oneGroup, find },
      otherJobs: 'waiting',
    });
    await expect(process()).rejects.toThrow('bullmq:rateLimitExceeded');
    expect(await ledger.enter('all', 'b')).toBe('blocked');
  });
});

describe('a row whose group is locked by another row', () => {
  const lockedGroup = async (otherJobs: string) => {
    const fakes = fakeProcessor({ create: async () => ({ id: 'thing_1' }), lookup: oneGroup, otherJobs });
    await fakes.ledger.enter('all', 'b');
    return fakes;
  };

  it.each([
    [1, 1000],
    [2, 2000],
    [5, 16_000],
    [6, 30_000],
    [20, 30_000],
  ])(
    'that must be processed first waits longer after each attempt (attempt %d: %d ms)',
    async (attempt, delay) => {
      const waits = skipWaits();
      const { process, job } = await lockedGroup('waiting');
      job.attemptsStarted = attempt;
      await expect(process()).rejects.toThrow('Delayed');
      expect(job.moveToDelayed).toHaveBeenCalledWith(delay, 'token');
      expect(waits).toEqual([]);
      expect(job.data.entry).toBeUndefined();
    },
  );

  it('that is being processed continues as soon as the group is free', async () => {
    const waits = skipWaits();
    const { process, ledger } = await lockedGroup('active');
    const result = process();
    while (waits.length < 3) await Promise.resolve();
    await ledger.leave('all', 'b');
    expect(await result).toEqual({ recordId: 'thing_1' });
  });

  it('that is processed for a long time is delayed so that its worker can process other rows', async () => {
    skipWaits();
    const { process, job } = await lockedGroup('active');
    await expect(process()).rejects.toThrow('Delayed');
    expect(job.data.entry).toBeUndefined();
  });
});

it('a row that no worker can create pauses the queue, then reports the error, and keeps its group', async () => {
  skipWaits();
  const error = new AuthenticationError('unknown token', { ...response, status: 401 });
  const onFatal = vi.fn(() => expect(queue.pause).toHaveBeenCalledTimes(1));
  const { process, job, queue, ledger } = fakeProcessor({
    create: () => Promise.reject(error),
    lookup: oneGroup,
    otherJobs: 'delayed',
    onFatal,
  });
  await expect(process()).rejects.toThrow('Delayed');
  expect(onFatal).toHaveBeenCalledWith(error);
  expect(job.moveToDelayed).toHaveBeenCalledWith(1000, 'token');
  expect(job.data.entry).toMatchObject({ state: 'pending' });
  expect(await ledger.enter('all', 'b')).toBe('blocked');
});

it('onFatal is optional', async () => {
  const error = new AuthenticationError('unknown token', { ...response, status: 401 });
  const { process, queue } = fakeProcessor({ create: () => Promise.reject(error) });
  await expect(process()).rejects.toThrow('Delayed');
  expect(queue.pause).toHaveBeenCalledTimes(1);
});

it("a row renews its lock before it's created, and isn't created if another worker has the lock", async () => {
  const create = vi.fn(async () => ({ id: 'thing_1' }));
  const { process, job } = fakeProcessor({ create });
  job.extendLock.mockResolvedValueOnce(0);
  await expect(process()).rejects.toThrow('row "a" was assigned to another worker');
  expect(create).not.toHaveBeenCalled();
  expect(await process()).toEqual({ recordId: 'thing_1' });
  expect(job.extendLock).toHaveBeenCalledWith('token', 5000);
});
