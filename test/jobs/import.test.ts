import { inspect } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { AuthenticationError, ConfigurationError, NotFoundError, WorktrackError } from 'worktrack';
import {
  type Book,
  BookError,
  type ImportProgress,
  ImportStoppedError,
  importDocuments,
  memoryBook,
  type RowResult,
} from 'worktrack/jobs';
import { connect, omitFromList } from '../support/clients.js';
import { errorOf, one, type Row, rowsOf, setUp, titlesOf } from './support/import-setting.js';

const stopOf = async (run: Promise<unknown>) => (await errorOf(run)) as ImportStoppedError;

describe('an import', () => {
  it('creates one ticket per row with a mark at the end, and reports the counts', async () => {
    const { run, titles, mock } = setUp();
    const seen: ImportProgress[] = [];
    const report = await run({ onProgress: (progress) => seen.push(progress) });
    expect(titles().sort()).toEqual(titlesOf(rowsOf(10)).sort());
    expect(report).toMatchObject({ read: 10, finished: 10, created: 10, failed: 0, unknown: 0 });
    expect(report).toMatchObject({ stopped: false, failedRows: [], unknownRows: [], duplicates: [] });
    expect(seen.at(-1)).toMatchObject({ finished: 10, status: 'running' });
    expect(mock.state.tickets.all()[0]?.description_html).toMatch(
      /<p>Imported from Jira: r\d \[\w{8}\]<\/p>$/,
    );
  });

  it('needs only one request in addition to the creates if the project is empty', async () => {
    const { run, mock } = setUp();
    await run();
    expect(mock.requests.for('tickets.create')).toHaveLength(10);
    expect(mock.requests.all()).toHaveLength(11);
  });

  it('creates the rows in order if concurrency is 1', async () => {
    const { run, titles } = setUp();
    await run({ concurrency: 1 });
    expect(titles()).toEqual(titlesOf(rowsOf(10)));
  });

  it('sends no requests if the book says that every row is done, and counts changed rows', async () => {
    const { run, mock } = setUp();
    await run();
    mock.requests.clear();
    const rows = rowsOf(10).map((row) => (row.id === 'r3' ? { ...row, title: 'Other' } : row));
    const report = await run({ rows });
    expect(report).toMatchObject({ finished: 10, created: 0, skipped: 10, changed: 1, changedKeys: ['r3'] });
    expect(mock.requests.all()).toEqual([]);
  });

  it('recognizes what earlier runs created if the book is new, even if lists leave the HTML out', async () => {
    const { run, mock, titles } = setUp();
    await run({ rows: rowsOf(7) });
    omitFromList(mock, 'tickets.list', 'description_html');
    const report = await run({ book: memoryBook(), client: connect(mock, { responseValidation: 'off' }) });
    expect(report).toMatchObject({ recovered: 7, created: 3, duplicateCount: 0 });
    expect(titles()).toHaveLength(10);
  });

  it('recognizes what another machine created since the last run, although the book is older', async () => {
    const { run, titles } = setUp();
    await run({ rows: rowsOf(3) });
    await run({ book: memoryBook(), rows: rowsOf(6) });
    expect(await run()).toMatchObject({ skipped: 3, recovered: 3, created: 4 });
    expect(titles()).toHaveLength(10);
  });

  it("isn't confused by rows of other sources, by copied marks, or by text that looks like a mark", async () => {
    const { run, mock, titles } = setUp();
    await run({ rows: one });
    const [ticket] = mock.state.tickets.all();
    const text = `${ticket?.description_html}`;
    const [mark = ''] = /<p>Imported from.*$/.exec(text) ?? [];
    const rows = [
      { id: 'r2', title: 'Copies the mark', text: mark },
      { id: 'r3', title: 'Quotes the mark', text: `${mark}<p>was its mark</p>` },
      ...one,
    ];
    expect(await run({ rows, book: memoryBook() })).toMatchObject({ created: 2, recovered: 1 });
    expect(await run({ rows, book: memoryBook() })).toMatchObject({ recovered: 3, duplicateCount: 0 });
    expect(await run({ rows: one, book: memoryBook(), source: 'Trello' })).toMatchObject({ created: 1 });
    expect(titles()).toHaveLength(4);
  });

  it('reads rows no faster than it creates tickets', async () => {
    const { run, mock } = setUp();
    let read = 0;
    let peak = 0;
    async function* rows() {
      for (const row of rowsOf(50)) {
        read++;
        peak = Math.max(peak, read - mock.state.tickets.all().length);
        yield row;
      }
    }
    await run({ rows: rows(), concurrency: 3 });
    expect(read).toBe(50);
    expect(peak).toBeLessThanOrEqual(4);
  });

  it('says in the book that a row was started before its request is sent', async () => {
    const { run, mock, stateOf } = setUp();
    const states: unknown[] = [];
    mock.override('tickets.create', async (_, next) => {
      states.push(await stateOf('r1'));
      return next();
    });
    await run({ rows: one });
    expect([...states, await stateOf('r1')]).toEqual(['started', 'done']);
  });

  it('calls onRow with the result of each row', async () => {
    const { run } = setUp();
    const results: RowResult<Row>[] = [];
    await run({ rows: one });
    const rows = [...one, { id: 'r2', title: 'Check' }, { id: 'r3', title: 'x'.repeat(501) }];
    await run({ rows, concurrency: 1, onRow: (result) => results.push(result) });
    expect(results).toMatchObject([
      { key: 'r1', state: 'skipped', id: expect.any(String), row: rows[0] },
      { key: 'r2', state: 'created', id: expect.any(String), row: rows[1] },
      { key: 'r3', state: 'failed', row: rows[2], error: { fieldErrors: { title: [expect.any(String)] } } },
    ]);
  });

  it("isn't affected by listeners that throw", async () => {
    const { run } = setUp();
    const print = vi.spyOn(console, 'error').mockImplementation(() => {});
    const fail = () => {
      throw new Error('no display');
    };
    expect(await run({ onProgress: fail, onRow: fail })).toMatchObject({ created: 10 });
    expect(print.mock.calls).toHaveLength(1);
    print.mockRestore();
  });

  it.each([
    [{ concurrency: 0 }, 'importTickets: option "concurrency" must be a positive integer (got 0)'],
    [{ settleDelay: -1 }, 'option "settleDelay" must be a non-negative integer (got -1)'],
    [{ maxOutage: 1.5 }, 'option "maxOutage" must be a non-negative integer (got 1.5)'],
    [{ concurency: 2 }, 'unknown option "concurency"; did you mean "concurrency"?'],
    [{ book: {} as Book }, 'option "book" must be a book, such as sqliteBook(path)'],
    [{ source: undefined }, 'option "source" must be a name of 1 to 200 characters (got undefined)'],
    [{ source: '' }, 'option "source" must be a name of 1 to 200 characters (got "")'],
    [{ rows: 5 }, 'option "rows" must be an iterable or an async iterable (got 5)'],
    [{ client: {} }, 'option "client" must be a client (got an object)'],
    [{ project: undefined }, 'option "project" must be an ID (got undefined)'],
    [{ toTicket: undefined }, 'option "toTicket" must be a function (got undefined)'],
    [{ mark: 1 }, 'option "mark" must be a boolean (got 1)'],
    [{ onRow: 1 }, 'option "onRow" must be a function (got 1)'],
    [{ signal: 1 }, 'option "signal" must be an AbortSignal (got 1)'],
  ])('rejects the options %j', async (options, message) => {
    const error = await errorOf(setUp().run(options as object));
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error.message).toContain(message);
  });
});

