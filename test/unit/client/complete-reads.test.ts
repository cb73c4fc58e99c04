import { describe, expect, it } from 'vitest';
import { Worktrack } from 'worktrack';
import { CompleteRead } from '../../../src/http/complete-read.js';
import { errorOf } from './support/serve.js';

/** A list of IDs that a test changes between requests. */
interface FakeList {
  ids: (string | undefined)[];
  perPage?: number;
  /** Called after each response, with the page number and the number of requests so far. */
  afterPage?: (page: number, requests: number) => void;
  /** Changes the page info. */
  info?: (info: Record<string, unknown>, page: number) => object;
  date?: string;
  /** The status for a page past the end. By default, the server returns an empty page. */
  statusPastEnd?: number;
  createdAt?: (id: string | undefined) => string | undefined;
}

/** Creates a client whose fetch function serves the list. */
function serveList(list: FakeList) {
  const requests: URLSearchParams[] = [];
  const pages: number[] = [];
  const fetch: typeof globalThis.fetch = async (input) => {
    const query = new URL(`${input}`).searchParams;
    const page = Number(query.get('page') ?? 1);
    requests.push(query);
    pages.push(page);
    const perPage = list.perPage ?? 2;
    if (list.statusPastEnd && page > 1 && (page - 1) * perPage >= list.ids.length) {
      list.afterPage?.(page, requests.length);
      return Response.json({ message: 'No such page' }, { status: list.statusPastEnd });
    }
    const data = list.ids
      .slice((page - 1) * perPage, page * perPage)
      .map((id) => ({ id, created_at: list.createdAt?.(id) }));
    const info = {
      current_page: page,
      last_page: Math.max(1, Math.ceil(list.ids.length / perPage)),
      total: list.ids.length,
    };
    const body = { data: { data, ...(list.info ? list.info(info, page) : info) } };
    list.afterPage?.(page, requests.length);
    return Response.json(body, { headers: list.date ? { date: list.date } : {} });
  };
  const options = { baseUrl: 'http://localhost', token: 't', fetch, responseValidation: 'off' } as const;
  const client = new Worktrack({ ...options, organization: 'org_acme', retry: 0 });
  const read = async (query = {}, callOptions = {}) => {
    const tickets = await client.tickets.list('p', query, callOptions).toArray({ complete: true });
    return tickets.map(({ id }) => id);
  };
  return { client, read, requests, pages };
}

const move = (ids: FakeList['ids'], id: string, index: number) => {
  ids.splice(ids.indexOf(id), 1);
  ids.splice(index, 0, id);
};

/** Returns a function that picks numbers below a limit, and picks the same ones on every run. */
function seededPicks() {
  let state = 1;
  return (limit: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % limit;
  };
}

/** Performs a complete read of a list with three pages that changes after each page. */
function readChangingList(pick: (limit: number) => number) {
  const ids = Array.from({ length: 55 }, (_, index) => `old${index}`);
  const present = new Set(ids);
  const found = new Set<unknown>();
  const changes = [
    () => ids.splice(pick(2) * ids.length, 0, `new${pick(1e9)}`),
    () => present.delete(ids.splice(pick(ids.length), 1)[0] ?? ''),
    () => move(ids, ids[pick(ids.length)] ?? '', pick(ids.length)),
  ];
  const plan = new CompleteRead('tickets.list');
  let requests = 0;
  for (let page = 1, isDone = false; !isDone; changes[pick(3)]?.()) {
    requests++;
    const last_page = Math.ceil(ids.length / 20);
    const data = ids
      .slice((page - 1) * 20, page * 20)
      .map((id) => ({ id, created_at: id.startsWith('old') ? '2026-11-22' : '2026-11-24' }));
    for (const { id } of data) found.add(id);
    const pageInfo = { total: ids.length, last_page };
    const decoded = { data, pageInfo, hasNext: page < last_page };
    const { next } = plan.visit(decoded, page, 'Mon, 23 Nov 2026 12:00:00 GMT');
    if (next === undefined) isDone = true;
    else page = next;
  }
  return { requests, isIncomplete: [...present].some((id) => !found.has(id)) };
}

