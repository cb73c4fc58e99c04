import { describe, expect, it } from 'vitest';
import { type InvalidResponseError, NotFoundError } from 'worktrack';
import { clientWith, errorOf, json, type ReceivedRequest, serve } from './support/serve.js';

const pageOf = ({ url }: ReceivedRequest) => Number(new URL(url, 'http://x').searchParams.get('page') ?? 1);
const ids = (items: { id: string }[]) => items.map(({ id }) => id);

/** Starts a server that returns the given pages of IDs. */
const servePages = (...pages: string[][]) =>
  serve((out, request) => {
    const number = pageOf(request);
    const data = (pages[number - 1] ?? []).map((id) => ({ id }));
    json(out, 200, {
      data: {
        data,
        current_page: number,
        last_page: pages.length,
        per_page: 2,
        total: pages.flat().length,
        from: 1,
        to: 2,
      },
    });
  });

describe('a paginated list', () => {
  it('resolves to the first page and its page info', async () => {
    const { client, seen } = await servePages(['a', 'b'], ['c']);
    const page = await client().tickets.list('p');
    expect(page).toMatchObject({
      data: [{ id: 'a' }, { id: 'b' }],
      current_page: 1,
      last_page: 2,
      per_page: 2,
      total: 3,
      from: 1,
      to: 2,
      hasNext: true,
    });
    expect(seen).toHaveLength(1);
  });

  it('has a next() method that returns the next page, or undefined after the last page', async () => {
    const { client } = await servePages(['a'], ['b'], ['c']);
    const found = [];
    let page = await client()
      .tickets.list('p')
      .then((first) => first as typeof first | undefined);
    for (; page; page = await page.next()) found.push(...ids(page.data));
    expect(found).toEqual(['a', 'b', 'c']);
  });

  it('iterates over all items and requests every page with the same filters', async () => {
    const { client, seen } = await servePages(['a', 'b'], ['c']);
    const found = [];
    for await (const ticket of client().tickets.list('p', { q: 'x', per_page: 2 })) found.push(ticket.id);
    expect(found).toEqual(['a', 'b', 'c']);
    expect(seen.map(({ url }) => url)).toEqual([
      '/api/v1/projects/p/tickets?q=x&per_page=2',
      '/api/v1/projects/p/tickets?q=x&per_page=2&page=2',
    ]);
  });

  it('starts at the given page', async () => {
    const { client } = await servePages(['a'], ['b'], ['c']);
    expect(ids(await client().tickets.list('p', { page: 2 }).toArray({ limit: 9 }))).toEqual(['b', 'c']);
  });

  it('sends no request until the list is used, and requests the first page only once', async () => {
    const { client, seen } = await servePages(['a']);
    const list = client().tickets.list('p');
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(seen).toHaveLength(0);
    const [first, second] = await Promise.all([list, list]);
    expect(second).toBe(first);
    expect(ids(await list.toArray({ limit: 5 }))).toEqual(['a']);
    expect(seen).toHaveLength(1);
  });

  it('supports then, catch, finally, toStringTag, and Promise.all', async () => {
    const { client } = await serve((out) => json(out, 404, {}));
    const list = client().tickets.list('p');
    expect(Object.prototype.toString.call(list)).toBe('[object PageList]');
    let settled = false;
    const error = await list
      .finally(() => {
        settled = true;
      })
      .catch((reason: unknown) => reason);
    expect([settled, (error as Error).name, await list.catch(() => 'caught')]).toEqual([
      true,
      'NotFoundError',
      'caught',
    ]);
    await expect(Promise.all([list])).rejects.toThrow(NotFoundError);
  });

  it('requests only as many pages as toArray needs', async () => {
    const { client, seen } = await servePages(['a', 'b'], ['c', 'd'], ['e']);
    expect(ids(await client().tickets.list('p').toArray({ limit: 3 }))).toEqual(['a', 'b', 'c']);
    expect(seen).toHaveLength(2);
    expect(await client().tickets.list('p').toArray({ limit: 0 })).toEqual([]);
    expect(seen).toHaveLength(2);
  });

  it('skips items that also appeared on an earlier page', async () => {
    const { client } = await servePages(['a', 'b'], ['b', 'c'], ['c', 'd']);
    const pages = [];
    for await (const page of client().tickets.list('p').pages()) pages.push(ids(page.data));
    expect(pages).toEqual([['a', 'b'], ['c'], ['d']]);
  });

  it("continues to the last page even if a page doesn't contain any new items", async () => {
    const { client, seen } = await servePages(['a', 'b'], ['a', 'b'], [], ['c']);
    const pages = [];
    for await (const page of client().tickets.list('p').pages()) pages.push(ids(page.data));
    expect(pages).toEqual([['a', 'b'], [], [], ['c']]);
    expect(seen).toHaveLength(4);
  });

  it('throws an IncompleteListError after 100 pages without new items if the server reports more pages', async () => {
    const { client, seen } = await serve((out) =>
      json(out, 200, { data: { data: [{ id: 'a' }], current_page: 1, last_page: 999 } }),
    );
    expect(await errorOf(client().tickets.list('p').toArray({ limit: 100 }))).toMatchObject({
      name: 'IncompleteListError',
      message:
        'tickets.list: the server still reports more pages after 100 without new items; check the "page" setting of option "wire"',
      operation: 'tickets.list',
      outcome: 'done',
      passes: 1,
    });
    expect(seen).toHaveLength(101);
  });

  it('continues after 99 consecutive pages without new items', async () => {
    const repeated = Array.from({ length: 99 }, () => ['a']);
    const { client } = await servePages(['a'], ...repeated, ['b'], ...repeated, ['c']);
    expect(ids(await client().tickets.list('p').toArray({ limit: 9 }))).toEqual(['a', 'b', 'c']);
  });

  it('requests the first page again if the first request for it failed', async () => {
    const { client, seen } = await serve((out, _, index) =>
      index === 0 ? json(out, 404, {}) : json(out, 200, { data: { data: [{ id: 'a' }] } }),
    );
    const list = client().tickets.list('p');
    await Promise.all([
      expect(list).rejects.toThrow(NotFoundError),
      expect(list.toArray({ limit: 1 })).rejects.toThrow(NotFoundError),
    ]);
    expect(seen).toHaveLength(1);
    expect((await list).data).toEqual([{ id: 'a' }]);
    expect(ids(await list.toArray({ limit: 1 }))).toEqual(['a']);
    expect(seen).toHaveLength(2);
  });

  it("throws an error if the request for a page fails, and doesn't request the first page again", async () => {
    const { client, seen } = await serve((out, _, index) =>
      index === 1
        ? json(out, 500, {})
        : json(out, 200, { data: { data: [{ id: 'a' }], current_page: 1, last_page: index ? 1 : 2 } }),
    );
    const list = client({ retry: 0 }).tickets.list('p').toArray({ limit: 9 });
    expect(await errorOf(list)).toMatchObject({ status: 500 });
    expect(seen).toHaveLength(2);
  });

  it("reads every page up to last_page if the server doesn't send current_page", async () => {
    const { client } = await serve((out, request) =>
      json(out, 200, { data: [{ id: `t${pageOf(request)}` }], meta: { last_page: 2 } }),
    );
    expect(ids(await client().tickets.list('p').toArray({ limit: 9 }))).toEqual(['t1', 't2']);
    expect((await client().tickets.list('p')).hasNext).toBe(true);
  });

  it('yields a single empty page if the list is empty', async () => {
    const { client } = await servePages([]);
    const pages = [];
    for await (const page of client().tickets.list('p').pages()) pages.push(page);
    expect(pages).toMatchObject([{ data: [], total: 0, hasNext: false }]);
  });

  it('supports the flat page format and ignores its links', async () => {
    const otherServer = await serve((out) => json(out, 200, {}));
    const { client, seen } = await serve((out, request) => {
      const isFirst = pageOf(request) === 1;
      const data = [{ id: isFirst ? 'a' : 'b' }];
      json(out, 200, {
        data,
        meta: { current_page: 1 },
        links: { next: isFirst ? `${otherServer.origin}/next` : null },
      });
    });
    expect(ids(await client().tickets.list('p').toArray({ limit: 9 }))).toEqual(['a', 'b']);
    expect([seen.length, otherServer.seen.length]).toEqual([2, 0]);
  });
});

