import { describe, expect, it, vi } from 'vitest';
import type { Ticket } from 'worktrack';
import { importDocuments, memoryLedger, runImport } from 'worktrack/jobs';
import { omitFromList } from '../../support/clients.js';
import { skipWaits } from '../../support/timers.js';
import { one, type Row, rowsOf, setUp, titlesOf } from './setting.js';

describe('an in-doubt row', () => {
  it('is created exactly once even if other rows are identical', async () => {
    const { run, mock, titles } = setUp();
    for (const error of ['response_lost', 'truncated', 'malformed', 'connection'] as const) {
      mock.faults.add({ operation: 'tickets.create', error, probability: 0.15 });
    }
    mock.faults.add({ operation: 'tickets.create', status: 503, probability: 0.1 });
    mock.faults.add({ operation: 'tickets.list', status: 503, probability: 0.1 });
    const rows = Array.from({ length: 100 }, (_, index) => ({
      id: `r${index}`,
      title: `Bug ${index % 7}`,
      text: '<p>See log</p>',
    }));
    const report = await run({ rows, retry: { limit: 59, delay: 1, maxDelay: 1 } });
    expect(titles().sort()).toEqual(titlesOf(rows).sort());
    expect(report).toMatchObject({ failed: 0, unknown: 0 });
    expect(report.recovered).toBeGreaterThan(10);
  });

  it('is looked up on the next run after a crash', async () => {
    const { run, ledger, titles } = setUp();
    // The server creates the records, but the process exits before updating the ledger.
    const claim = vi.spyOn(ledger, 'claim').mockRejectedValue(new Error('killed'));
    await run({ rows: rowsOf(4) }).catch(() => {});
    claim.mockRestore();
    expect(titles().length).toBeGreaterThan(0);
    const before = titles().length;
    expect(await run({ rows: rowsOf(4) })).toMatchObject({
      created: 4 - before,
      recovered: before,
      unknown: 0,
    });
    expect(titles().sort()).toEqual(titlesOf(rowsOf(4)));
  });

  it('is found after `lookupDelay` if new records are slow to appear in searches', async () => {
    const { run, mock, titles } = setUp();
    skipWaits('performance');
    mock.faults.add({ operation: 'tickets.create', error: 'response_lost', times: 1 });
    const hidden = performance.now() + 100;
    mock.override('tickets.list', async (_, next) => {
      const page = await next();
      return performance.now() < hidden ? { ...page, items: [], data: [], total: 0 } : page;
    });
    expect(await run({ rows: one, lookupDelay: 150 })).toMatchObject({ recovered: 1 });
    expect(titles()).toHaveLength(1);
  });

  it('stays in doubt if the only matching record could belong to another in-doubt row', async () => {
    const { run, mock, titles } = setUp();
    const { token } = mock.clientOptions();
    mock.credentials.setScopes(token, ['tickets:write']);
    mock.faults.add({ operation: 'tickets.create', error: 'connection', times: 1 });
    mock.faults.add({ operation: 'tickets.create', error: 'response_lost', times: 1 });
    const rows = ['r1', 'r2'].map((id) => ({ id, title: 'Bug' }));
    expect(await run({ rows })).toMatchObject({ unknown: 2 });
    mock.credentials.setScopes(token, ['*']);
    const report = await run({ rows });
    expect(report).toMatchObject({ created: 0, recovered: 0, unknown: 2, finished: 2 });
    for (const { error, candidates } of report.unknownRows) {
      expect(error?.message).toContain('several records match');
      expect(candidates).toHaveLength(1);
    }
    expect(titles()).toHaveLength(1);
  });

  it.each([
    ['stays in doubt if another in-doubt row is identical to the matching record', 'Same', { unknown: 2 }],
    [
      "is recovered if the matching record isn't identical to the other in-doubt row",
      'Other',
      { recovered: 1 },
    ],
  ])('%s', async (_, text, expected) => {
    const { run, mock } = setUp();
    const rows = [...one, { id: 'r2', title: 'Bug', text: 'Same' }, { id: 'r3', title: 'Bug', text }];
    mock.faults.add({ operation: 'tickets.create', error: 'response_lost', after: 1, times: 1 });
    mock.faults.add({ operation: 'tickets.create', error: 'connection', after: 1, times: 1 });
    const forbidden = mock.faults.add({ operation: 'tickets.list', status: 403 });
    expect(await run({ rows, concurrency: 1 })).toMatchObject({ unknown: 2 });
    forbidden.remove();
    expect(await run({ rows, concurrency: 1 })).toMatchObject(expected);
  });

  it('stays in doubt and lists its candidates until only one record matches', async () => {
    const { run, mock, board, client, ledger, titles } = setUp();
    mock.override('tickets.create', (_, next) => {
      mock.add.ticket({ board: board.id, title: 'Fuel the rocket' });
      return next();
    });
    mock.faults.add({ operation: 'tickets.create', error: 'response_lost', times: 1 });
    const report = await run({ rows: one });
    expect(report).toMatchObject({ created: 0, unknown: 1 });
    expect(report.unknownRows).toMatchObject([
      { key: 'r1', row: one[0], candidates: [{ title: 'Fuel the rocket' }, { title: 'Fuel the rocket' }] },
    ]);
    expect(await run({ rows: one })).toMatchObject({ unknown: 1 });
    expect(titles()).toHaveLength(2);
    const [candidate] = (await ledger.get('r1'))?.candidates ?? [];
    await client.tickets.delete(candidate?.id ?? '');
    expect(await run({ rows: one })).toMatchObject({ recovered: 1 });
    expect(titles()).toHaveLength(1);
  });

  it('stays in doubt if its content has changed since the import started creating it', async () => {
    const { run, ledger, titles } = setUp();
    await ledger.put({ key: 'r1', state: 'started', fingerprint: 'ffffffff', group: 'Fuel the rocket' });
    const report = await run({ rows: one });
    expect(report.unknownRows[0]?.error?.message).toContain('the row has changed');
    expect(titles()).toEqual([]);
  });

  it("is reported if it's missing from the input", async () => {
    const { run, ledger } = setUp();
    await ledger.put({ key: 'gone', state: 'started', fingerprint: 'ffffffff', group: 'x' });
    const report = await run({ rows: one });
    expect(report).toMatchObject({ created: 1, unknown: 1, unknownRows: [{ key: 'gone' }] });
    expect(report.unknownRows[0]?.error?.message).toContain('no longer in the input');
  });

  it("isn't reported as missing if the import stops before reading it", async () => {
    const { run, ledger } = setUp();
    await ledger.put({ key: 'r1', state: 'started', fingerprint: 'ffffffff', group: 'x' });
    const report = await run({ rows: one, signal: AbortSignal.abort() });
    expect(report).toMatchObject({ stopped: true, unknown: 0, unknownRows: [] });
  });

  it('is never re-created after the API has reported success, even if no search finds the record', async () => {
    const { run, mock, titles } = setUp();
    mock.faults.add({ operation: 'tickets.create', error: 'malformed', times: 1 });
    mock.override('tickets.list', async (_, next) => ({ ...(await next()), items: [], data: [] }));
    for (let attempt = 1; attempt <= 2; attempt++) {
      const report = await run({ rows: one });
      expect(report).toMatchObject({ unknown: 1, created: 0 });
      expect(report.unknownRows[0]?.error?.message).toContain("the record can't be found");
    }
    expect(titles()).toHaveLength(1);
  });

  it("stays in doubt if the credential can't search, but doesn't block other rows", async () => {
    const { run, mock, titles } = setUp();
    mock.credentials.setScopes(mock.clientOptions().token, ['tickets:write']);
    mock.faults.add({ operation: 'tickets.create', error: 'response_lost', after: 2, times: 1 });
    const report = await run({ concurrency: 1 });
    expect(report).toMatchObject({ created: 9, unknown: 1 });
    expect(report.unknownRows[0]?.error?.message).toContain('tickets:read');
    expect(titles()).toHaveLength(10);
  });

  it('stays in doubt if `isMatch` throws an error, without blocking other rows', async () => {
    const { run, mock, titles } = setUp();
    mock.faults.add({ operation: 'tickets.create', error: 'response_lost', after: 1, times: 1 });
    const isMatch = () => {
      throw new TypeError('no description');
    };
    const report = await run({ rows: rowsOf(3), concurrency: 1, isMatch });
    expect(report).toMatchObject({
      created: 2,
      unknown: 1,
      unknownRows: [{ key: 'r1', error: { message: 'isMatch failed: no description' } }],
    });
    expect(titles()).toHaveLength(3);
    expect(await run({ rows: rowsOf(3) })).toMatchObject({ recovered: 1 });
  });

  it.each([
    ['by `isMatch`', (row: Row, { description_html }: Ticket) => description_html === row.text],
    ['by its fields', undefined],
  ])('is matched %s even if the server omits description_html from lists', async (_, isMatch) => {
    const { run, mock, client, titles } = setUp();
    omitFromList(mock, 'tickets.list', 'description_html');
    mock.faults.add({ operation: 'tickets.create', error: 'response_lost', times: 1 });
    const rows = [{ id: 'r1', title: 'Fuel the rocket', text: '<p>From r1</p>' }];
    const report = await run({ rows, isMatch, client: client.withOptions({ responseValidation: 'off' }) });
    expect(report).toMatchObject({ recovered: 1, created: 0 });
    expect(titles()).toEqual(['Fuel the rocket']);
  });
});