describe('a complete read', () => {
  it.each([[['a', 'b']], [[]]])('sends only one request if the list fits on one page: %j', async (ids) => {
    const { read, pages } = serveList({ ids });
    expect(await read()).toEqual(ids);
    expect(pages).toEqual([1]);
  });

  it('reads an unchanged list once forward and once backward', async () => {
    const { read, pages } = serveList({ ids: ['a', 'b', 'c', 'd', 'e'] });
    expect(await read()).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(pages).toEqual([1, 2, 3, 2, 1]);
  });

  it('requests 200 items per page by default, with the same filters for every page', async () => {
    const { read, requests } = serveList({ ids: ['a', 'b', 'c'] });
    await read({ q: 'x' });
    expect(requests.map(String)).toEqual([
      'q=x&per_page=200',
      'q=x&per_page=200&page=2',
      'q=x&per_page=200&page=1',
    ]);
    requests.length = 0;
    await read({ per_page: 2 });
    expect(requests.map((query) => query.get('per_page'))).toEqual(['2', '2', '2']);
  });

  it('finds an item that moves to a page that has already been read', async () => {
    const list: FakeList = { ids: ['a', 'b', 'c', 'd', 'e', 'f'] };
    list.afterPage = (_, requests) => requests === 1 && move(list.ids, 'e', 0);
    const { read } = serveList(list);
    expect((await read()).sort()).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  });

  it('reads a list again if the second pass contains fewer items than the first', async () => {
    const list: FakeList = { ids: ['a', 'b', 'c', 'd', 'e', 'f'] };
    list.afterPage = (_, requests) => requests === 2 && list.ids.splice(0, 1);
    const { read, pages } = serveList(list);
    expect((await read()).sort()).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    expect(pages).toEqual([1, 2, 3, 2, 1, 2, 3]);
  });

  it('rarely misses an item of a list that changes with every request, and takes at most 20 requests', () => {
    const pick = seededPicks();
    const reads = Array.from({ length: 1000 }, () => readChangingList(pick));
    // If one pass without missed items ended the read, 65 of these reads would miss an item.
    expect(reads.filter(({ isIncomplete }) => isIncomplete).length).toBeLessThanOrEqual(20);
    expect(Math.max(...reads.map(({ requests }) => requests))).toBeLessThanOrEqual(20);
  });

  it('continues from the new last page if the list gets shorter', async () => {
    const list: FakeList = { ids: Array.from({ length: 20 }, (_, index) => `t${index}`) };
    list.afterPage = (_, requests) => requests === 9 && list.ids.splice(2, 14);
    const { read, pages } = serveList(list);
    expect(await read()).toHaveLength(20);
    expect(pages.slice(0, 12)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 3, 2]);
  });

  it('ends if the list shrinks to a single page', async () => {
    const list: FakeList = { ids: ['a', 'b', 'c', 'd', 'e', 'f'] };
    list.afterPage = (_, requests) => requests === 2 && list.ids.splice(2);
    const { read, pages } = serveList(list);
    expect(await read()).toEqual(['a', 'b', 'c', 'd']);
    expect(pages).toEqual([1, 2, 3, 1]);
  });

  it.each([400, 404, 422])(
    'continues from the new last page if the list shrinks and a page that no longer exists gets a %d response',
    async (statusPastEnd) => {
      const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
      const { read, pages } = serveList({
        ids,
        statusPastEnd,
        afterPage: (_, requests) => {
          if (requests === 2) ids.splice(2, 2);
        },
      });
      expect(await read()).toEqual(expect.arrayContaining(['a', 'b', 'e', 'f']));
      expect(pages.slice(0, 5)).toEqual([1, 2, 3, 1, 2]);
    },
  );

  it("ends if a page after the last one gets a 404 response and the server doesn't send page info", async () => {
    const { read } = serveList({ ids: ['a', 'b', 'c'], statusPastEnd: 404, info: () => ({}) });
    expect(await read()).toEqual(['a', 'b', 'c']);
  });

  it("throws an error if a page after the last one gets a 422 response and the server doesn't send page info", async () => {
    const { read } = serveList({ ids: ['a', 'b', 'c'], statusPastEnd: 422, info: () => ({}) });
    expect(await errorOf(read())).toMatchObject({ name: 'UnprocessableError' });
  });

  it('ends when a page after the last one gets a 404 response, just like a plain iteration', async () => {
    const ids = ['a', 'b', 'c'];
    const { client, pages } = serveList({ ids, statusPastEnd: 404, afterPage: () => ids.splice(2) });
    const tickets = await client.tickets.list('p').toArray({ limit: Number.POSITIVE_INFINITY });
    expect(tickets.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(pages).toEqual([1, 2, 1]);
  });

  it('throws a NotFoundError if a page that should exist is missing', async () => {
    const { read } = serveList({
      ids: ['a', 'b', 'c'],
      info: (info) => ({ ...info, last_page: 3 }),
      statusPastEnd: 404,
    });
    expect(await errorOf(read())).toMatchObject({ name: 'NotFoundError' });
  });

  it('finishes even if new items are created throughout the read', async () => {
    const list: FakeList = { ids: ['a', 'b', 'c', 'd'], date: 'Mon, 23 Nov 2026 12:00:00 GMT' };
    list.createdAt = (id) =>
      id?.startsWith('new') ? '2026-11-23T12:00:01.001Z' : '2026-11-23T12:00:01.000Z';
    list.afterPage = (_, requests) => list.ids.push(`new${requests}`);
    const { read, pages } = serveList(list);
    expect(await read()).toEqual(expect.arrayContaining(['a', 'b', 'c', 'd']));
    const turns = pages.filter(
      (page, index) => (pages[index - 1] ?? 0) < page !== page < (pages[index + 1] ?? 0),
    );
    expect(turns.length).toBeLessThanOrEqual(5);
    expect(pages.length).toBeLessThanOrEqual(35);
  });

  it.each([
    ['the time of the read is unknown', undefined, '2099-01-01T00:00:00Z'],
    ['the items have no creation time', 'Mon, 23 Nov 2026 12:00:00 GMT', undefined],
    [
      'the items could have existed before the read',
      'Mon, 23 Nov 2026 12:00:00 GMT',
      '2026-11-23T12:00:01.000Z',
    ],
  ])('throws an IncompleteListError if every pass finds new items and %s', async (_, date, createdAt) => {
    const list: FakeList = { ids: ['a', 'b', 'c', 'd'], createdAt: () => createdAt };
    if (date) list.date = date;
    list.afterPage = (_, requests) => list.ids.splice(2, requests === 1 ? 0 : 1, `new${requests}`);
    const { read } = serveList(list);
    expect(await errorOf(read())).toMatchObject({
      name: 'IncompleteListError',
      message:
        "tickets.list: can't read the list completely: the list was still changing after 20 passes; add filters, or try again later",
      operation: 'tickets.list',
      outcome: 'done',
      passes: 20,
    });
  });

  it('yields every page from pages(), but each item only once', async () => {
    const { client } = serveList({ ids: ['a', 'b', 'c'] });
    const pages = [];
    for await (const page of client.tickets.list('p').pages({ complete: true })) pages.push(page);
    expect(pages.map(({ data, current_page }) => [current_page, data.map(({ id }) => id)])).toEqual([
      [1, ['a', 'b']],
      [2, ['c']],
      [1, []],
    ]);
    expect((await pages[0]?.next())?.data).toMatchObject([{ id: 'c' }]);
  });

  it('reads every page backward even if the server reports too few pages', async () => {
    const { read, pages } = serveList({
      ids: ['a', 'b', 'c', 'd', 'e'],
      info: (_, page) => ({ last_page: 1, next_page_url: page < 3 ? '/x' : null }),
    });
    expect(await read()).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(pages).toEqual([1, 2, 3, 2, 1]);
  });

  it.each([
    ['a total', ({ current_page, last_page }) => ({ current_page, last_page }), [1, 2, 1]],
    ['a last page', ({ current_page, total }) => ({ current_page, total }), [1, 2, 3, 2, 1]],
    ['any page info', () => ({}), [1, 2, 3, 2, 1]],
    ['any page info except links', (_, page) => ({ next_page_url: page === 1 ? '/x' : null }), [1, 2, 1]],
  ] as [string, NonNullable<FakeList['info']>, number[]][])(
    "finds every item even if the server doesn't send %s",
    async (_, info, expected) => {
      const { read, pages } = serveList({ ids: ['a', 'b', 'c'], info });
      expect(await read()).toEqual(['a', 'b', 'c']);
      expect(pages).toEqual(expected);
    },
  );

  it("ends even if the server ignores the page number and doesn't send page info", async () => {
    const { read, pages } = serveList({ ids: ['a', 'b'], perPage: 99, info: () => ({}) });
    expect(await read()).toEqual(['a', 'b']);
    expect(pages).toEqual([1, 2, 1]);
  });

  it('throws an IncompleteListError if the server always reports another page', async () => {
    const { read, pages } = serveList({
      ids: ['a', 'b', 'c', 'd'],
      info: ({ total }) => ({ total, current_page: 1, last_page: 3 }),
    });
    expect(await errorOf(read())).toMatchObject({
      name: 'IncompleteListError',
      message:
        'tickets.list: can\'t read the list completely: the server still reports more pages after 106; check the "page" setting of option "wire"',
      passes: 1,
    });
    expect(pages).toHaveLength(106);
  });

  it("reads up to 10,100 pages if the server doesn't report the last page", () => {
    const plan = new CompleteRead('tickets.list');
    const visit = (number: number) =>
      plan.visit({ data: [{ id: number }], pageInfo: {}, hasNext: true }, number, null);
    for (let number = 1; number < 10_100; number++) expect(visit(number).next).toBe(number + 1);
    expect(() => visit(10_100)).toThrow('still reports more pages after 10100');
  });

  it('throws an IncompleteListError if an item has no ID', async () => {
    expect(await errorOf(serveList({ ids: ['a', undefined] }).read())).toMatchObject({
      name: 'IncompleteListError',
      message: 'tickets.list: can\'t read the list completely: an item has no "id"',
    });
  });

  it.each([2, '2', 0])("can't start at page %j", async (page) => {
    const { client, pages } = serveList({ ids: ['a'] });
    const list = client.request('tickets.list', { params: { project: 'p' }, query: { page } });
    expect(await errorOf(list.toArray({ complete: true }))).toMatchObject({
      name: 'ConfigurationError',
      message: `tickets.list: a complete read must start at page 1 (got "page" ${page})`,
      operation: 'tickets.list',
    });
    expect(pages).toEqual([]);
  });

  it('can start at page 1', async () => {
    expect(await serveList({ ids: ['a', 'b', 'c'] }).read({ page: 1 })).toEqual(['a', 'b', 'c']);
  });

  it.each([
    [{ complete: true, limit: 5 }, 'options "limit" and "complete" are mutually exclusive'],
    [undefined, 'pass { limit } or { complete: true }'],
    [{ complete: false }, 'pass { limit } or { complete: true }'],
    [{ limit: -1 }, 'option "limit" must be a non-negative integer or Infinity (got -1)'],
    [{ limit: 1.5 }, 'option "limit" must be a non-negative integer or Infinity (got 1.5)'],
    [{ limit: Number.NaN }, 'option "limit" must be a non-negative integer or Infinity (got NaN)'],
    [{ complete: 'yes' }, 'option "complete" must be a boolean (got "yes")'],
    [{ completed: true }, 'unknown option "completed"; did you mean "complete"?'],
  ])('rejects the toArray options %j', async (options, message) => {
    const { client, pages } = serveList({ ids: ['a'] });
    const list = client.tickets.list('p');
    expect(await errorOf(list.toArray(options as never))).toMatchObject({
      name: 'ConfigurationError',
      message: `tickets.list: toArray: ${message}`,
      operation: 'tickets.list',
    });
    expect(pages).toEqual([]);
  });

  it('rejects unknown options for pages()', async () => {
    const list = serveList({ ids: ['a'] }).client.tickets.list('p');
    expect(await errorOf(list.pages({ limit: 1 } as never).next())).toMatchObject({
      message: 'tickets.list: pages: unknown option "limit"; expected one of: complete',
    });
  });

  it('prefetches the next page of a pass if prefetch is true', async () => {
    const { client, pages } = serveList({ ids: ['a', 'b', 'c', 'd', 'e'] });
    const list = client.tickets.list('p', {}, { prefetch: true });
    const counts = [];
    for await (const page of list.pages({ complete: true })) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      counts.push([page.current_page, pages.length]);
    }
    expect(counts).toEqual([
      [1, 2],
      [2, 3],
      [3, 4],
      [2, 5],
      [1, 5],
    ]);
    expect(pages).toEqual([1, 2, 3, 2, 1]);
  });

  it.each([1, 2, 3, 4])('stops when the signal aborts after request %i', async (count) => {
    const controller = new AbortController();
    const { read, pages } = serveList({
      ids: ['a', 'b', 'c', 'd', 'e'],
      afterPage: (_, requests) => requests === count && controller.abort(),
    });
    expect(await errorOf(read({}, { signal: controller.signal }))).toMatchObject({
      name: 'RequestAbortedError',
      operation: 'tickets.list',
    });
    expect(pages).toHaveLength(count);
  });

  it('requests the first page again if it was already requested', async () => {
    const list: FakeList = { ids: ['a'] };
    const { client } = serveList(list);
    const tickets = client.tickets.list('p');
    await tickets;
    list.ids = ['b'];
    expect(await tickets.toArray({ complete: true })).toMatchObject([{ id: 'b' }]);
  });
});
