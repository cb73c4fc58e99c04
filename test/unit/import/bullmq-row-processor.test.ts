import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ApiError, AuthenticationError, ConnectionError, RateLimitError } from 'worktrack';
import type { ImportLookup, ImportTarget } from 'worktrack/jobs';
import { fingerprintOf } from '../../../addons/jobs/import/digest-table.js';
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
  // Replace the function without a spy, because `vi.restoreAllMocks()` in another test would restore a spy.
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
  ])('waits longer before each attempt, up to maxDelay (with Math.random() = %d)', async (random, delays) => {
    skipWaits();
    fixRandom(random);
    const { process, job } = fakeProcessor({
      create: () => Promise.reject(unavailable),
      settings: { retry: { limit: 6, delay: 100, maxDelay: 1000 } },
    });
    for (const _ of delays) await expect(process()).rejects.toThrow('Delayed');
    expect(job.moveToDelayed.mock.calls).toEqual(delays.map((delay) => [delay, 'token']));
    expect(job.data.entry).toMatchObject({ state: 'pending' });
    await expect(process()).rejects.toThrow('unavailable');
    expect(job.data.entry).toMatchObject({ key: 'a', state: 'failed', error: { status: 425 } });
  });

  it('leaves its group while it waits for the next attempt', async () => {
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

  it('is looked up immediately, and waits longer after each search, up to maxDelay', async () => {
    const waits = skipWaits();
    const { lookup } = searches(4);
    const { process, job } = fakeProcessor({
      create: () => Promise.reject(lost),
      lookup,
      settings: { lookupDelay: 150, retry: { limit: 5, delay: 100, maxDelay: 500 } },
    });
    expect(await process()).toEqual({ recordId: 'thing_1' });
    expect(waits).toEqual([150, 200, 400, 500, 500]);
    expect(job.moveToDelayed).not.toHaveBeenCalled();
  });

  it('stays in doubt after the last search', async () => {
    skipWaits();
    const { lookup, searched } = searches(10);
    const { process, job, ledger } = fakeProcessor({
      create: () => Promise.reject(lost),
      lookup,
      settings: { retry: { limit: 2 } },
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

it.each(['started', 'unknown'] as const)(
  'a row in the state %s, whose worker was killed, is in doubt and is looked up after the lookup delay',
  async (state) => {
    const waits = skipWaits();
    const find = vi.fn(async function* () {
      expect(waits).toEqual([300]);
      expect(job.data.entry).toMatchObject({ state: 'unknown' });
      yield { id: 'thing_1' };
    });
    const create = vi.fn();
    const { process, job, ledger } = fakeProcessor({
      create,
      lookup: { ...oneGroup, find },
      settings: { lookupDelay: 300 },
    });
    job.data.entry = { key: 'a', state, group: 'all', fingerprint: fingerprintOf({ id: 'a' }) };
    expect(await process()).toEqual({ recordId: 'thing_1' });
    expect(create).not.toHaveBeenCalled();
    expect(await ledger.inDoubt('all')).toEqual([]);
  },
);

describe('a rate-limited row', () => {
  it.each([
    [2, 2000],
    [1.5, 1500],
    [0, 1],
    [undefined, 700],
  ])('with "Retry-After: %s" pauses all workers for %d ms and is then created', async (retryAfter, pause) => {
    const waits = skipWaits();
    const create = vi.fn(async () => ({ id: 'thing_1' })).mockRejectedValueOnce(rateLimited(retryAfter));
    const { process, state } = fakeProcessor({ create, settings: { retry: { delay: 700 } } });
    expect(await process()).toEqual({ recordId: 'thing_1' });
    expect(state.pauses).toEqual([pause]);
    expect(waits).toEqual([pause]);
  });

  it("is looked up again after the pause if it's in doubt", async () => {
    skipWaits();
    const find = vi.fn(async function* () {
      if (find.mock.calls.length === 1) throw rateLimited(3);
      yield { id: 'thing_1' };
    });
    const create = vi.fn(() => Promise.reject(lost));
    const { process, state } = fakeProcessor({ create, lookup: { ...oneGroup, find } });
    expect(await process()).toEqual({ recordId: 'thing_1' });
    expect(state.pauses).toEqual([3000]);
    expect(create).toHaveBeenCalledTimes(1);
  });

  it('prevents other workers from creating rows during the pause, and then reserves a new slot for each request', async () => {
    const waits = skipWaits();
    const create = vi.fn(async () => {
      expect(waits).toEqual([1234]);
      return { id: 'thing_1' };
    });
    const { process, state } = fakeProcessor({ create, requestsPerMinute: 600 });
    state.pausedFor = 1234;
    expect(await process()).toEqual({ recordId: 'thing_1' });
    // All rows resume at the same time, so the slot that was reserved before the pause can't be used.
    expect(state.reserved).toBe(2);
  });

  it('pauses rows that other workers are about to sync', async () => {
    const { ledger, state } = fakeProcessor();
    const done = { key: 'a', state: 'done', recordId: 'thing_1' } as const;
    state.pausedFor = 5;
    await ledger.claim(done);
    expect(state.pausedFor).toBe(5);
    await ledger.claim({ ...done, pending: { title: 'b5bea41b' } });
    expect(state.pausedFor).toBe(0);
  });
});

describe('requestsPerMinute', () => {
  it("delays each request until its reserved time, and counts the client's retries toward the limit", async () => {
    const waits = skipWaits();
    const create: ImportTarget<unknown>['create'] = async (_, { countRequests }) => {
      expect(waits).toEqual([40]);
      expect(state.reserved).toBe(1);
      countRequests(3);
      return { id: 'thing_1' };
    };
    const { process, requests, state } = fakeProcessor({ create, requestsPerMinute: 600 });
    state.wait = 40;
    expect(await process()).toEqual({ recordId: 'thing_1' });
    expect(state).toMatchObject({ reserved: 3, interval: 100 });
    expect(requests.count).toBe(3);
    expect(waits).toEqual([40]);
  });

  it("doesn't delay requests if it isn't set", async () => {
    const { process, state } = fakeProcessor();
    await process();
    expect(state.reserved).toBe(0);
  });
});

describe('while the API is unavailable', () => {
  const retry = { limit: 1, delay: 100, maxDelay: 1000 };

  /** Creates the records of all rows except row `a`. */
  const setUp = (options: Parameters<typeof fakeProcessor>[0] = {}) => {
    skipWaits();
    const create: ImportTarget<{ id: string }, { id: string }>['create'] = async ({ id }) => {
      if (id === 'a') throw unavailable;
      return { id: `thing_${id}` };
    };
    return fakeProcessor({ create, settings: { retry }, maxOutage: 60_000, ...options });
  };

  it.each([
    lost,
    ...[502, 503, 504].map(
      (status) => new ApiError('Bad gateway', { ...response, status, outcome: 'unknown' }),
    ),
  ])('the lookup of an in-doubt row is retried until the API is available again: %o', async (error) => {
    const find = vi.fn(async function* () {
      if (find.mock.calls.length < 6) throw error;
      yield { id: 'thing_1' };
    });
    const { process } = setUp({ create: () => Promise.reject(error), lookup: { ...oneGroup, find } });
    expect(await process()).toEqual({ recordId: 'thing_1' });
  });

  it('a row becomes a dead letter only once the outage has lasted for maxOutage', async () => {
    const { process, job } = setUp();
    for (const time of [0, 1, 2, 59_999]) {
      vi.setSystemTime(time);
      await expect(process()).rejects.toThrow('Delayed');
    }
    expect(job.data).toMatchObject({ attempts: 1, entry: { state: 'pending' } });
    vi.setSystemTime(60_000);
    await expect(process()).rejects.toThrow('unavailable');
    expect(job.data.entry).toMatchObject({ state: 'failed' });
  });

  it('an attempt counts only if the API has been available since the previous attempt', async () => {
    const { process, newJob, job } = setUp({ settings: { retry: { ...retry, limit: 2 } } });
    await expect(process()).rejects.toThrow('Delayed');
    vi.setSystemTime(1);
    // The response to an earlier request arrives after the start of the outage.
    await process(newJob('b'));
    for (const time of [2, 3, 4]) {
      vi.setSystemTime(time);
      await expect(process()).rejects.toThrow('Delayed');
      expect(job.data.attempts).toBe(2);
    }
    vi.setSystemTime(5);
    await process(newJob('c'));
    vi.setSystemTime(6);
    await expect(process()).rejects.toThrow('unavailable');
  });

  it("a row doesn't become a dead letter if the clock was set back after the last success", async () => {
    const { process, newJob, job } = setUp();
    vi.setSystemTime(3_600_000);
    await process(newJob('b'));
    vi.setSystemTime(0);
    for (let attempt = 0; attempt < 5; attempt++) await expect(process()).rejects.toThrow('Delayed');
    expect(job.data).toMatchObject({ attempts: 1, entry: { state: 'pending' } });
  });

  it('a failing row becomes a dead letter if other rows succeed at the same time', async () => {
    const { process, newJob, job } = setUp();
    await expect(process()).rejects.toThrow('Delayed');
    vi.setSystemTime(1);
    await process(newJob('b'));
    await expect(process()).rejects.toThrow('unavailable');
    expect(job.data.entry).toMatchObject({ state: 'failed' });
  });

  it('only one row is retried, and the others wait', async () => {
    skipWaits();
    const create = vi.fn(() => Promise.reject(unavailable));
    const { process, requests, newJob } = fakeProcessor({
      create,
      settings: { concurrency: 2, retry: { limit: 8, delay: 60_000, maxDelay: 60_000 } },
    });
    for (const key of ['a', 'b', 'c', 'd']) await expect(process(newJob(key))).rejects.toThrow('Delayed');
    vi.unstubAllGlobals();
    const waiting = newJob('e');
    const result = process(waiting);
    await new Promise(setImmediate);
    expect(create).toHaveBeenCalledTimes(4);
    requests.stop();
    await expect(result).rejects.toThrow();
    expect(waiting.moveToWait).toHaveBeenCalledWith('token');
    requests.close();
  });
});

it('rows no longer wait for the API once the last search for a re-created row succeeds', async () => {
  const create = vi.fn(() => Promise.reject(unavailable));
  const { process, newJob, job } = fakeProcessor({
    create,
    lookup: oneGroup,
    settings: { concurrency: 1, retry: { limit: 8, delay: 300, maxDelay: 60_000 } },
  });
  for (const key of ['b', 'c', 'd']) await expect(process(newJob(key))).rejects.toThrow('Delayed');
  job.data.entry = { key: 'a', state: 'done', recordId: 'thing_1', recreated: true };
  await process();
  const result = expect(process(newJob('e'))).rejects.toThrow('Delayed');
  await new Promise(setImmediate);
  expect(create).toHaveBeenCalledTimes(4);
  await result;
});

describe('a worker that is being closed', () => {
  /** Starts a row, closes the worker once the check passes, and expects the row to return to the queue. */
  async function closeDuring(
    { process, requests, job }: ReturnType<typeof fakeProcessor>,
    check: () => void,
    onStop = () => {},
  ) {
    const result = process();
    await vi.waitFor(check);
    requests.stop();
    onStop();
    await expect(result).rejects.toMatchObject({ name: 'WaitingError' });
    expect(job.moveToWait).toHaveBeenCalledWith('token');
    requests.close();
  }

  /** Searches after waiting for a time slot. */
  const find: (typeof oneGroup)['find'] = async function* (_, { beforeRequest }) {
    await beforeRequest?.();
    yield { id: 'thing_0' };
  };

  it('returns waiting rows to the queue', async () => {
    const fakes = fakeProcessor({
      create: () => Promise.reject(lost),
      lookup: oneGroup,
      settings: { lookupDelay: 60_000 },
    });
    const { job } = fakes;
    await closeDuring(fakes, () => expect(job.data.attempts).toBe(1));
    expect(job.data.entry).toMatchObject({ state: 'unknown' });
  });

  it("doesn't count an interrupted search as a failed attempt", async () => {
    const fakes = fakeProcessor({
      create: async (_, { countRequests }) => {
        countRequests(1);
        state.wait = 60_000;
        throw lost;
      },
      lookup: { ...oneGroup, find },
      requestsPerMinute: 600,
      settings: { lookupDelay: 0, retry: { delay: 0 } },
    });
    const { job, state } = fakes;
    await closeDuring(fakes, () => expect(state.reserved).toBe(2));
    expect(job.data).toMatchObject({ attempts: 1, entry: { state: 'unknown' } });
  });

  it("doesn't make a row a dead letter if its last attempt was aborted", async () => {
    let abort = () => {};
    const create = vi.fn(() => new Promise<never>((_, reject) => (abort = () => reject(lost))));
    const fakes = fakeProcessor({ create, settings: { retry: { limit: 0 } } });
    await closeDuring(
      fakes,
      () => expect(create).toHaveBeenCalled(),
      () => abort(),
    );
    expect(fakes.job.data).toMatchObject({ entry: { state: 'unknown' } });
    expect(fakes.job.data.attempts).toBeUndefined();
  });

  it.each([undefined, { key: 'a', state: 'done', recordId: 'thing_1', recreated: true } as const])(
    "doesn't wait until a row with the entry %o has been converted",
    async (entry) => {
      let fail = () => {};
      const toPayload = vi.fn(() => new Promise<never>((_, reject) => (fail = () => reject(lost))));
      const fakes = fakeProcessor({ toPayload });
      fakes.job.data.entry = entry;
      await closeDuring(fakes, () => expect(toPayload).toHaveBeenCalled());
      fail();
      await new Promise(setImmediate);
      expect(fakes.job.data.entry).toEqual(entry);
    },
  );

  it("doesn't create a row's record if the search for an existing one was interrupted", async () => {
    const create = vi.fn();
    const lookup = { ...oneGroup, isIdentity: false, find };
    const fakes = fakeProcessor({ create, lookup, requestsPerMinute: 600 });
    const { job, state } = fakes;
    state.wait = 60_000;
    await closeDuring(fakes, () => expect(state.reserved).toBe(1));
    expect(create).not.toHaveBeenCalled();
    expect(job.data.entry).toBeUndefined();
  });

  it("doesn't start any more rows", async () => {
    const create = vi.fn();
    const fakes = fakeProcessor({ create });
    fakes.requests.stop();
    await closeDuring(fakes, () => {});
    expect(create).not.toHaveBeenCalled();
    expect(fakes.job.data.entry).toBeUndefined();
  });
});

it('the first record of a re-created row is searched for once more, and reported if it exists', async () => {
  skipWaits();
  const found: { id: string }[] = [];
  const { process, job, ledger } = fakeProcessor({
    create: vi.fn(async () => ({ id: 'thing_2' })).mockRejectedValueOnce(lost),
    lookup: {
      ...oneGroup,
      find: async function* () {
        yield* found;
      },
      match: () => 'exact',
    },
  });
  await expect(process()).rejects.toThrow('Delayed');
  expect(job.moveToDelayed).toHaveBeenCalledWith(10_000, 'token');
  expect(job.data.entry).toMatchObject({ state: 'done', recordId: 'thing_2' });
  expect(await ledger.enter('all', 'b')).toBe('in');
  found.push({ id: 'thing_1' }, { id: 'thing_2' });
  expect(await process()).toMatchObject({ recordId: 'thing_2', duplicates: [{ id: 'thing_1' }] });
  expect(job.data).toMatchObject({ entry: { state: 'done', candidates: [{ id: 'thing_1' }] } });
  expect(job.data.row).toBeUndefined();
  expect(await process()).toEqual({ recordId: 'thing_2' });
});

it('the last search for a re-created row is retried until the API is available', async () => {
  skipWaits();
  const find = vi.fn(async function* () {
    if (find.mock.calls.length < 5) throw find.mock.calls.length === 1 ? rateLimited(3) : unavailable;
    yield { id: 'thing_1' };
  });
  const { process, job, state } = fakeProcessor({
    create: vi.fn(),
    lookup: { ...oneGroup, find },
    maxOutage: 60_000,
  });
  job.data.entry = { key: 'a', state: 'done', recordId: 'thing_2', recreated: true };
  for (let attempt = 0; attempt < 3; attempt++) await expect(process()).rejects.toThrow('Delayed');
  expect(state.pauses).toEqual([3000]);
  expect(await process()).toMatchObject({ duplicates: [{ id: 'thing_1' }] });
});

it("a job fails if it wasn't added by queue.add", async () => {
  const { process, job } = fakeProcessor();
  job.data = {} as never;
  await expect(process()).rejects.toThrow("the job wasn't added by queue.add()");
});

it("if a worker loses the lock on a row while creating it, the worker can't mark the row as done", async () => {
  const { process, job, state, store } = fakeProcessor({
    create: async () => {
      state.token = 'other';
      return { id: 'thing_1' };
    },
  });
  await expect(process()).rejects.toThrow('row "a" was assigned to another worker');
  expect(await store.claimant('thing_1')).toBeUndefined();
  expect(job.data.entry).toMatchObject({ state: 'started' });
});

describe('a row whose group is locked by another row', () => {
  const lockedGroup = async (otherJobs: string) => {
    const fakes = fakeProcessor({ lookup: oneGroup, otherJobs });
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
    'waits longer before each attempt (attempt %d: %d ms) if the other row must be processed first',
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

  it('continues as soon as the group is free if the other row is being processed', async () => {
    const waits = skipWaits();
    const { process, ledger } = await lockedGroup('active');
    const result = process();
    while (waits.length < 3) await Promise.resolve();
    await ledger.leave('all', 'b');
    expect(await result).toEqual({ recordId: 'thing_1' });
  });

  it('is delayed if it waits too long, which frees its worker for other rows', async () => {
    skipWaits();
    const { process, job } = await lockedGroup('active');
    await expect(process()).rejects.toThrow('Delayed');
    expect(job.data.entry).toBeUndefined();
  });
});

describe('a row that no worker can create', () => {
  const error = new AuthenticationError('unknown token', { ...response, status: 401 });

  it('pauses the queue, reports the error, and stays in its group', async () => {
    skipWaits();
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

  it.each([
    ['without onFatal', undefined, []],
    [
      'if onFatal fails',
      () => Promise.reject(new Error('oops')),
      [['worktrack: import: onFatal failed: Error: oops']],
    ],
  ])('pauses the queue even %s', async (_, onFatal, expected) => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
    onTestFinished(() => printed.mockRestore());
    const { process, queue } = fakeProcessor({ create: () => Promise.reject(error), onFatal });
    await expect(process()).rejects.toThrow('Delayed');
    expect(queue.pause).toHaveBeenCalledTimes(1);
    expect(printed.mock.calls).toEqual(expected);
  });
});

it("a row isn't processed again until its earlier run in the same process detects that it has lost the lock", async () => {
  let finish = (_: { id: string }) => {};
  const created = new Promise<{ id: string }>((resolve) => {
    finish = resolve;
  });
  const { process, newJob, job, state } = fakeProcessor({ create: () => created, lookup: oneGroup });
  const first = process();
  await vi.waitFor(() => expect(job.data.entry).toMatchObject({ state: 'started' }));
  // This process was suspended, and another one returned the job to the queue.
  state.token = 'token 2';
  const again = { ...newJob('a'), data: job.data };
  await expect(process(again, 'token 2')).rejects.toThrow('Delayed');
  expect(again.moveToDelayed).toHaveBeenCalledWith(expect.any(Number), 'token 2');
  finish({ id: 'thing_1' });
  await expect(first).rejects.toThrow('row "a" was assigned to another worker');
});

it("a row isn't created if another worker holds the lock", async () => {
  const create = vi.fn(async () => ({ id: 'thing_1' }));
  const { process, state } = fakeProcessor({ create });
  state.token = 'other';
  await expect(process()).rejects.toThrow('row "a" was assigned to another worker');
  expect(create).not.toHaveBeenCalled();
  state.token = 'token';
  expect(await process()).toEqual({ recordId: 'thing_1' });
});
