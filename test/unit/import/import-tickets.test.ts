import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { AuthenticationError, ConfigurationError, NotFoundError } from 'worktrack';
import {
  type ImportProgress,
  ImportStoppedError,
  type Ledger,
  LedgerError,
  type UnresolvedRow,
} from 'worktrack/jobs';
import { connect } from '../../support/clients.js';
import { useFakeTimers } from '../../support/timers.js';
import { one, type Row, rowsOf, setUp, titlesOf } from './setting.js';

const caught = (promise: Promise<unknown>): Promise<ImportStoppedError> =>
  promise.then(
    () => expect.unreachable(),
    (error) => error,
  );

describe('an import', () => {
  it('creates one ticket per row and reports counts and rates', async () => {
    const { run, titles, mock } = setUp();
    const seen: ImportProgress[] = [];
    const report = await run({ onProgress: (progress) => seen.push(progress) });
    expect(titles().sort()).toEqual(titlesOf(rowsOf(10)).sort());
    expect(report).toMatchObject({ read: 10, finished: 10, created: 10, failed: 0, unknown: 0 });
    expect(report.requests).toBe(mock.requests.all().length);
    expect(report).toMatchObject({ stopped: false, inFlight: 0, failedRows: [], unknownRows: [] });
    expect(report.rowsPerMinute).toBeGreaterThan(0);
    expect(seen.at(-1)).toMatchObject({ finished: 10 });
    expect(mock.requests.for('tickets.create')).toHaveLength(10);
  });

  it('preserves the order of rows if concurrency is 1, even after failures', async () => {
    const { run, titles, mock } = setUp();
    mock.faults.add({ operation: 'tickets.create', error: 'response_lost', probability: 0.3 });
    mock.faults.add({ operation: 'tickets.create', status: 503, probability: 0.3 });
    await run({ rows: rowsOf(40), concurrency: 1, retry: { limit: 49, delay: 1, maxDelay: 1 } });
    expect(titles()).toEqual(titlesOf(rowsOf(40)));
  });

  it('skips finished rows on the next run without sending requests, even if the rows have changed', async () => {
    const { run, mock } = setUp();
    await run();
    mock.requests.clear();
    const rows = rowsOf(10).map((row) => (row.id === 'r3' ? { ...row, title: 'Other' } : row));
    const report = await run({ rows });
    expect(report).toMatchObject({ finished: 10, created: 0, skipped: 10, changed: 1, requests: 0 });
    expect(mock.requests.all()).toEqual([]);
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

  it.each([
    [{ concurrency: 0 }, 'import: option "concurrency" must be a positive integer (got 0)'],
    [{ retry: { limit: -1 } }, 'option "retry.limit" must be a non-negative integer (got -1)'],
    [{ retry: { limt: 1 } }, 'unknown option "retry.limt"; did you mean "retry.limit"?'],
    [{ concurency: 2 }, 'unknown option "concurency"; did you mean "concurrency"?'],
    [{ ledger: {} as Ledger }, 'option "ledger" must be a ledger'],
    [{ rows: 5 as never }, 'option "rows" must be an iterable or an async iterable (got 5)'],
    [{ key: undefined, kee: 1 }, 'unknown option "kee"; did you mean "key"?'],
    [{ client: {} }, 'option "client" must be a client (got an object)'],
    [{ project: undefined }, 'option "project" must be a project ID (got undefined)'],
    [{ toTicket: undefined }, 'option "toTicket" must be a function (got undefined)'],
  ])('rejects the options %j', async (options, message) => {
    const error = await caught(setUp().run(options as object));
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error.message).toContain(message);
  });
});

describe('rows', () => {
  it("are reported with the API's field errors if they're rejected, and the import continues", async () => {
    const { run, ledger, titles, mock, board } = setUp();
    const rows = [...rowsOf(3), { id: 'long', title: 'x'.repeat(501) }];
    const toTicket = ({ id, title }: { id: string; title: string }) =>
      id === 'r1' ? { board_id: 'brd_gone', title } : { board_id: board.id, title };
    const report = await run({ rows, toTicket });
    expect(report).toMatchObject({ created: 2, failed: 2 });
    expect(report.failedRows.sort((one, other) => (one.key < other.key ? -1 : 1))).toMatchObject([
      {
        key: 'long',
        row: rows[3],
        error: { code: 'invalid_request', fieldErrors: { title: [expect.any(String)] } },
      },
      {
        key: 'r1',
        error: { code: 'invalid_board', status: 422, fieldErrors: { board_id: [expect.any(String)] } },
      },
    ]);
    expect(await ledger.get('r1')).toMatchObject({ state: 'failed', error: { status: 422 } });
    mock.requests.clear();
    expect(await run({ rows: rowsOf(3) })).toMatchObject({ created: 1, skipped: 2 });
    expect(titles().sort()).toEqual(titlesOf(rowsOf(3)).sort());
  });

  it.each([
    ['throws an error', () => Promise.reject(new Error('no status "Later"')), 'no status "Later"'],
    [
      "throws an object that can't be converted to a string",
      () => Promise.reject(Object.create(null)),
      'Error',
    ],
    ['returns nothing', () => undefined as never, 'toTicket must return an object (got undefined)'],
  ])('fail if toTicket %s', async (_, convert, message) => {
    const { run } = setUp();
    const report = await run({
      toTicket: ({ id, title }) => (id === 'r4' ? convert() : { board_slug: 'to-do', title }),
    });
    expect(report).toMatchObject({ created: 9, failedRows: [{ key: 'r4' }] });
    expect(report.failedRows[0]?.error).toEqual({ message });
  });

  it('are created once per key, and fail if they reuse a key with different content', async () => {
    const { run, titles } = setUp();
    const [row] = rowsOf(1);
    const rows = [...rowsOf(2), { ...row, id: 'r0', title: row?.title ?? '' }, { id: 'r1', title: 'Other' }];
    const report = await run({ rows });
    expect(report).toMatchObject({ created: 2, duplicates: 1, failed: 1, finished: 4 });
    expect(report.failedRows).toMatchObject([
      { key: 'r1', state: 'failed', error: { message: expect.stringContaining('same key') } },
    ]);
    expect(titles()).toHaveLength(2);
  });
});

describe('a running import', () => {
  it('stops if the credential is revoked, and can be continued with another credential', async () => {
    const { run, mock, titles, ledger } = setUp();
    const { token } = mock.clientOptions();
    mock.override('tickets.create', async (_, next) => {
      const ticket = await next();
      if (mock.state.tickets.all().length === 4) mock.credentials.setScopes(token, []);
      return ticket;
    });
    const error = await caught(run({ concurrency: 1 }));
    expect(error).toBeInstanceOf(ImportStoppedError);
    expect(error.cause).toMatchObject({ code: 'missing_scope' });
    expect(error.report).toMatchObject({ created: 4, failed: 0, unknown: 0 });
    expect(await ledger.get('r4')).toMatchObject({ state: 'pending' });
    mock.credentials.setScopes(token, ['*']);
    expect(await run()).toMatchObject({ created: 6, skipped: 4 });
    expect(titles()).toHaveLength(10);
    mock.credentials.revoke(token);
    expect((await caught(run({ rows: [{ id: 'new', title: 'New' }] }))).cause).toBeInstanceOf(
      AuthenticationError,
    );
  });

  it('rejects a ledger that belongs to another project', async () => {
    const { run, ledger, project } = setUp();
    await ledger.bind('tickets:prj_other');
    const error = await caught(run());
    expect(error).toBeInstanceOf(LedgerError);
    expect(error.message).toBe(
      `the ledger belongs to the import "tickets:prj_other", not to "tickets:${project.id}"; use another ledger`,
    );
  });

  it('rejects a ledger that another import is using, and creates each ticket once', async () => {
    const { run, titles } = setUp();
    const rows = rowsOf(5);
    const reports = await Promise.allSettled([run({ rows }), run({ rows })]);
    expect(reports).toMatchObject([
      { value: { created: 5 } },
      { reason: { message: 'the ledger is in use by another import or sync; wait until it has finished' } },
    ]);
    expect(titles()).toEqual(titlesOf(rows));
    expect(await run({ rows })).toMatchObject({ skipped: 5 });
  });

  it('accepts the ledger of an import that was stopped', async () => {
    const { run } = setUp();
    const stop = new AbortController();
    const stopped = run({ rows: new ReadableStream(), signal: stop.signal });
    stop.abort();
    expect(await run({ rows: rowsOf(1) })).toMatchObject({ created: 1 });
    expect(await stopped).toMatchObject({ stopped: true });
  });

  it("stops if the project doesn't exist", async () => {
    const { run, client, project } = setUp();
    await client.projects.delete(project.id);
    expect((await caught(run())).cause).toBeInstanceOf(NotFoundError);
  });

  it('stops if the API is unavailable, and creates the rows on the next run', async () => {
    const { run, mock, titles } = setUp();
    const fault = mock.faults.add({ operation: 'tickets.create', status: 503 });
    const error = await caught(run({ concurrency: 1, retry: { limit: 2, delay: 1, maxDelay: 1 } }));
    expect(error).toBeInstanceOf(ImportStoppedError);
    expect(error.report).toMatchObject({ failed: 0, created: 0, requests: 6 });
    expect(mock.requests.for('tickets.create')).toHaveLength(3);
    fault.remove();
    expect(await run()).toMatchObject({ created: 10 });
    expect(titles()).toHaveLength(10);
  });

  it('finishes in-flight rows and stops if the row iterator throws an error', async () => {
    const { run, titles } = setUp();
    function* rows() {
      yield* rowsOf(5);
      throw new Error("line 6 isn't valid JSON");
    }
    const error = await caught(run({ rows: rows(), concurrency: 1 }));
    expect(error).toMatchObject({
      name: 'ImportStoppedError',
      message: "the import stopped after 5 rows: line 6 isn't valid JSON",
    });
    expect(error.report.created).toBe(5);
    expect(inspect(error)).not.toContain('failedRows');
    expect(titles()).toHaveLength(5);
  });

  it("stops if it can't write to the ledger, and never creates a ticket without recording it", async () => {
    const { run, titles, ledger } = setUp();
    const { put } = ledger;
    let writes = 0;
    ledger.put = async (entry) => {
      if (++writes > 3) throw new LedgerError('no space left on device');
      await put.call(ledger, entry);
    };
    expect((await caught(run({ concurrency: 1 }))).cause).toBeInstanceOf(LedgerError);
    expect(titles()).toHaveLength(3);
  });

  it('finishes in-flight rows and stops when its signal aborts, and can be continued later', async () => {
    const { run, mock, titles } = setUp();
    const stop = new AbortController();
    mock.faults.add({ operation: 'tickets.create', latency: 20 });
    let closed = false;
    async function* rows() {
      try {
        for (const row of rowsOf(100)) {
          if (row.id === 'r7') stop.abort();
          yield row;
        }
      } finally {
        closed = true;
      }
    }
    const report = await run({ rows: rows(), signal: stop.signal, concurrency: 4 });
    expect(report.stopped).toBe(true);
    expect(report.created).toBe(titles().length);
    expect(report.created).toBeLessThanOrEqual(8);
    await sleep(0);
    expect(closed).toBe(true);
    const rest = await run({ rows: rowsOf(100) });
    expect(rest).toMatchObject({ created: 100 - report.created, skipped: report.created });
    expect(titles()).toHaveLength(100);
  });

  it("stops immediately when it's aborted while waiting for a row or the rate limit", async () => {
    const { run, mock } = setUp();
    const rows = {
      async *[Symbol.asyncIterator]() {
        await new Promise(() => {});
        yield* rowsOf(1);
      },
    };
    expect(await run({ rows, signal: AbortSignal.timeout(30) })).toMatchObject({ stopped: true, read: 0 });
    mock.faults.add({ operation: 'tickets.create', status: 429, retryAfter: 50, times: 1 });
    const report = await run({ signal: AbortSignal.timeout(30), concurrency: 1 });
    expect(report).toMatchObject({ stopped: true, created: 0, failed: 0 });
  });

  it.each([
    ['onProgress', 3],
    ['onUnresolved', 2],
  ])('continues if %s throws, and prints the error only once', async (name, created) => {
    const { run, board } = setUp();
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
    onTestFinished(() => printed.mockRestore());
    const toTicket = ({ id, title }: Row) => {
      if (name === 'onUnresolved' && id === 'r0') throw new Error('never');
      return { board_id: board.id, title };
    };
    const callback = () => {
      throw new Error('of no concern');
    };
    expect(await run({ rows: rowsOf(3), toTicket, [name]: callback })).toMatchObject({ created });
    expect(printed.mock.calls).toEqual([[`worktrack: import: ${name} failed: Error: of no concern`]]);
    await run({ rows: rowsOf(4) });
    expect(printed).toHaveBeenCalledTimes(1);
  });
});

it('an import calls onUnresolved for every failed row, and gives an error code if a key is used twice', async () => {
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

it("an import that was suspended doesn't send its next request if another process has taken over the ledger", async () => {
  const { mock, ledger, run } = setUp();
  const client = connect(mock, { throttle: { requestsPerMinute: 3 } });
  useFakeTimers('setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance');
  let isLost = false;
  const confirmOwnership = () => {
    if (isLost) throw new LedgerError('the ledger was taken over');
  };
  const owned = Object.assign(ledger, { confirmOwnership });
  const stopped = expect(run({ client, rows: rowsOf(3), ledger: owned, concurrency: 1 })).rejects.toThrow(
    'the ledger was taken over',
  );
  await vi.advanceTimersByTimeAsync(30_000);
  // The search before the first row is created is also a request. The third row has to wait.
  expect(mock.requests.for('tickets.create')).toHaveLength(2);
  isLost = true;
  await vi.advanceTimersByTimeAsync(100_000);
  await stopped;
  expect(mock.requests.for('tickets.create')).toHaveLength(2);
});