describe('prefetch', () => {
  it('requests the next page while the current page is being processed', async () => {
    const { client, seen } = await servePages(['a'], ['b'], ['c']);
    const list = client({ prefetch: true }).tickets.list('p')[Symbol.asyncIterator]();
    await list.next();
    await expect.poll(() => seen.length).toBe(2);
    await list.return?.();
  });

  it('requests each page only once', async () => {
    const { client, seen } = await servePages(['a'], ['b'], ['c']);
    const list = client({ prefetch: true }).tickets.list('p');
    expect(ids(await list.toArray({ limit: 9 }))).toEqual(['a', 'b', 'c']);
    expect(seen.map(pageOf)).toEqual([1, 2, 3]);
  });

  it('is disabled by default', async () => {
    const { client, seen } = await servePages(['a'], ['b']);
    const list = client().tickets.list('p')[Symbol.asyncIterator]();
    await list.next();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(seen).toHaveLength(1);
  });

  it('is canceled if the loop ends early', async () => {
    let closed = false;
    const { client, seen } = await serve((out, request) => {
      if (pageOf(request) === 1)
        return json(out, 200, { data: { data: [{ id: 'a' }], current_page: 1, last_page: 2 } });
      out.on('close', () => {
        closed = true;
      });
    });
    for await (const _ of client().tickets.list('p', {}, { prefetch: true })) {
      await expect.poll(() => seen.length).toBe(2);
      break;
    }
    await expect.poll(() => closed).toBe(true);
  });

  it('throws the error of a page that failed only when the page is used', async () => {
    const { client, seen } = await serve((out, request) =>
      pageOf(request) === 1
        ? json(out, 200, { data: { data: [{ id: 'a' }], current_page: 1, last_page: 2 } })
        : json(out, 403, {}),
    );
    const list = client().tickets.list('p', {}, { prefetch: true })[Symbol.asyncIterator]();
    expect((await list.next()).value).toEqual({ id: 'a' });
    await expect.poll(() => seen.length).toBe(2);
    expect(await errorOf(list.next())).toMatchObject({ name: 'PermissionDeniedError' });
  });
});