describe('a row', () => {
  it("fails with the API's field errors if it's rejected, and is tried again in the next run", async () => {
    const { run, titles, board, stateOf } = setUp();
    const rows = [...rowsOf(3), { id: 'long', title: 'x'.repeat(501) }];
    const toTicket = ({ id, title }: Row) => ({ board_id: id === 'r1' ? 'brd_gone' : board.id, title });
    const report = await run({ rows, toTicket, concurrency: 1 });
    expect(report).toMatchObject({ created: 2, failed: 2 });
    expect(report.failedRows).toMatchObject([
      {
        key: 'r1',
        error: { code: 'invalid_board', status: 422, fieldErrors: { board_id: [expect.any(String)] } },
      },
      {
        key: 'long',
        row: rows[3],
        error: { code: 'invalid_request', fieldErrors: { title: [expect.any(String)] } },
      },
    ]);
    expect(await stateOf('r1')).toBe('failed');
    expect(await run({ rows: rowsOf(3) })).toMatchObject({ created: 1, skipped: 2 });
    expect(titles().sort()).toEqual(titlesOf(rowsOf(3)).sort());
  });

  it.each([
    ['throws an error', () => Promise.reject(new Error('no status "Later"')), 'no status "Later"'],
    ['throws an object without a prototype', () => Promise.reject(Object.create(null)), 'Error'],
    ['returns nothing', () => undefined as never, 'the row must be converted to an object (got undefined)'],
  ])('fails if toTicket %s', async (_, convert, message) => {
    const { run } = setUp();
    const report = await run({
      toTicket: ({ id, title }) => (id === 'r4' ? convert() : { board_slug: 'to-do', title }),
    });
    expect(report).toMatchObject({ created: 9, failedRows: [{ key: 'r4', error: { message } }] });
  });

  it('fails if it has the key of an earlier row, or a key that is too long for a mark', async () => {
    const { run, titles } = setUp();
    const rows = [...rowsOf(2), { id: 'r1', title: 'Other' }, { id: 'x'.repeat(201), title: 'Long' }];
    const report = await run({ rows });
    expect(report).toMatchObject({ created: 2, failed: 2, finished: 4 });
    const messages = report.failedRows.map(({ error }) => error?.message);
    expect(messages).toContain('an earlier row has the same key');
    expect(messages).toContainEqual(expect.stringContaining('200'));
    expect(titles()).toHaveLength(2);
  });

  it("is skipped once it's done, even if toTicket throws on the next run", async () => {
    const { run } = setUp();
    await run({ rows: one });
    const toTicket = () => Promise.reject(new Error('gone'));
    expect(await run({ rows: one, toTicket })).toMatchObject({ skipped: 1, changed: 1, failed: 0 });
  });

  it('is created even if an older ticket has the same content', async () => {
    const { run, client, project, toTicket, titles } = setUp();
    for (const row of one) await client.tickets.create(project.id, toTicket(row));
    expect(await run({ rows: one })).toMatchObject({ created: 1 });
    expect(titles()).toHaveLength(2);
  });
});