it('importDocuments creates every document exactly once, even if some have the same title', async () => {
  const { mock, client } = setUp();
  const rows = rowsOf(40).map((row, index) => ({ ...row, title: `Plan ${index % 4}` }));
  mock.faults.add({ operation: 'documents.create', error: 'response_lost', probability: 0.4 });
  mock.faults.add({ operation: 'documents.create', error: 'connection', probability: 0.2 });
  const report = await importDocuments<Row>({
    client,
    rows,
    key: ({ id }) => id,
    toDocument: ({ title }) => ({ title, content_html: `<p>${title}</p>`, tag_names: ['old'] }),
    ledger: memoryLedger(),
    lookupDelay: 0,
    retry: { limit: 39, delay: 1, maxDelay: 1 },
  });
  expect(report).toMatchObject({ failed: 0, unknown: 0, read: 40 });
  expect(
    mock.state.documents
      .all()
      .map(({ title }) => title)
      .sort(),
  ).toEqual(titlesOf(rows).sort());
});

it('runImport never retries an in-doubt row if the target has no lookup', async () => {
  const { mock, client, board } = setUp();
  const ticket = mock.add.ticket({ board: board.id });
  mock.faults.add({ operation: 'tickets.comments.create', error: 'response_lost', after: 1, times: 1 });
  const ledger = memoryLedger();
  const run = () =>
    runImport<Row>({
      rows: rowsOf(3),
      key: ({ id }) => id,
      ledger,
      lookupDelay: 0,
      retry: { delay: 1 },
      concurrency: 1,
      target: {
        scope: 'comments',
        toPayload: ({ title }) => ({ body_html: title }),
        create: (comment, { signal }) =>
          client.tickets.comments.create(ticket.id, comment as { body_html: string }, { signal }),
      },
    });
  expect(await run()).toMatchObject({
    created: 2,
    unknown: 1,
    unknownRows: [
      { key: 'r1', candidates: [], error: { message: expect.stringContaining('has no lookup') } },
    ],
  });
  expect(await run()).toMatchObject({ skipped: 2, unknown: 1, created: 0 });
  expect(mock.requests.for('tickets.comments.create')).toHaveLength(3);
});

