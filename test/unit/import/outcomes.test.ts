import { getEventListeners } from 'node:events';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ConfigurationError, InvalidRequestError, UnprocessableError, Worktrack } from 'worktrack';
import { type ImportTarget, type MatchResult, memoryLedger } from 'worktrack/jobs';
import { skipWaits, useFakeTimers } from '../../support/timers.js';
import { importInto, one, type Row, rowsOf, setUp } from './setting.js';

describe('an import', () => {
  it("stops if the isFatal method of the target's class returns true for the error", async () => {
    class Things implements ImportTarget<Row> {
      readonly scope = 'things';
      readonly #fatal = 'the license has expired';
      toPayload = (row: Row) => row;
      create = () => Promise.reject(new Error(this.#fatal));
      isFatal(error: unknown) {
        return (error as Error).message === this.#fatal;
      }
    }
    await expect(importInto({}, one, { target: new Things() })).rejects.toThrow('the license has expired');
  });

  it('stops without retrying if the client is misconfigured', async () => {
    const create = vi.fn(() => Promise.reject(new ConfigurationError('no token')));
    await expect(importInto({ create })).rejects.toMatchObject({ cause: { code: 'configuration' } });
    expect(create).toHaveBeenCalledTimes(1);
  });

  it('stops without retrying if isFatal returns true for an error from the lookup', async () => {
    const create = () => Promise.reject(new Error('the socket is gone'));
    const find = vi.fn(() => {
      throw new Error('the license has expired');
    });
    const lookup = { group: () => '', find, match: () => 'yes' as const };
    const isFatal = (error: unknown) => String(error).includes('license');
    const stopped = importInto({ create, lookup, isFatal }, one, { retry: { limit: 2, delay: 1 } });
    await expect(stopped).rejects.toThrow('the license has expired');
    expect(find).toHaveBeenCalledTimes(1);
  });
});

describe('a row', () => {
  const unprocessable = (code?: string) =>
    new UnprocessableError('the board is full', {
      outcome: 'rejected',
      status: 422,
      headers: new Headers(),
      body: {},
      ...(code && { code }),
    });

  it.each([
    [
      'its payload is invalid',
      new InvalidRequestError('title is required', { outcome: 'not_sent', fieldErrors: {} }),
      { message: 'title is required', code: 'invalid_request' },
    ],
    [
      'the API rejects it',
      unprocessable(),
      { message: 'the board is full', code: 'unprocessable', status: 422 },
    ],
    [
      'the API rejects it with the code of a fatal error',
      unprocessable('configuration'),
      { message: 'the board is full', code: 'configuration', status: 422 },
    ],
  ])('fails without being retried if %s, and reports the error', async (_, error, reported) => {
    const create = vi.fn(() => Promise.reject(error));
    const report = await importInto({ create }, one);
    expect(report.failedRows[0]?.error).toEqual(reported);
    expect(create).toHaveBeenCalledTimes(1);
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['a record without an ID', {}],
    ['a numeric ID', { id: 7 }],
    ['an extremely long ID', { id: 'x'.repeat(1001) }],
  ])('is never re-created if the target returns %s', async (_, record) => {
    const create = vi.fn(async () => record as never);
    const stopped = importInto({ create }, one, { retry: { limit: 0 } });
    await expect(stopped).rejects.toThrow('the API reported success without a record ID');
    create.mockClear();
    const lookup = { group: () => '', async *find() {}, match: () => 'no' as const };
    const report = await importInto({ create, lookup }, one);
    expect(report).toMatchObject({ unknown: 1, created: 0 });
    expect(report.unknownRows[0]?.error?.message).toContain("the record can't be found");
    expect(create).toHaveBeenCalledTimes(1);
  });

  it('is in doubt if its record is already assigned to another row, and is never re-created', async () => {
    const create = vi.fn(async () => ({ id: 'same' }));
    const lookup = { group: () => '', async *find() {}, match: () => 'no' as const };
    const ledger = memoryLedger();
    const report = await importInto({ create, lookup }, rowsOf(2), { ledger });
    expect(report).toMatchObject({ created: 1, unknown: 1 });
    expect(report.unknownRows[0]).toMatchObject({ key: 'r1', candidates: [{ id: 'same' }] });
    expect(report.unknownRows[0]?.error?.message).toContain('assigned to another row');
    const next = await importInto({ create, lookup }, rowsOf(2), { ledger });
    expect(next).toMatchObject({ skipped: 1, unknown: 1 });
    expect(create).toHaveBeenCalledTimes(2);
  });
});

describe('the lookup of an in-doubt row', () => {
  beforeEach(() => skipWaits());

  const create = () => Promise.reject(new Error('the socket is gone'));
  const lookup = (count: number, match: MatchResult) => ({
    group: ({ title }: Row) => title,
    async *find() {
      for (let index = 0; index < count; index++) yield { id: `x${index}` };
    },
    match: () => match,
    isIdentity: true,
  });

  it('is repeated if another row claims the record first', async () => {
    const ledger = memoryLedger();
    const claim = vi.fn(ledger.claim.bind(ledger)).mockResolvedValueOnce(false);
    ledger.claim = claim;
    const report = await importInto({ create, lookup: lookup(1, 'yes') }, one, {
      ledger,
      retry: { limit: 2, delay: 1 },
    });
    expect(report).toMatchObject({ recovered: 1, unknown: 0 });
    expect(claim).toHaveBeenCalledTimes(2);
  });

  it('leaves the row in doubt if other rows always claim the record first', async () => {
    const ledger = memoryLedger();
    let onClaim = () => {};
    const claimed = new Promise<void>((resolve) => {
      onClaim = resolve;
    });
    ledger.claim = async ({ key }) => {
      onClaim();
      return key !== 'r0';
    };
    const target: Partial<ImportTarget<Row>> = {
      lookup: lookup(1, 'yes'),
      async create({ id }) {
        if (id === 'r0') throw new Error('the socket is gone');
        await claimed;
        return { id };
      },
    };
    const options = { ledger, concurrency: 2, retry: { limit: 199, delay: 1, maxDelay: 1 } };
    const report = await importInto(target, rowsOf(2), options);
    expect(report).toMatchObject({ created: 1, failed: 0, unknown: 1, unknownRows: [{ key: 'r0' }] });
  });

  it("ignores records that don't match", async () => {
    const create = vi.fn(async () => ({ id: 'x' })).mockRejectedValueOnce(new Error('the socket is gone'));
    const report = await importInto({ create, lookup: lookup(3, 'no') }, one);
    expect(report).toMatchObject({ created: 1, unknown: 0 });
  });

  it.each([
    { created_at: '2026-01-01T00:00:00.000Z', result: { recovered: 1 } },
    { created_at: '2025-12-31T23:59:59.999Z', result: { unknown: 1 } },
    { created_at: '2025-12-31T04:00:00.000Z', result: { unknown: 1 } },
    { created_at: '2025-12-31T03:59:59.999Z', result: { created: 1 } },
    { created_at: 'yesterday', result: { unknown: 1 } },
    { created_at: undefined, result: { unknown: 1 } },
  ])(
    'ignores a record only if it predates the row by more than maxClockSkew plus 20 hours: $created_at',
    async ({ created_at, result }) => {
      const ledger = Object.assign(memoryLedger(), { serverTime: () => '2026-01-01T00:01:00.000Z' });
      const target: Partial<ImportTarget<Row>> = {
        create: vi.fn(async () => ({ id: 'x' })).mockRejectedValueOnce(new Error('the socket is gone')),
        lookup: {
          ...lookup(1, 'yes'),
          isIdentity: false,
          async *find() {
            yield { id: 'y', created_at };
          },
        },
      };
      const report = await importInto(target, one, { ledger, maxClockSkew: 60_000 });
      expect(report).toMatchObject({ created: 0, recovered: 0, unknown: 0, ...result });
      expect(report.unknownRows.flatMap(({ candidates }) => candidates)).toHaveLength(report.unknown);
    },
  );

  it('finds the only exact match even if other records are possible matches', async () => {
    const target: Partial<ImportTarget<Row>> = {
      create,
      lookup: { ...lookup(3, 'yes'), match: (_, { id }) => (id === 'x1' ? 'exact' : 'yes') },
    };
    const ledger = memoryLedger();
    expect(await importInto(target, one, { ledger })).toMatchObject({ recovered: 1, unknown: 0 });
    expect(await ledger.get(one[0]?.id ?? '')).toMatchObject({ state: 'done', recordId: 'x1' });
  });

  it('stops the import if the credential is rejected, and finds the record on the next run', async () => {
    const { run, mock, titles } = setUp();
    mock.faults.add({ operation: 'tickets.create', error: 'response_lost', times: 1 });
    const fault = mock.faults.add({ operation: 'tickets.list', status: 401 });
    await expect(run({ rows: one })).rejects.toMatchObject({ cause: { code: 'authentication' } });
    fault.remove();
    expect(await run({ rows: one })).toMatchObject({ recovered: 1 });
    expect(titles()).toHaveLength(1);
  });

  it('leaves the row in doubt if the list changes during every pass of the search', async () => {
    const { run, mock, ledger } = setUp();
    mock.faults.add({ operation: 'tickets.create', error: 'response_lost', times: 1 });
    let lists = 0;
    mock.override('tickets.list', async (_, next) => {
      const page = await next();
      // The search before creating the row doesn't find anything. After that, every page contains tickets that
      // weren't on any other page.
      if (++lists === 1) return page;
      const [ticket] = mock.state.tickets.all();
      const data = [1, 2].map((number) => ({ ...ticket, id: `other-${lists}-${number}`, title: 'Other' }));
      return { ...page, items: data as never, total: 400 };
    });
    const report = await run({ rows: one });
    expect(report).toMatchObject({ created: 0, recovered: 0, unknown: 1 });
    expect(report.unknownRows[0]?.error?.message).toMatch(/^lookup: /);
    expect(await ledger.get('r1')).toMatchObject({ state: 'unknown' });
    expect(mock.requests.for('tickets.create')).toHaveLength(1);
  });

  it("doesn't resolve the row if a search returns more than 100 pages", async () => {
    const { run, mock, board } = setUp();
    mock.add.ticket({ board: board.id, title: 'Bug' });
    mock.faults.add({ operation: 'tickets.create', error: 'response_lost', times: 1 });
    // Every page contains the same tickets with new IDs and reports a total of 1,000 pages.
    const endless: typeof fetch = async (input, init) => {
      const url = new URL(String(input));
      const page = url.searchParams.get('page') ?? '1';
      url.searchParams.delete('page');
      const response = await mock.fetch(url.href, init);
      if (!url.searchParams.has('q')) return response;
      const { data } = await response.json();
      const tickets = data.data.map((ticket: { id: string }) => ({ ...ticket, id: `${ticket.id}-${page}` }));
      return Response.json({ data: { ...data, data: tickets, current_page: Number(page), last_page: 1000 } });
    };
    const client = new Worktrack({ ...mock.clientOptions(), fetch: endless, logLevel: 'off' });
    const report = await run({ client, rows: [{ id: 'r1', title: 'Bug' }] });
    // Each of the two searches reads the first page and the last three pages.
    expect(report).toMatchObject({ unknown: 1, requests: 11 });
    expect(report.unknownRows[0]?.error?.message).toContain('more than 100 pages');
  });
});

describe('rows', () => {
  it('are created concurrently if the target has no lookup', async () => {
    let inFlight = 0;
    let peak = 0;
    const create = async ({ id }: Row) => {
      peak = Math.max(peak, ++inFlight);
      await new Promise((resolve) => setImmediate(resolve));
      inFlight--;
      return { id };
    };
    await importInto({ create: create as ImportTarget<Row>['create'] }, rowsOf(6), { concurrency: 3 });
    expect(peak).toBe(3);
  });

  it.each<[string, unknown, unknown, number]>([
    ['with the fields in a different order', { a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 }, 0],
    ['with undefined fields', { a: 1 }, { a: 1, b: undefined }, 0],
    ['with the same null', { a: null }, { a: null }, 0],
    ['without a payload', undefined, undefined, 0],
    ['with another number', { a: 1 }, { a: 2 }, 1],
    ['with null instead of a number', { a: 1 }, { a: null }, 1],
    ['with another nested field', { a: { b: 1 } }, { a: { c: 1 } }, 1],
    ['with list items in a different order', { a: [1, 2] }, { a: [2, 1] }, 1],
    ['with an empty object instead of an empty list', { a: [] }, { a: {} }, 1],
  ])(
    "are counted as changed only if they're done and their payload differs: %s",
    async (_, before, after, changed) => {
      const ledger = memoryLedger();
      await importInto({ toPayload: () => before }, one, { ledger });
      const report = await importInto({ toPayload: () => after }, one, { ledger });
      expect(report).toMatchObject({ skipped: 1, changed });
    },
  );

  it.each([[''], [7], [undefined]])('stop the import if their key is %j', async (key) => {
    const { run } = setUp();
    await expect(run({ key: () => key as string })).rejects.toThrow(
      'the key of row 0 must be a non-empty string',
    );
  });

  it("are skipped once they're done, even if toTicket throws on the next run", async () => {
    const { run } = setUp();
    await run({ rows: one });
    const toTicket = () => {
      throw new Error('no status "Later"');
    };
    expect(await run({ rows: one, toTicket })).toMatchObject({ skipped: 1, changed: 1, failed: 0 });
  });

  it('fail if they reuse the key of another row and toTicket throws', async () => {
    const { run, board } = setUp();
    const rows = [...one, { id: 'r1', title: '' }];
    const toTicket = ({ title }: Row) => {
      if (title === '') throw 'a title is missing';
      return { board_id: board.id, title };
    };
    const report = await run({ rows, toTicket });
    expect(report).toMatchObject({ created: 1, failed: 1 });
    expect(report.failedRows[0]?.error?.message).toContain('the same key');
    const [failed] = (await run({ rows: [{ id: 'r2', title: '' }], toTicket })).failedRows;
    expect(failed?.error).toEqual({ message: 'a title is missing' });
  });
});

it("an import stops if the ledger can't be flushed", async () => {
  const { run } = setUp();
  const ledger = memoryLedger();
  ledger.flush = () => Promise.reject(new Error('no space left on device'));
  await expect(run({ rows: one, ledger })).rejects.toMatchObject({
    cause: { message: 'no space left on device' },
    report: { created: 1 },
  });
});

it("an import adds a row to the ledger before sending its request, and adds the record's ID once the request succeeds", async () => {
  const ledger = memoryLedger();
  const put = vi.spyOn(ledger, 'put');
  const claim = vi.spyOn(ledger, 'claim');
  const times = ['2026-01-02T00:00:00Z', undefined, '2026-01-01T00:00:00Z', '2026-01-03T00:00:00Z'];
  const create = async ({ id }: Row) => ({ id: `x-${id}`, created_at: times.shift() });
  await importInto({ create: create as ImportTarget<Row>['create'] }, rowsOf(4), { ledger });
  // `since` is the most recent timestamp that the server returned.
  expect(put.mock.calls.map(([{ key, state, since }]) => [key, state, since])).toEqual([
    ['r0', 'started', undefined],
    ['r1', 'started', '2026-01-02T00:00:00Z'],
    ['r2', 'started', '2026-01-02T00:00:00Z'],
    ['r3', 'started', '2026-01-01T00:00:00Z'],
  ]);
  expect(claim).toHaveBeenCalledWith({
    key: 'r0',
    state: 'done',
    recordId: 'x-r0',
    fingerprint: put.mock.calls[0]?.[0].fingerprint,
    since: '2026-01-02T00:00:00Z',
  });
});

it('an import reports its duration and how many rows and requests it completed per minute', async () => {
  let now = 1000;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
  const create = vi.fn<ImportTarget<Row, Row>['create']>(async ({ id }, { countRequests }) => {
    now += 30_000;
    countRequests(3);
    return { id };
  });
  create.mockRejectedValueOnce(new Error('the socket is gone'));
  const lookup = {
    group: ({ title }: Row) => title,
    async *find() {
      yield { id: 'found' };
    },
    match: () => 'yes' as const,
    isIdentity: true,
  };
  expect(await importInto({ create, lookup }, rowsOf(3))).toMatchObject({
    created: 2,
    recovered: 1,
    durationMs: 60_000,
    rowsPerMinute: 3,
    requestsPerMinute: 6,
  });
});

it.each([undefined, 5, {}, { create: 'ticket' }])('runImport rejects the target %j', async (target) => {
  await expect(importInto({}, one, { target: target as never })).rejects.toMatchObject({
    code: 'configuration',
    message: expect.stringContaining('option "target" must be a target, such as ticketTarget(…)'),
  });
});

describe('an aborted import', () => {
  it.each([
    ['tickets.create', 'memory', {}],
    ['tickets.create', 'shared', { confirmOwnership: () => {} }],
    ['tickets.list', 'memory', {}],
  ] as const)(
    'cancels a %s request that is still pending after five seconds (ledger: %s)',
    async (operation, _, methods) => {
      const { run, mock } = setUp();
      useFakeTimers('setTimeout', 'clearTimeout');
      if (operation === 'tickets.list') {
        mock.faults.add({ operation: 'tickets.create', error: 'response_lost', times: 1 });
      }
      const stop = new AbortController();
      mock.override(operation, () => {
        stop.abort();
        return new Promise(() => {});
      });
      const finished = vi.fn();
      const ledger = Object.assign(memoryLedger(), methods);
      const report = run({ rows: one, ledger, signal: stop.signal }).finally(finished);
      await vi.waitFor(() => expect(stop.signal.aborted).toBe(true));
      await vi.advanceTimersByTimeAsync(4900);
      expect(finished).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(100);
      expect(await report).toMatchObject({ stopped: true, created: 0, failed: 0, unknown: 0 });
    },
  );

  it.each(['toTicket', 'isMatch'])("doesn't wait for a promise from %s that never settles", async (name) => {
    const { run, mock } = setUp();
    useFakeTimers('setTimeout', 'clearTimeout');
    mock.faults.add({ operation: 'tickets.create', error: 'response_lost', times: 1 });
    const stop = new AbortController();
    const callback = () => {
      stop.abort();
      return new Promise<never>(() => {});
    };
    const report = run({ rows: one, signal: stop.signal, [name]: callback });
    await vi.waitFor(() => expect(stop.signal.aborted).toBe(true));
    await vi.advanceTimersByTimeAsync(5000);
    expect(await report).toMatchObject({ stopped: true, created: 0, failed: 0, unknown: 0 });
  });

  it("doesn't read any rows if its signal is already aborted", async () => {
    const report = await importInto({}, rowsOf(3), { signal: AbortSignal.abort() });
    expect(report).toMatchObject({ stopped: true, read: 0, requests: 0 });
  });
});

it('an import removes its listener from the signal', async () => {
  const { signal } = new AbortController();
  await importInto({}, one, { signal });
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

it("an import doesn't leave any timers behind when it stops", async () => {
  useFakeTimers('setTimeout', 'clearTimeout');
  const create = () => Promise.reject(new ConfigurationError('no token'));
  await expect(importInto({ create }, rowsOf(2), { concurrency: 2 })).rejects.toThrow('no token');
  expect(vi.getTimerCount()).toBe(0);
});

describe('the row iterator', () => {
  const iterate = (next: () => unknown, close: () => unknown = () => ({})) =>
    ({ [Symbol.asyncIterator]: () => ({ next, return: close }) }) as never;

  it("isn't closed or used again after it's exhausted", async () => {
    const values = rowsOf(2).values();
    const [next, close] = [vi.fn(() => values.next()), vi.fn()];
    await importInto({}, iterate(next, close), { concurrency: 5 });
    expect(next).toHaveBeenCalledTimes(3);
    expect(close).not.toHaveBeenCalled();
  });

  it("isn't used again after it throws an error", async () => {
    const next = vi.fn(() => Promise.reject(new Error('the file is gone')));
    const close = vi.fn();
    const stopped = importInto({}, iterate(next, close), { concurrency: 3 });
    await expect(stopped).rejects.toThrow('the file is gone');
    await new Promise((resolve) => setImmediate(resolve));
    expect(next).toHaveBeenCalledTimes(1);
    expect(close).not.toHaveBeenCalled();
  });

  it("isn't used again once the import is aborted", async () => {
    const stop = new AbortController();
    let deliver: (result: unknown) => void = () => {};
    const next = vi.fn(() => {
      queueMicrotask(() => stop.abort());
      return new Promise((resolve) => {
        deliver = resolve;
      });
    });
    const options = { signal: stop.signal, concurrency: 3 };
    expect(await importInto({}, iterate(next), options)).toMatchObject({ stopped: true, read: 0 });
    deliver({ done: false, value: one[0] });
    await new Promise((resolve) => setImmediate(resolve));
    expect(next).toHaveBeenCalledTimes(1);
  });

  const fail = () => {
    throw new Error('the file is gone');
  };

  it.each([
    ['throws', fail],
    ['rejects', async () => fail()],
  ])("doesn't affect the report if closing it %s", async (_, close) => {
    const values = rowsOf(2).values();
    const stop = new AbortController();
    const create = async () => {
      stop.abort();
      return { id: 'x' };
    };
    const rows = iterate(() => values.next(), close);
    expect(await importInto({ create }, rows, { signal: stop.signal })).toMatchObject({
      stopped: true,
      created: 1,
    });
  });
});