describe('a row in doubt', () => {
  it.each([
    ['the response is lost', { error: 'response_lost' }],
    ['the response is truncated', { error: 'truncated' }],
    ['the connection is reset', { error: 'connection' }],
    ['the server fails', { status: 500 }],
    ['the request times out', { status: 408 }],
  ] as const)('is created exactly once if %s', async (_, fault) => {
    const { run, mock, titles, stateOf } = setUp();
    mock.faults.add({ operation: 'tickets.create', ...fault, times: 5 });
    const report = await run();
    expect(report).toMatchObject({ failed: 0, unknown: 0, duplicateCount: 0, finished: 10 });
    expect(report.created + report.recovered).toBe(10);
    expect(titles().sort()).toEqual(titlesOf(rowsOf(10)).sort());
    expect(await stateOf('r0')).toBe('done');
  });

  it('is settled by one complete read after the other rows, no matter how many rows are in doubt', async () => {
    const { run, mock } = setUp();
    mock.faults.add({ operation: 'tickets.create', error: 'response_lost', probability: 0.5 });
    expect(await run({ rows: rowsOf(100) })).toMatchObject({ duplicateCount: 0, unknown: 0 });
    // One page before the first ticket is created, and one page after the last one.
    expect(mock.requests.for('tickets.list')).toHaveLength(2);
  });

  it('is created exactly once although the process died before it noted the response', async () => {
    const { run, book, titles, stateOf } = setUp();
    const dies: Book = {
      ...book,
      put: async (changes) => {
        if (changes.some(({ key, state }) => key !== '#scope' && state === 'done'))
          throw new BookError('the disk is full');
        await book.put(changes);
      },
    };
    const error = await stopOf(run({ book: dies, concurrency: 3 }));
    expect(error).toBeInstanceOf(ImportStoppedError);
    expect(error.cause).toBeInstanceOf(BookError);
    expect(await stateOf('r0')).toBe('started');
    expect(await run()).toMatchObject({ recovered: 3, created: 7, duplicateCount: 0 });
    expect(titles()).toHaveLength(10);
  });

  it('is found although it appears in lists only after the first read', async () => {
    const { run, mock, book, client, project, toTicket } = setUp();
    await run({ rows: one });
    const [ticket] = mock.state.tickets.all();
    await client.tickets.delete(`${ticket?.id}`);
    await book.put([{ key: 'row:r1', state: 'started' }]);
    let reads = 0;
    mock.override('tickets.list', async (_, next) => {
      // The request of the run that was killed takes effect after this run has read the marks.
      if (reads++ === 1) {
        const html = `${ticket?.description_html}`;
        await client.tickets.create(project.id, { ...toTicket(one[0] as Row), description_html: html });
      }
      return next();
    });
    expect(await run({ rows: one })).toMatchObject({ recovered: 1, created: 0, duplicateCount: 0 });
  });

  it('is reported with the ticket to keep if its first ticket appears after it was created again', async () => {
    const { run, mock, client, project, toTicket, book } = setUp();
    mock.faults.add({ operation: 'tickets.create', status: 500, times: 1 });
    let late: string | undefined;
    mock.override('tickets.create', async (_, next) => {
      const created = await next();
      late ??= created.description_html ?? '';
      return created;
    });
    let reads = 0;
    mock.override('tickets.list', async (_, next) => {
      if (++reads === 3)
        await client.tickets.create(project.id, { ...toTicket(one[0] as Row), description_html: late ?? '' });
      return next();
    });
    const report = await run({ rows: one });
    const kept = (await book.get(['row:r1'])).get('row:r1')?.value as { id: string };
    expect(report).toMatchObject({ created: 1, duplicateCount: 1 });
    expect(report.duplicates).toEqual([{ key: 'r1', keep: kept.id, extra: [expect.any(String)] }]);
    expect(report.duplicates[0]?.extra).not.toContain(kept.id);
  });

  it('is never created again after the API has reported success, and is reported', async () => {
    const { run, mock, stateOf } = setUp();
    mock.faults.add({ operation: 'tickets.create', error: 'truncated', times: 1 });
    mock.override('tickets.list', async () => ({ items: [], total: 0 }));
    const report = await run({ rows: one });
    expect(report).toMatchObject({ created: 0, unknown: 1, unknownRows: [{ key: 'r1', row: one[0] }] });
    expect(mock.requests.for('tickets.create')).toHaveLength(1);
    expect(await stateOf('r1')).toBe('started');
  });

  it('is reported if its request fails again and again, and the next run creates it', async () => {
    const { run, mock, titles } = setUp();
    const fault = mock.faults.add({ operation: 'tickets.create', status: 500 });
    const report = await run({ rows: one });
    expect(report).toMatchObject({ unknown: 1, unknownRows: [{ key: 'r1', error: { status: 500 } }] });
    expect(mock.requests.for('tickets.create')).toHaveLength(6);
    fault.remove();
    expect(await run({ rows: one })).toMatchObject({ created: 1 });
    expect(titles()).toHaveLength(1);
  });

  it("is reported if an earlier run started it and it's no longer in the source", async () => {
    const { run, book } = setUp();
    await book.put([{ key: 'row:lost', state: 'started' }]);
    const report = await run({ rows: one });
    expect(report).toMatchObject({ created: 1, unknown: 1 });
    expect(report.unknownRows).toEqual([
      {
        key: 'lost',
        row: undefined,
        state: 'unknown',
        error: { message: expect.stringContaining('no longer in the source') },
      },
    ]);
  });

  it("stays in doubt while it can't be converted, unless its ticket exists", async () => {
    const { run, book } = setUp();
    await book.put([{ key: 'row:r1', state: 'started' }]);
    const toTicket = () => Promise.reject(new Error('no board'));
    expect(await run({ rows: one, toTicket })).toMatchObject({
      failed: 0,
      unknownRows: [{ key: 'r1', error: { message: 'no board' } }],
    });
    expect(await run({ rows: one })).toMatchObject({ created: 1 });
    expect(await run({ rows: one, toTicket, book: memoryBook() })).toMatchObject({ recovered: 1 });
  });
});

