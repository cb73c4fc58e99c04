import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ConfigurationError, RateLimitError, Worktrack } from 'worktrack';
import {
  ImportStoppedError,
  type ImportTarget,
  importTickets,
  type Match,
  memoryLedger,
  type RunImportOptions,
  runImport,
} from 'worktrack/import';
import { type Row, rowsOf, setUp } from './setting.js';

const one: Row[] = [{ id: 'r1', title: 'Fuel the rocket' }];

/** Imports rows into a custom target, one at a time. */
const importInto = (
  target: Partial<ImportTarget<Row>>,
  rows = rowsOf(2),
  options: Partial<RunImportOptions<Row>> = {},
) =>
  runImport<Row>({
    rows,
    key: ({ id }) => id,
    ledger: memoryLedger(),
    lookupDelay: 0,
    concurrency: 1,
    retry: { attempts: 2, delay: 1, maxDelay: 1 },
    target: { scope: 'things', toPayload: (row) => row, create: async () => ({ id: 'x' }), ...target },
    ...options,
  });

describe('a row', () => {
  it('is in doubt if the target throws a custom error', async () => {
    const create = () => Promise.reject(new Error('the socket is gone'));
    const report = await importInto({ create }, one);
    expect(report).toMatchObject({ unknown: 1, unknownRows: [{ key: 'r1' }] });
    expect(report.unknownRows[0]?.error?.message).toContain('has no lookup');
  });

  it("stops the import if the target's isFatal returns true for the error", async () => {
    const create = () => Promise.reject(new Error('the license has expired'));
    const stopped = importInto({ create, isFatal: () => true });
    await expect(stopped).rejects.toThrow(ImportStoppedError);
    await expect(stopped).rejects.toThrow('the license has expired');
  });

  it("stops the import if the isFatal method of a target's class returns true for the error", async () => {
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

  it('stops the import without a retry if the client is misconfigured', async () => {
    const create = vi.fn(() => Promise.reject(new ConfigurationError('no token')));
    await expect(importInto({ create })).rejects.toMatchObject({ cause: { code: 'configuration' } });
    expect(create).toHaveBeenCalledTimes(1);
  });

  it('stops the import without a retry if isFatal returns true for an error of the lookup', async () => {
    const create = () => Promise.reject(new Error('the socket is gone'));
    const find = vi.fn(() => {
      throw new Error('the license has expired');
    });
    const lookup = { group: () => '', find, match: () => 'yes' as const };
    const isFatal = (error: unknown) => String(error).includes('license');
    const stopped = importInto({ create, lookup, isFatal }, one, { retry: { attempts: 3, delay: 1 } });
    await expect(stopped).rejects.toThrow('the license has expired');
    expect(find).toHaveBeenCalledTimes(1);
  });

  it.each([
    [2, 1999, 2000],
    [undefined, 29_999, 60_000],
  ])('with a Retry-After of %j is retried after %i to %i ms', async (retryAfter, tooEarly, latest) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const error = new RateLimitError('slow down', { outcome: 'rejected', retryAfter } as never);
    const create = vi.fn(async () => ({ id: 'x' })).mockRejectedValueOnce(error);
    let report: Promise<unknown> | undefined;
    await new Promise<void>((resolve) => {
      const options = { onProgress: () => resolve(), retry: { delay: 60_000, maxDelay: 60_000 } };
      report = importInto({ create }, one, options);
    });
    await vi.advanceTimersByTimeAsync(tooEarly);
    expect(create).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(latest - tooEarly);
    expect(create).toHaveBeenCalledTimes(2);
    expect(await report).toMatchObject({ created: 1, failed: 0 });
  });

  it('is in doubt if the response has no ID', async () => {
    const create = async () => ({}) as { id: string };
    expect(await importInto({ create }, one)).toMatchObject({ unknown: 1, created: 0 });
  });

  it('is in doubt if its record is already assigned to another row', async () => {
    const report = await importInto({ create: async () => ({ id: 'same' }) });
    expect(report).toMatchObject({ created: 1, unknown: 1 });
    expect(report.unknownRows[0]).toMatchObject({ key: 'r1', candidates: [{ id: 'same' }] });
    expect(report.unknownRows[0]?.error?.message).toContain('assigned to another row');
  });

  it.each([408, 425, 500, 502, 504])('is retried after a %i response', async (status) => {
    const { run, mock, titles } = setUp();
    mock.faults.add({ operation: 'tickets.create', status, times: 1 });
    expect(await run({ rows: one })).toMatchObject({ failed: 0, unknown: 0 });
    expect(titles()).toHaveLength(1);
  });
});

describe('a row that never succeeds', () => {
  it("fails if it was never created, but doesn't block other rows", async () => {
    const { run, mock, ledger } = setUp();
    mock.override('tickets.create', ({ body }, next) =>
      body.title.includes('1') ? new Response('{}', { status: 425 }) : next(),
    );
    const report = await run({ rows: rowsOf(3), retry: { attempts: 3, delay: 5, maxDelay: 5 } });
    expect(report).toMatchObject({
      created: 2,
      failed: 1,
      failedRows: [{ key: 'r1', error: { status: 425 } }],
    });
    expect(await ledger.get('r1')).toMatchObject({ state: 'failed' });
  });

  it("stays in doubt if its record can't be looked up, but doesn't block other rows", async () => {
    const { run, mock, ledger } = setUp();
    mock.faults.add({ operation: 'tickets.create', error: 'response_lost', times: 1 });
    mock.faults.add({ operation: 'tickets.list', status: 503 });
    const report = await run({ rows: rowsOf(3), retry: { attempts: 3, delay: 5, maxDelay: 5 } });
    expect(report).toMatchObject({ created: 2, unknown: 1, unknownRows: [{ error: { status: 503 } }] });
    expect(await ledger.get(report.unknownRows[0]?.key ?? '')).toMatchObject({ state: 'unknown' });
  });
});

describe('the lookup of an in-doubt row', () => {
  const create = () => Promise.reject(new Error('the socket is gone'));
  const lookup = (count: number, match: Match) => ({
    group: ({ title }: Row) => title,
    async *find() {
      for (let index = 0; index < count; index++) yield { id: `x${index}` };
    },
    match: () => match,
  });

  it('is repeated if another row claims the record first', async () => {
    const ledger = memoryLedger();
    const claim = vi.fn(ledger.claim.bind(ledger)).mockResolvedValueOnce(false);
    ledger.claim = claim;
    const report = await importInto({ create, lookup: lookup(1, 'yes') }, one, {
      ledger,
      retry: { attempts: 3, delay: 1 },
    });
    expect(report).toMatchObject({ recovered: 1, unknown: 0 });
    expect(claim).toHaveBeenCalledTimes(2);
  });

  it('reports at most 20 candidates', async () => {
    const report = await importInto({ create, lookup: lookup(21, 'maybe') }, one);
    expect(report.unknownRows[0]?.candidates).toHaveLength(20);
  });

  it('waits for the rate limit', async () => {
    const { run, mock } = setUp();
    mock.faults.add({ operation: 'tickets.create', error: 'response_lost', times: 1 });
    mock.faults.add({ operation: 'tickets.list', status: 429, times: 3 });
    expect(await run({ rows: one })).toMatchObject({ recovered: 1 });
  });

  it('stops the import if the credential is rejected, and finds the record in the next run', async () => {
    const { run, mock, titles } = setUp();
    mock.faults.add({ operation: 'tickets.create', error: 'response_lost', times: 1 });
    const fault = mock.faults.add({ operation: 'tickets.list', status: 401 });
    await expect(run({ rows: one })).rejects.toMatchObject({ cause: { code: 'authentication' } });
    fault.remove();
    expect(await run({ rows: one })).toMatchObject({ recovered: 1 });
    expect(titles()).toHaveLength(1);
  });

  it("doesn't resolve the row if a search returns more than 100 pages", async () => {
    const { mock, project, board } = setUp();
    mock.add.ticket({ board: board.id, title: 'Bug' });
    mock.faults.add({ operation: 'tickets.create', error: 'response_lost', times: 1 });
    // Every page contains the same tickets under new IDs and reports 1,000 pages.
    const endless: typeof fetch = async (input, init) => {
      const url = new URL(String(input));
      const page = url.searchParams.get('page') ?? '1';
      url.searchParams.delete('page');
      const response = await mock.fetch(url.href, init);
      if (!url.searchParams.has('q')) return response;
      const { data } = await response.json();
      const tickets = data.data.map((ticket: { id: string }) => ({ ...ticket, id: `${ticket.id}-${page}` }));
      return Response.json({
        data: { ...data, data: tickets, current_page: Number(page), last_page: 1000 },
      });
    };
    const client = new Worktrack({ ...mock.clientOptions(), fetch: endless, logLevel: 'off' });
    const report = await importTickets<Row>({
      client,
      project: project.id,
      rows: [{ id: 'r1', title: 'Bug' }],
      key: ({ id }) => id,
      toTicket: ({ title }) => ({ board_id: board.id, title }),
      ledger: memoryLedger(),
      lookupDelay: 0,
    });
    expect(report).toMatchObject({ unknown: 1, requests: 101 });
    expect(report.unknownRows[0]?.error?.message).toContain('more than 100 pages');
  });
});

describe('rows', () => {
  it('are not requested again after the last one', async () => {
    const values = rowsOf(2).values();
    const next = vi.fn(() => values.next());
    await importInto({}, { [Symbol.iterator]: () => ({ next }) } as never, { concurrency: 5 });
    expect(next).toHaveBeenCalledTimes(3);
  });

  it.each([[''], [7], [undefined]])('stop the import if their key is %j', async (key) => {
    const { run } = setUp();
    await expect(run({ key: () => key as string })).rejects.toThrow(
      'the key of row 0 must be a non-empty string',
    );
  });

  it('are skipped once done, even if toTicket throws on the next run', async () => {
    const { run } = setUp();
    await run({ rows: one });
    const toTicket = () => {
      throw new Error('no status "Later"');
    };
    expect(await run({ rows: one, toTicket })).toMatchObject({ skipped: 1, changed: 1, failed: 0 });
  });

  it("fail if they reuse another row's key and toTicket throws", async () => {
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

  it('are all counted if they fail, but only the first 1,000 are reported', async () => {
    const { run } = setUp();
    const toTicket = () => {
      throw new Error('never');
    };
    const report = await run({ rows: rowsOf(1010), toTicket });
    expect(report.failed).toBe(1010);
    expect(report.failedRows).toHaveLength(1000);
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

it('an import reports its duration and how many rows and requests it completed per minute', async () => {
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
  const create: ImportTarget<Row>['create'] = async ({ id }, { countRequests }) => {
    now += 30_000;
    countRequests(3);
    return { id };
  };
  expect(await importInto({ create })).toMatchObject({
    durationMs: 60_000,
    rowsPerMinute: 2,
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
  it('cancels in-flight requests after five seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const stop = new AbortController();
    const sent = vi.fn();
    const create: ImportTarget<Row>['create'] = (_, { signal }) =>
      new Promise((_resolve, reject) => {
        sent();
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    const settled = vi.fn();
    const report = importInto({ create }, one, { signal: stop.signal }).finally(settled);
    await vi.waitFor(() => expect(sent).toHaveBeenCalled());
    stop.abort();
    await vi.advanceTimersByTimeAsync(4999);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(await report).toMatchObject({ stopped: true, created: 0, failed: 0, unknown: 0 });
  });

  it('reads no rows if its signal is already aborted', async () => {
    const report = await importInto({}, rowsOf(3), { signal: AbortSignal.abort() });
    expect(report).toMatchObject({ stopped: true, read: 0, requests: 0 });
  });
});

describe('the rows iterator', () => {
  const iterate = (next: () => unknown, close: () => unknown = () => ({})) =>
    ({ [Symbol.asyncIterator]: () => ({ next, return: close }) }) as never;

  it.each([
    [
      'throws',
      () => {
        throw new Error('the file is gone');
      },
    ],
    ['rejects', () => Promise.reject(new Error('the file is gone'))],
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
