import { describe, expect, it, vi } from 'vitest';
import { Worktrack } from 'worktrack';
import {
  type ImportProgress,
  LedgerError,
  memoryLedger,
  runImport,
  ticketTarget,
  type UnresolvedRow,
} from 'worktrack/import';
import { sameHtml } from '../../../src/import/match.js';
import { skipWaits, useFakeTimers } from '../../support/timers.js';
import { cpuTimeOf, type Row, rowsOf, setUp, titlesOf } from './setting.js';

const one: Row[] = [{ id: 'r1', title: 'Fuel the rocket' }];

describe('an outage', () => {
  /** After the first ticket, makes all requests fail until `restore` is called. */
  function setUpOutage() {
    const setting = setUp();
    const { mock } = setting;
    const faults = ['tickets.create', 'tickets.list'].map((operation) =>
      mock.faults.add({
        operation: operation as 'tickets.create',
        error: 'connection',
        after: operation === 'tickets.create' ? 1 : 2,
      }),
    );
    return { ...setting, restore: () => faults.map((fault) => fault.remove()) };
  }

  it('delays rows instead of failing them, and is reported', async () => {
    const { run, titles, restore } = setUpOutage();
    const seen: ImportProgress[] = [];
    const report = await run({
      rows: rowsOf(30),
      retry: { limit: 1, delay: 1, maxDelay: 1 },
      concurrency: 2,
      onProgress: (progress) => {
        seen.push(progress);
        if (seen.length === 60) restore();
      },
    });
    expect(seen.length).toBeGreaterThan(60);
    expect(seen.some(({ status }) => status === 'unavailable')).toBe(true);
    expect(report).toMatchObject({ created: 30, failed: 0, unknown: 0, status: 'running' });
    expect(titles().sort()).toEqual(titlesOf(rowsOf(30)).sort());
  });

  it("doesn't keep an aborted import waiting", async () => {
    const { run } = setUpOutage();
    const stop = new AbortController();
    const report = await run({
      rows: rowsOf(30),
      retry: { limit: 1, delay: 1, maxDelay: 1 },
      signal: stop.signal,
      onProgress: ({ status }) => status === 'unavailable' && stop.abort(),
    });
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

describe('a re-created row', () => {
  it('is reported if its first record appears later', async () => {
    const { run, mock, titles, ledger } = setUp();
    mock.faults.add({ operation: 'tickets.create', error: 'response_lost', times: 1 });
    let searches = 0;
    mock.override('tickets.list', async (_, next) => {
      const page = await next();
      // Neither the search before creating the row nor the lookup finds anything.
      return ++searches <= 2 ? { ...page, items: [], data: [], total: 0 } : page;
    });
    const report = await run({ rows: one });
    expect(report).toMatchObject({ created: 1, recreated: 1 });
    const { recordId } = (await ledger.get('r1')) ?? {};
    const [first] = mock.state.tickets.filter(({ id }) => id !== recordId);
    expect(report.suspectedDuplicates).toEqual([
      { key: 'r1', recordId, candidates: [expect.objectContaining({ id: first?.id })] },
    ]);
    expect(titles()).toHaveLength(2);
  });

  it('is reported if its second response is also lost and a search finds only the second record', async () => {
    const { run, mock, titles, ledger } = setUp();
    mock.faults.add({ operation: 'tickets.create', error: 'response_lost', times: 2 });
    let searches = 0;
    mock.override('tickets.list', async (_, next) => {
      const page = await next();
      const [first] = mock.state.tickets.all();
      // Searches don't find the row's first record until the row is recovered.
      return ++searches <= 3 ? { ...page, items: page.items.filter(({ id }) => id !== first?.id) } : page;
    });
    const report = await run({ rows: one });
    expect(report).toMatchObject({ created: 0, recovered: 1, recreated: 1 });
    const { recordId } = (await ledger.get('r1')) ?? {};
    const [first, second] = mock.state.tickets.all();
    expect(recordId).toBe(second?.id);
    expect(report.suspectedDuplicates).toEqual([
      { key: 'r1', recordId, candidates: [expect.objectContaining({ id: first?.id })] },
    ]);
    expect(titles()).toHaveLength(2);
  });

  it.each([
    { lookupDelay: 0, wait: 1000 },
    { lookupDelay: 2000, wait: 10_000 },
  ])('with a lookupDelay of $lookupDelay is searched for once more $wait ms later', async (setting) => {
    const { run, mock, titles } = setUp();
    skipWaits('performance');
    mock.faults.add({ operation: 'tickets.create', error: 'response_lost', times: 1 });
    let createdAt = 0;
    mock.override('tickets.create', (_, next) => {
      createdAt = performance.now();
      return next();
    });
    const searchedAfter: number[] = [];
    mock.override('tickets.list', async (_, next) => {
      searchedAfter.push(performance.now() - createdAt);
      return { ...(await next()), items: [] };
    });
    await run({ rows: one, lookupDelay: setting.lookupDelay });
    expect(titles()).toHaveLength(2);
    expect(searchedAfter.at(-1)).toBeGreaterThanOrEqual(setting.wait);
    expect(searchedAfter.at(-1)).toBeLessThan(setting.wait + 100);
  });

  it("doesn't delay an aborted import", async () => {
    const { run, mock } = setUp();
    skipWaits('performance');
    mock.faults.add({ operation: 'tickets.create', error: 'response_lost', times: 1 });
    mock.override('tickets.list', async (_, next) => ({ ...(await next()), items: [] }));
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 500);
    const started = performance.now();
    const report = await run({ rows: one, lookupDelay: 1, signal: stop.signal });
    expect(report).toMatchObject({ stopped: true, suspectedDuplicates: [{ key: 'r1', candidates: [] }] });
    expect(performance.now() - started).toBe(500);
  });

  it('is reported even if the first attempt at its second request is rejected', async () => {
    const { run, mock, titles } = setUp();
    mock.faults.add({ operation: 'tickets.create', error: 'response_lost', times: 1 });
    mock.faults.add({ operation: 'tickets.create', status: 425, after: 1, times: 1 });
    mock.override('tickets.list', async (_, next) => {
      const page = await next();
      return titles().length < 2 ? { ...page, items: [] } : page;
    });
    expect(await run({ rows: one })).toMatchObject({ created: 1, suspectedDuplicates: [{ key: 'r1' }] });
    expect(titles()).toHaveLength(2);
  });

  it("isn't reported if it has only one record", async () => {
    const { run, mock } = setUp();
    mock.faults.add({ operation: 'tickets.create', error: 'connection', times: 1 });
    const report = await run({ rows: one });
    expect(report).toMatchObject({ created: 1, recreated: 1, suspectedDuplicates: [] });
  });

  it('is reported without candidates if the last search fails', async () => {
    const { run, mock } = setUp();
    mock.faults.add({ operation: 'tickets.create', error: 'connection', times: 1 });
    mock.faults.add({ operation: 'tickets.list', status: 500, after: 2 });
    const report = await run({ rows: one });
    expect(report.suspectedDuplicates).toMatchObject([{ key: 'r1', candidates: [] }]);
  });
});

describe('onUnresolved', () => {
  it('is called for every failed row, and receives an error code for a key that is used twice', async () => {
    const { run } = setUp();
    const unresolved: UnresolvedRow<Row>[] = [];
    const rows = [...rowsOf(1100), { id: 'r0', title: 'Another' }];
    const toTicket = () => {
      throw new Error('never');
    };
    const report = await run({ rows, toTicket, onUnresolved: (row) => unresolved.push(row) });
    expect(report.failedRows).toHaveLength(1000);
    expect(unresolved).toHaveLength(1101);
    expect(unresolved.filter(({ error }) => error?.code === 'duplicate_key')).toMatchObject([
      { key: 'r0', row: { title: 'Another' } },
    ]);
  });

  it("doesn't stop the import if it throws", async () => {
    const { run } = setUp();
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const toTicket = () => {
      throw new Error('never');
    };
    const onUnresolved = () => {
      throw new Error('the disk is full');
    };
    expect(await run({ rows: rowsOf(2), toTicket, onUnresolved })).toMatchObject({ failed: 2 });
    expect(log.mock.calls).toEqual([['worktrack: import: onUnresolved failed: Error: the disk is full']]);
    log.mockRestore();
  });
});

describe('an edited in-doubt row', () => {
  /** Runs an import whose only row is in doubt. */
  async function setUpDoubt(error: 'response_lost' | 'connection') {
    const setting = setUp();
    const { run, mock } = setting;
    mock.faults.add({ operation: 'tickets.create', error, times: 1 });
    const searches = mock.faults.add({ operation: 'tickets.list', status: 503, after: 1 });
    await expect(run({ rows: one, retry: { limit: 0 } })).rejects.toThrow();
    searches.remove();
    return setting;
  }

  const edited = [{ id: 'r1', title: 'Fuel the plane' }];
  const described = [{ id: 'r1', title: 'Fuel the rocket', text: '<p>Today</p>' }];

  it.each([edited, described])('is created if it has no record yet: %j', async (row) => {
    const { run, titles } = await setUpDoubt('connection');
    expect(await run({ rows: [row] })).toMatchObject({ created: 1, unknown: 0 });
    expect(titles()).toEqual([row.title]);
  });

  it.each([edited, described])('stays in doubt if a record matches its earlier content: %j', async (row) => {
    const { run, mock, titles, client } = await setUpDoubt('response_lost');
    const [ticket] = mock.state.tickets.all();
    const report = await run({ rows: [row] });
    expect(report).toMatchObject({ created: 0, unknown: 1 });
    expect(report.unknownRows[0]?.error?.message).toContain('the row has changed');
    expect(report.unknownRows[0]?.candidates).toMatchObject([{ id: ticket?.id }]);
    await client.tickets.delete(ticket?.id ?? '');
    expect(await run({ rows: [row] })).toMatchObject({ created: 1, unknown: 0 });
    expect(titles()).toEqual([row.title]);
  });

  it('is matched if its record was edited in the same way', async () => {
    const { run, mock, client, titles } = await setUpDoubt('response_lost');
    await client.tickets.update(mock.state.tickets.all()[0]?.id ?? '', { title: 'Fuel the plane' });
    expect(await run({ rows: edited })).toMatchObject({ recovered: 1, created: 0 });
    expect(titles()).toEqual(['Fuel the plane']);
  });
});

it("a ledger entry stays small no matter how large the server's responses are", async () => {
  const { run, mock, ledger } = setUp();
  const long = 'x'.repeat(2000);
  const errors = Object.fromEntries(rowsOf(50).map(({ id }) => [`${id}${long.slice(0, 500)}`, [long, long]]));
  mock.override(
    'tickets.create',
    () =>
      new Response(JSON.stringify({ message: long, code: long, errors }), {
        status: 422,
        headers: { 'content-type': 'application/json' },
      }),
  );
  expect(await run({ rows: one })).toMatchObject({ failed: 1 });
  const entry = await ledger.get('r1');
  expect(Object.keys(entry?.error?.fieldErrors ?? {})).toHaveLength(20);
  expect(JSON.stringify(entry).length).toBeLessThan(25_000);
});

it('a record with an extremely long ID is never re-created', async () => {
  const { run, mock } = setUp();
  mock.override('tickets.create', async (_, next) => ({ ...(await next()), id: 'x'.repeat(1001) }));
  mock.override('tickets.list', async (_, next) => ({ ...(await next()), items: [], data: [] }));
  expect(await run({ rows: one })).toMatchObject({ created: 0, unknown: 1 });
  expect(mock.requests.for('tickets.create')).toHaveLength(1);
});

it('a row is looked up after a 408 response, because the server may still process the request', async () => {
  const { run, mock, titles } = setUp();
  mock.override('tickets.create', async (_, next) => {
    await next();
    mock.override('tickets.create', (_request, proceed) => proceed());
    return new Response('{}', { status: 408 });
  });
  await run({ rows: one, ledger: memoryLedger() });
  expect(titles()).toHaveLength(1);
});

it('comparing HTML with many combining marks takes linear time', () => {
  const text = '\u0327\u0301'.repeat(100_000);
  expect(cpuTimeOf(() => expect(sameHtml(`a${text}`, `b${text}`)).toBe(false))).toBeLessThan(2000);
  expect(sameHtml('e\u0301', '\u00e9')).toBe(true);
});

describe('an import behind a gateway that responds for an unavailable API', () => {
  /** After the first ticket, makes the gateway respond to every request with the given status. */
  function setUpGateway(status: number) {
    const setting = setUp();
    let isDown = false;
    let rejected = 0;
    for (const operation of ['tickets.create', 'tickets.list', 'projects.get'] as const) {
      setting.mock.override(operation, async (_, next) => {
        if (isDown) {
          rejected++;
          return new Response('<h1>Bad gateway</h1>', { status });
        }
        const result = await next();
        if (operation === 'tickets.create' && rejected === 0) isDown = true;
        return result;
      });
    }
    return { ...setting, rejected: () => rejected, restore: () => (isDown = false) };
  }
  const retry = { limit: 1, delay: 1, maxDelay: 1 };

  it.each([502, 503, 504])('delays rows instead of failing them if the status is %d', async (status) => {
    const { run, titles, rejected, restore } = setUpGateway(status);
    const statuses = new Set<string>();
    const report = await run({
      rows: rowsOf(10),
      retry,
      onProgress: (progress) => {
        statuses.add(progress.status);
        if (rejected() > 60) restore();
      },
    });
    expect(report).toMatchObject({ failed: 0, unknown: 0, stopped: false });
    expect([...statuses]).toContain('unavailable');
    expect(titles().sort()).toEqual(titlesOf(rowsOf(10)).sort());
  });

  it("leaves a row in doubt if it's the only one that can't be looked up", async () => {
    const { run, mock } = setUp();
    mock.faults.add({ operation: 'tickets.create', error: 'response_lost', times: 1 });
    mock.faults.add({ operation: 'tickets.list', status: 503 });
    expect(await run({ rows: rowsOf(3), retry })).toMatchObject({ created: 2, unknown: 1 });
    expect(mock.requests.for('projects.get')).toHaveLength(1);
  });
});

describe('an import that was suspended before sending a request', () => {
  it("doesn't send the request if another process has taken over the ledger", async () => {
    const { mock, ledger } = setUp();
    const client = new Worktrack({
      ...mock.clientOptions(),
      fetch: mock.fetch,
      throttle: { requestsPerMinute: 3 },
      logLevel: 'off',
    });
    const target = ticketTarget<Row>({
      client,
      project: mock.state.projects.all()[0]?.id ?? '',
      toTicket: ({ title }) => ({ board_id: mock.state.boards.all()[0]?.id ?? '', title }),
    });
    useFakeTimers('setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance');
    let isLost = false;
    const confirmOwnership = vi.fn(() => {
      if (isLost) throw new LedgerError('the ledger was taken over');
    });
    const options = { target, rows: rowsOf(3), ledger: Object.assign(ledger, { confirmOwnership }) };
    const report = runImport<Row>({ ...options, key: ({ id }) => id, concurrency: 1, lookupDelay: 0 });
    const stopped = expect(report).rejects.toThrow('the ledger was taken over');
    await vi.advanceTimersByTimeAsync(30_000);
    // The search before creating the first row is also a request. The third row waits for its turn.
    expect(mock.requests.for('tickets.create')).toHaveLength(2);
    isLost = true;
    await vi.advanceTimersByTimeAsync(100_000);
    await stopped;
    expect(mock.requests.for('tickets.create')).toHaveLength(2);
  });
});

it.each([
  ['characters that normalization expands', '\ufdfa'],
  ['entities', '&nbsp;'],
  ['combining marks', 'a\u0327\u0301'],
])('comparing documents of the maximum length finishes within the time limit: %s', (_, unit) => {
  const document = unit.repeat(1_000_000 / unit.length);
  expect(sameHtml(document, `${document}x`)).toBe(false);
  expect(sameHtml('x', document.repeat(3))).toBe(false);
});

it('an import can be aborted while it compares many long descriptions', async () => {
  const { run, mock, board } = setUp();
  const text = `<p>${'&nbsp;x'.repeat(25_000)}</p>`;
  for (let count = 0; count < 12; count++) {
    mock.add.ticket({ board: board.id, title: 'Fuel the rocket', description_html: `${text}${count}` });
  }
  mock.faults.add({ operation: 'tickets.create', error: 'response_lost', times: 1 });
  const stop = new AbortController();
  let wasAborted = false;
  mock.override('tickets.list', async (_, next) => {
    const page = await next();
    setImmediate(() => {
      wasAborted = true;
      stop.abort();
    });
    return page;
  });
  const report = await run({ rows: [{ ...one[0], text } as Row], signal: stop.signal });
  expect(wasAborted).toBe(true);
  expect(report.stopped).toBe(true);
});
