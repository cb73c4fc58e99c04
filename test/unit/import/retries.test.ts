import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ConnectionError, RateLimitError, ServerError } from 'worktrack';
import type { ImportTarget, RunImportOptions } from 'worktrack/jobs';
import { useFakeTimers } from '../../support/timers.js';
import { importInto, one, type Row, rowsOf, setUp, titlesOf } from './setting.js';

const importOne = (target: Partial<ImportTarget<Row>>, options: Partial<RunImportOptions<Row>> = {}) =>
  importInto(target, one, options);

describe('a wait', () => {
  beforeEach(() => useFakeTimers('setTimeout', 'clearTimeout', 'performance'));

  it.each([
    { random: 1, expected: [0, 100, 300, 600, 900] },
    { random: 0, expected: [0, 50, 150, 300, 450] },
  ])(
    'between retries doubles each time up to the maximum, and is shortened by up to half (Math.random() = $random)',
    async (row) => {
      const random = vi.spyOn(Math, 'random').mockReturnValue(row.random);
      onTestFinished(() => random.mockRestore());
      const start = performance.now();
      const times: number[] = [];
      const create = () => {
        times.push(performance.now() - start);
        const context = { outcome: 'rejected', status: 503, headers: new Headers(), body: '' } as const;
        return Promise.reject(new ServerError('busy', context));
      };
      const report = importOne({ create }, { retry: { limit: 4, delay: 100, maxDelay: 300 } });
      const stopped = expect(report).rejects.toThrow('busy');
      await vi.runAllTimersAsync();
      await stopped;
      expect(times).toEqual(row.expected);
    },
  );

  it("of `lookupDelay` doesn't affect a row that isn't in doubt", async () => {
    const finished = vi.fn();
    importOne({}, { lookupDelay: 60_000 }).then(finished, finished);
    await vi.advanceTimersByTimeAsync(0);
    expect(finished).toHaveBeenCalledWith(expect.objectContaining({ created: 1 }));
  });

  it('of `lookupDelay` starts when the response is lost', async () => {
    const find = vi.fn(async function* () {
      yield { id: 'x' };
    });
    const target: Partial<ImportTarget<Row>> = {
      async create() {
        await new Promise((resolve) => setTimeout(resolve, 10_000));
        throw new Error('the socket is gone');
      },
      lookup: { group: () => '', find, match: () => 'yes', isIdentity: true },
    };
    const report = importOne(target, { lookupDelay: 2000, retry: { delay: 1 } });
    await vi.advanceTimersByTimeAsync(11_999);
    expect(find).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(find).toHaveBeenCalledTimes(1);
    expect(await report).toMatchObject({ recovered: 1 });
  });

  it.each([
    [2, 1999, 2000],
    [undefined, 29_999, 60_000],
    // With a longer delay, timers would fire immediately.
    [3_000_000, 2 ** 31 - 2, 2 ** 31 - 1],
  ])(
    "for a Retry-After of %j lasts %i to %i ms and isn't counted as an attempt",
    async (retryAfter, tooEarly, latest) => {
      const error = new RateLimitError('slow down', { outcome: 'rejected', retryAfter } as never);
      const create = vi.fn(async () => ({ id: 'x' })).mockRejectedValueOnce(error);
      let report: Promise<unknown> | undefined;
      await new Promise<void>((resolve) => {
        const options = { onProgress: () => resolve(), retry: { limit: 0, delay: 60_000, maxDelay: 60_000 } };
        report = importOne({ create }, options);
      });
      await vi.advanceTimersByTimeAsync(tooEarly);
      expect(create).toHaveBeenCalledTimes(1);
      await vi.advanceTimersByTimeAsync(latest - tooEarly);
      expect(create).toHaveBeenCalledTimes(2);
      expect(await report).toMatchObject({ created: 1, failed: 0 });
    },
  );
});