it.each([
  ['the call', false, false],
  ['the call', true, false],
  ['the client', false, true],
  ['the client', true, true],
])(
  'the signal in the options of %s applies to all pages of a list (prefetch: %s)',
  async (_, prefetch, isInClient) => {
    const { client } = await servePages(['a'], ['b'], ['c']);
    const controller = new AbortController();
    const options = { signal: controller.signal, prefetch };
    const list = isInClient
      ? client().withOptions(options).tickets.list('p')
      : client().tickets.list('p', {}, options);
    const found: string[] = [];
    const walk = async () => {
      for await (const { id } of list) {
        found.push(id);
        if (id === 'b') controller.abort();
      }
    };
    expect(await errorOf(walk())).toMatchObject({ name: 'RequestAbortedError', operation: 'tickets.list' });
    expect(found).toEqual(['a', 'b']);
  },
);

describe('paginated lists', () => {
  it('reject an invalid signal when the iteration starts', async () => {
    const { client, seen } = await servePages(['a']);
    const list = client().tickets.list('p', {}, { signal: {} as never });

    expect(await errorOf(list.pages().next())).toMatchObject({
      name: 'ConfigurationError',
      message: 'tickets.list: option "signal" must be an AbortSignal (got an object)',
    });
    expect(seen).toEqual([]);
  });

  it('accept null options', async () => {
    const client = clientWith(async () => Response.json({ data: { data: [{ id: 'a' }] } }));

    expect((await client.tickets.list('p', {}, null as never)).data).toEqual([{ id: 'a' }]);
  });

  it("deduplicate items by object identity if the items don't have an ID", async () => {
    const pages = [[null, 'a', { name: 'x' }], [null, 'a', 'b'], []];
    const client = clientWith(async (url) => {
      const page = Number(new URL(String(url)).searchParams.get('page') ?? 1);
      return Response.json({ data: { data: pages[page - 1], current_page: page, last_page: 3 } });
    });

    expect(await client.tickets.list('p').toArray({ limit: 10 })).toEqual([null, 'a', { name: 'x' }, 'b']);
  });

  it("reject tags that aren't a string or a list of strings", async () => {
    const client = clientWith(async () => Response.json({ data: { data: [] } }));

    expect(await errorOf(client.documents.list({ tags: 5 as never }))).toMatchObject({
      fieldErrors: { tags: ['must be a string or a list of strings'] },
    });
  });
});

it('page info is validated against the contract', async () => {
  const client = clientWith(
    async () => Response.json({ data: [], meta: { current_page: '1', last_page: '1' } }),
    { responseValidation: 'throw' },
  );
  const error = await errorOf(client.documents.list());
  expect(error).toMatchObject({ name: 'InvalidResponseError' });
  expect(Object.keys((error as InvalidResponseError).fieldErrors ?? {})).toEqual([
    'current_page',
    'per_page',
    'last_page',
    'total',
    'from',
    'to',
  ]);
});