describe('an import without marks', () => {
  it('creates each row at least once, reports rows that may have two tickets, and reads no tickets', async () => {
    const { run, mock, titles } = setUp();
    mock.faults.add({ operation: 'tickets.create', error: 'response_lost', times: 2 });
    const report = await run({ mark: false, rows: rowsOf(5), concurrency: 1 });
    expect(report).toMatchObject({ created: 5, unknown: 0, duplicateCount: 2 });
    expect(report.duplicates).toEqual(
      ['r0', 'r1'].map((key) => ({ key, keep: expect.stringMatching(/./), extra: [] })),
    );
    expect(titles()).toHaveLength(7);
    expect(mock.requests.for('tickets.list')).toEqual([]);
    expect(mock.state.tickets.all().every(({ description_html }) => description_html === null)).toBe(true);
  });
});

it('an import without marks creates a row only once if the API has reported success', async () => {
  const { run, mock } = setUp();
  mock.faults.add({ operation: 'tickets.create', error: 'truncated', times: 1 });
  expect(await run({ mark: false, rows: one })).toMatchObject({ created: 1, duplicateCount: 0 });
  expect(await run({ mark: false, rows: one })).toMatchObject({ skipped: 1 });
  expect(mock.requests.for('tickets.create')).toHaveLength(1);
});