it("a row that can't be converted stays in doubt, and is looked up once it can be converted", async () => {
  const { mock, run, ledger, titles } = setUp();
  mock.faults.add({ operation: 'tickets.create', error: 'response_lost', times: 1 });
  const unavailable = mock.faults.add({ operation: 'tickets.list', status: 503, after: 1 });
  await expect(run({ rows: one, retry: { limit: 0 } })).rejects.toThrow();
  expect(await ledger.get('r1')).toMatchObject({ state: 'unknown', group: 'fuel the rocket' });
  unavailable.remove();
  const toTicket = () => {
    throw new Error('no status "Later"');
  };
  expect(await run({ rows: one, toTicket })).toMatchObject({
    failed: 0,
    unknown: 1,
    unknownRows: [{ key: 'r1', error: { message: 'no status "Later"' }, row: one[0] }],
  });
  expect(await ledger.get('r1')).toMatchObject({ state: 'unknown', group: 'fuel the rocket' });
  expect(await run({ rows: one })).toMatchObject({ recovered: 1, created: 0 });
  expect(titles()).toEqual(['Fuel the rocket']);
});

it('a lookup waits while the request for a row with the same title is in flight', async () => {
  const { mock, run, titles } = setUp();
  let inFlight = 0;
  let peak = 0;
  mock.override('tickets.create', async (_, next) => {
    peak = Math.max(peak, ++inFlight);
    await new Promise((resolve) => setTimeout(resolve, 5));
    inFlight--;
    return next();
  });
  mock.faults.add({ operation: 'tickets.create', error: 'connection', probability: 0.3 });
  const rows = Array.from({ length: 12 }, (_, index) => ({ id: `r${index}`, title: 'Bug' }));
  expect(await run({ rows, retry: { limit: 29, delay: 1, maxDelay: 1 } })).toMatchObject({
    created: 12,
    recovered: 0,
  });
  expect(titles()).toHaveLength(12);
  expect(peak).toBe(1);
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
    const { recordId, ...entry } = (await ledger.get('r1')) ?? {};
    expect(entry).toMatchObject({ state: 'done', recreated: true, baseline: [] });
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
      // Searches find the row's first record only after the row has been recovered.
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