describe('a row', () => {
  it("is retried if its request couldn't be sent", async () => {
    const error = new ConnectionError('connection refused', { outcome: 'not_sent' });
    const create = vi.fn(async () => ({ id: 'x' })).mockRejectedValueOnce(error);
    expect(await importOne({ create })).toMatchObject({ created: 1, failed: 0 });
  });

  it.each([408, 425, 500, 502, 504])('is retried after a %i response', async (status) => {
    const { run, mock, titles } = setUp();
    mock.faults.add({ operation: 'tickets.create', status, times: 1 });
    expect(await run({ rows: one })).toMatchObject({ failed: 0, unknown: 0 });
    expect(titles()).toHaveLength(1);
  });
});

describe('a row that never succeeds', () => {
  it('fails if it was never created, without blocking other rows', async () => {
    const { run, mock, ledger } = setUp();
    mock.override('tickets.create', ({ body }, next) =>
      body.title.includes('1') ? new Response('{}', { status: 425 }) : next(),
    );
    const report = await run({ rows: rowsOf(3), retry: { limit: 2, delay: 5, maxDelay: 5 } });
    expect(report).toMatchObject({
      created: 2,
      failed: 1,
      failedRows: [{ key: 'r1', state: 'failed', error: { status: 425 } }],
    });
    expect(await ledger.get('r1')).toMatchObject({ state: 'failed' });
  });

  it("stays in doubt if its record can't be looked up, without blocking other rows", async () => {
    const { run, mock, ledger } = setUp();
    mock.faults.add({ operation: 'tickets.create', error: 'response_lost', times: 1 });
    mock.faults.add({ operation: 'tickets.list', status: 503 });
    const report = await run({ rows: rowsOf(3), retry: { limit: 2, delay: 5, maxDelay: 5 } });
    expect(report).toMatchObject({
      created: 2,
      unknown: 1,
      unknownRows: [{ state: 'unknown', error: { status: 503 } }],
      requests: mock.requests.all().length,
    });
    expect(mock.requests.for('projects.get')).toHaveLength(1);
    expect(await ledger.get(report.unknownRows[0]?.key ?? '')).toMatchObject({ state: 'unknown' });
  });
});

describe('an outage', () => {
  const retry = { limit: 1, delay: 1, maxDelay: 1 };

  const operations = ['tickets.create', 'tickets.list', 'projects.get'] as const;

  /** After the first ticket, makes all requests fail until `restore` is called. */
  function setUpOutage(failure: { error: 'connection' } | { status: number }) {
    const setting = setUp();
    const { mock } = setting;
    const faults: { remove(): void }[] = [];
    mock.override('tickets.create', async (_, next) => {
      const ticket = await next();
      if (faults.length === 0)
        for (const operation of operations) faults.push(mock.faults.add({ operation, ...failure }));
      return ticket;
    });
    const restore = () => {
      for (const fault of faults) fault.remove();
    };
    return { ...setting, restore };
  }

  it.each([{ error: 'connection' }, { status: 502 }, { status: 503 }, { status: 504 }] as const)(
    'delays rows instead of failing them, and is reported: %j',
    async (failure) => {
      const { run, mock, titles, restore } = setUpOutage(failure);
      const statuses = new Set<string>();
      const report = await run({
        rows: rowsOf(10),
        retry,
        onProgress: ({ status }) => {
          statuses.add(status);
          if (mock.requests.all().length > 60) restore();
        },
      });
      expect(report).toMatchObject({ failed: 0, unknown: 0, stopped: false, status: 'running' });
      expect([...statuses]).toContain('unavailable');
      expect(titles().sort()).toEqual(titlesOf(rowsOf(10)).sort());
    },
  );

  it("doesn't keep an aborted import waiting", async () => {
    const { run } = setUpOutage({ error: 'connection' });
    const stop = new AbortController();
    const onProgress = ({ status }: { status: string }) => status === 'unavailable' && stop.abort();
    const report = await run({ rows: rowsOf(30), retry, signal: stop.signal, onProgress });
    expect(report).toMatchObject({ stopped: true, failed: 0, unknown: 0 });
  });
});

it("an import reports that it's waiting for the rate limit", async () => {
  const { run, mock } = setUp();
  mock.faults.add({ operation: 'tickets.create', status: 429, times: 1 });
  const statuses: string[] = [];
  await run({ rows: one, onProgress: ({ status }) => statuses.push(status) });
  expect(statuses).toEqual(['rate_limited', 'running']);
});