describe('an import stops', () => {
  it('if the credential loses its scope, and can be continued with another credential', async () => {
    const { run, mock, titles, stateOf } = setUp();
    const { token } = mock.clientOptions();
    mock.override('tickets.create', async (_, next) => {
      const ticket = await next();
      if (mock.state.tickets.all().length === 4) mock.credentials.setScopes(token, []);
      return ticket;
    });
    const error = await stopOf(run({ concurrency: 1 }));
    expect(error).toBeInstanceOf(ImportStoppedError);
    expect(error).toBeInstanceOf(WorktrackError);
    expect(error).toMatchObject({
      code: 'import_stopped',
      outcome: 'done',
      cause: { code: 'missing_scope' },
    });
    expect(error.report).toMatchObject({ created: 4, failed: 0, unknown: 0, stopped: true });
    expect(inspect(error)).not.toContain('report');
    expect(await stateOf('r4')).toBeUndefined();
    mock.credentials.setScopes(token, ['*']);
    expect(await run()).toMatchObject({ created: 6, skipped: 4 });
    expect(titles()).toHaveLength(10);
    mock.credentials.revoke(token);
    const rows = [{ id: 'new', title: 'New' }];
    expect((await stopOf(run({ rows }))).cause).toBeInstanceOf(AuthenticationError);
  });

  it("if the project doesn't exist", async () => {
    const error = await stopOf(setUp().run({ project: 'prj_gone' }));
    expect(error.message).toMatch(/^the import stopped after 0 rows: /);
    expect(error.cause).toBeInstanceOf(NotFoundError);
    expect(error.outcome).toBe('not_sent');
  });

  it('if the API is unavailable for too long, and the next run creates the rows', async () => {
    const { run, mock, titles } = setUp();
    const fault = mock.faults.add({ error: 'connection' });
    const error = await stopOf(run({ maxOutage: 0 }));
    expect(error.cause).toMatchObject({ code: 'connection' });
    fault.remove();
    expect(await run()).toMatchObject({ created: 10 });
    expect(titles()).toHaveLength(10);
  });

  it('if a key is missing', async () => {
    const error = await stopOf(setUp().run({ key: () => undefined as never }));
    expect(error.message).toContain('the key of row 0 must be a non-empty string');
  });

  it('if the source throws', async () => {
    const { run, titles } = setUp();
    async function* rows() {
      yield* rowsOf(5);
      throw new Error('the file ended early');
    }
    const error = await stopOf(run({ rows: rows(), concurrency: 1 }));
    expect(error.message).toBe('the import stopped after 5 rows: the file ended early');
    expect(titles()).toHaveLength(5);
  });

  it("if the book can't be written, without creating a ticket that the book doesn't know", async () => {
    const { run, mock, book } = setUp();
    const put = async () => {
      throw new BookError('the disk is full');
    };
    await run({ rows: [] });
    const error = await stopOf(run({ book: { ...book, put } }));
    expect(error.message).toContain('the disk is full');
    expect(mock.requests.for('tickets.create')).toEqual([]);
  });

  it('if its signal aborts, after the rows in flight, and can be continued', async () => {
    const { run, mock, titles } = setUp();
    const controller = new AbortController();
    mock.override('tickets.create', async (_, next) => {
      if (mock.state.tickets.all().length === 3) controller.abort();
      return next();
    });
    const report = await run({ concurrency: 1, signal: controller.signal });
    expect(report).toMatchObject({ stopped: true, created: 4, failed: 0, unknown: 0 });
    expect(await run()).toMatchObject({ skipped: 4, created: 6, stopped: false });
    expect(titles()).toHaveLength(10);
  });

  it('immediately if its signal aborts while it waits for a row', async () => {
    const { run } = setUp();
    const controller = new AbortController();
    const close = vi.fn();
    const rows = {
      [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}), return: close }),
    };
    const running = run({ rows: rows as AsyncIterable<Row>, signal: controller.signal });
    controller.abort();
    expect(await running).toMatchObject({ stopped: true, read: 0 });
    expect(close).toHaveBeenCalledOnce();
  });
});

describe('while the API is', () => {
  it('rate-limited, the import waits and says so', async () => {
    const { run, mock } = setUp();
    mock.faults.add({ operation: 'tickets.create', status: 429, times: 20 });
    const seen = new Set<string>();
    const report = await run({ maxOutage: 0, onProgress: ({ status }) => seen.add(status) });
    expect(report).toMatchObject({ created: 10, failed: 0 });
    expect(seen).toContain('rate_limited');
  });

  it('unavailable, the import waits and says so, and leaves few rows in doubt', async () => {
    const { run, mock } = setUp();
    const fault = mock.faults.add({ operation: 'tickets.create', status: 503 });
    const seen = new Set<string>();
    let waits = 0;
    const report = await run({
      rows: rowsOf(500),
      concurrency: 2,
      onProgress: ({ status }) => {
        seen.add(status);
        if (status === 'unavailable' && ++waits === 10) fault.remove();
      },
    });
    expect(report).toMatchObject({ created: 500, unknown: 0 });
    expect(seen).toContain('unavailable');
    expect(mock.requests.for('tickets.create').length).toBeLessThan(520);
  });
});

it('a book belongs to one project and source', async () => {
  const { run, project } = setUp();
  await run();
  const error = await errorOf(run({ source: 'Trello' }));
  expect(error).toBeInstanceOf(BookError);
  expect(error.message).toContain(`tickets:${project.id}:Trello`);
});

it('a book belongs to one deployment, so rows that another one has are not skipped', async () => {
  const { run } = setUp();
  const other = setUp();
  await run();
  const client = connect(other.mock, { baseUrl: 'https://other.test' });
  const error = await errorOf(run({ client, project: other.project.id }));
  expect(error).toBeInstanceOf(BookError);
  expect(error.message).toContain('https://other.test');
  expect(other.titles()).toEqual([]);
});

it('importDocuments creates every document exactly once in its project', async () => {
  const { client, mock, project } = setUp();
  mock.faults.add({ operation: 'documents.create', error: 'response_lost', probability: 0.3 });
  const run = () =>
    importDocuments<Row>({
      client,
      project: project.id,
      source: 'Wiki',
      rows: rowsOf(20),
      key: ({ id }) => id,
      toDocument: ({ title }) => ({ title: title.replace(/\d+/, 'n'), content_html: '<h1>Plan</h1>' }),
      settleDelay: 0,
    });
  const report = await run();
  expect(report.created + report.recovered).toBe(20);
  expect(await run()).toMatchObject({ recovered: 20, created: 0, duplicateCount: 0 });
  expect(mock.state.documents.all()).toHaveLength(20);
  expect(mock.state.documents.all().every(({ project_id }) => project_id === project.id)).toBe(true);
  expect(mock.state.documents.all()[0]?.content_html).toMatch(/^<h1>Plan<\/h1><p>Imported from Wiki: r\d+ /);
});
