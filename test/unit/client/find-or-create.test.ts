import { describe, expect, it, vi } from 'vitest';
import { type ClientOptions, type FindOptions, type Ticket, Worktrack } from 'worktrack';
import { createMockServer } from 'worktrack/mock-server';
import { addMark, type Mark, markText } from '../../../src/mark.js';
import { useFakeTimers } from '../../support/timers.js';
import { errorOf } from './support/serve.js';

type Respond = (input: Parameters<typeof fetch>[0], init: RequestInit | undefined) => Promise<Response>;

/** Starts a server with two boards: `brd_todo`, which has the given tickets, and `brd_done`, which is empty. */
function start(
  wrap: (respond: Respond) => Respond = (respond) => respond,
  options: ClientOptions = {},
  tickets: { id: string; title: string }[] = [],
) {
  const mock = createMockServer();
  mock.add.project({ id: 'prj_1' });
  mock.add.board({ project: 'prj_1', id: 'brd_todo', name: 'To do', tickets });
  mock.add.board({ project: 'prj_1', id: 'brd_done', name: 'Done' });
  const fetch = wrap(mock.fetch) as typeof globalThis.fetch;
  const client = new Worktrack({ ...mock.clientOptions(), fetch, retry: 0, ...options });
  /** Returns the operations (and search terms) of the requests since the last call. */
  const requests = () => {
    const list = mock.requests
      .all()
      .map(({ operation, query }) => [operation, (query as { q?: string })?.q].filter(Boolean).join(' '));
    mock.requests.clear();
    return list;
  };
  return { mock, client, requests };
}

/** Loses the response to the first POST request. */
const loseFirst = (respond: Respond): Respond => {
  let isLost = false;
  return async (input, init) => {
    const response = await respond(input, init);
    if (isLost || init?.method !== 'POST') return response;
    isLost = true;
    throw new TypeError('fetch failed');
  };
};

/** Makes the search ignore descriptions and content. */
const searchTitles =
  (respond: Respond): Respond =>
  async (input, init) => {
    const url = new URL(`${input}`);
    const q = url.searchParams.get('q')?.toLowerCase();
    if (!q) return respond(input, init);
    url.searchParams.delete('q');
    const { data } = await (await respond(url.href, init)).json();
    const found = data.data.filter(({ title }: Ticket) => title.toLowerCase().includes(q));
    return Response.json({ data: { ...data, data: found, total: found.length } });
  };

const todo = { board_id: 'brd_todo', title: 'Launch' };
const byTitle = { q: 'Launch', match: ({ title }: { title: string }) => title === 'Launch' };
const markOf = (key: string, kind: Mark['kind'] = 'ticket') => markText({ kind, key });
/** The request that searches for the mark of a key. */
const search = (key: string) => `tickets.list ${/\[(.*)\]/.exec(markOf(key))?.[1]}`;

describe('findOrCreate with a key', () => {
  it('creates a ticket and finds it again by its key, even if its title and board have changed', async () => {
    const { client } = start();
    const onCreate = vi.fn();
    const first = await client.tickets.findOrCreate('prj_1', todo, { key: 'form-123', onCreate });
    expect(onCreate).toHaveBeenCalledOnce();
    await client.tickets.update(first.id, { title: 'Renamed', archived: true });
    await client.tickets.move(first.id, { board_id: 'brd_done' });
    const second = await client.tickets.findOrCreate('prj_1', todo, { key: 'form-123', onCreate });
    expect(second).toMatchObject({ id: first.id, title: 'Renamed' });
    expect(onCreate).toHaveBeenCalledOnce();
  });

  it('creates a document and finds it again by its key', async () => {
    const { client } = start();
    const body = { title: 'Runbook', content_html: '<p>Steps</p>' };
    const first = await client.documents.findOrCreate(body, { key: 'doc-1' });
    expect(first.content_html).toBe(`<p>Steps</p><p>${markOf('doc-1', 'document')}</p>`);
    expect((await client.documents.findOrCreate(body, { key: 'doc-1' })).id).toBe(first.id);
    expect((await client.documents.findOrCreate(body, { key: 'doc-2' })).id).not.toBe(first.id);
  });

  it.each([
    ['form-1', 'form-123'],
    ['form-1', 'FORM-1'],
    ['a b', 'a  b'],
    ['<b>&amp;"\'', '<b>&"\''],
    ['a]', 'a'],
    ['é', 'e\u0301'],
    ['100%', '100'],
    ['💡', '🚀'],
  ])('distinguishes between the keys %j and %j', async (one, other) => {
    const { client } = start();
    const create = (key: string) => client.tickets.findOrCreate('prj_1', todo, { key });
    const [first, second] = [await create(one), await create(other)];
    expect(second.id).not.toBe(first.id);
    expect([(await create(one)).id, (await create(other)).id]).toEqual([first.id, second.id]);
  });

  it.each([
    [undefined, `<p>${markOf('k')}</p>`],
    [null, `<p>${markOf('k')}</p>`],
    ['<p>Text</p>', `<p>Text</p><p>${markOf('k')}</p>`],
    ['1 < 2 <p>x', `1 < 2 <p>x<p>${markOf('k')}</p>`],
    ['text <a href="', `text &lt;a href="<p>${markOf('k')}</p>`],
    ['<!-- open', `&lt;!-- open<p>${markOf('k')}</p>`],
    ['<textarea>open', `&lt;textarea>open<p>${markOf('k')}</p>`],
    [
      `<p>${markOf('other')}</p>`,
      `<p>${markOf('other').replace('[', '(').replace(']', ')')}</p><p>${markOf('k')}</p>`,
    ],
    [`<p>${markOf('k')}</p>`, `<p>${markOf('k')}</p>`],
  ])('adds the key to the description %j', async (description_html, stored) => {
    const { client } = start();
    const ticket = await client.tickets.findOrCreate('prj_1', { ...todo, description_html }, { key: 'k' });
    expect(ticket.description_html).toBe(stored);
    expect((await client.tickets.findOrCreate('prj_1', todo, { key: 'k' })).id).toBe(ticket.id);
  });

  it('reads all tickets only if it can’t find the key with a search', async () => {
    const { client, requests } = start();
    await client.tickets.findOrCreate('prj_1', todo, { key: 'a' });
    expect(requests()).toEqual([search('a'), 'tickets.list', 'tickets.create']);
    await client.tickets.findOrCreate('prj_1', todo, { key: 'a' });
    expect(requests()).toEqual([search('a')]);
  });

  it('ignores keys in the text of other tickets, so that a form submission can’t claim a key', async () => {
    const { client } = start();
    const description_html = `<p>${markOf('form-2')}</p>`;
    const first = await client.tickets.findOrCreate(
      'prj_1',
      { ...todo, description_html },
      { key: 'form-1' },
    );
    const second = await client.tickets.findOrCreate('prj_1', todo, { key: 'form-2' });
    expect(second.id).not.toBe(first.id);
    const document = await client.documents.findOrCreate({ title: 'x' }, { key: 'form-2' });
    expect(document.content_html).toBe(`<p>${markOf('form-2', 'document')}</p>`);
  });

  it.each(['tickets', 'documents'])('finds %s by key even if the search covers only titles', async (kind) => {
    // This ticket has no description.
    const { client } = start(searchTitles, {}, [{ id: 'tkt_empty', title: 'Empty' }]);
    const title = `About ${markOf('form-1')}`;
    const create = (key: string) =>
      kind === 'tickets'
        ? client.tickets.findOrCreate('prj_1', { ...todo, title }, { key })
        : client.documents.findOrCreate({ title }, { key });
    const first = await create('form-1');
    const second = await create('form-2');
    expect(new Set(['tkt_empty', first.id, second.id]).size).toBe(3);
    expect([(await create('form-1')).id, (await create('form-2')).id]).toEqual([first.id, second.id]);
  });

  it('requests each ticket individually if the list omits descriptions', async () => {
    const { client, mock, requests } = start(
      (respond) => async (input, init) => {
        const response = await respond(input, init);
        if (!new URL(`${input}`).pathname.endsWith('/tickets') || init?.method === 'POST') return response;
        const { data } = await response.json();
        const tickets = data.data.map(({ description_html: _, ...ticket }: Ticket) => ticket);
        return Response.json({ data: { ...data, data: tickets } });
      },
      { responseValidation: 'off' },
    );
    const first = await client.tickets.findOrCreate('prj_1', todo, { key: 'k' });
    requests();
    expect((await client.tickets.findOrCreate('prj_1', todo, { key: 'k' })).id).toBe(first.id);
    expect(requests()).toEqual([search('k'), 'tickets.get']);
    // Someone deletes the ticket before the client requests it.
    mock.faults.add({ operation: 'tickets.get', status: 404 });
    expect((await client.tickets.findOrCreate('prj_1', todo, { key: 'k' })).id).not.toBe(first.id);
  });

  it('returns the oldest ticket if several tickets have the key', async () => {
    const { client, mock } = start();
    const description_html = `<p>${markOf('k')}</p>`;
    const add = async (at: string) => {
      mock.clock.set(at);
      return (await client.tickets.create('prj_1', { ...todo, description_html })).id;
    };
    await add('2026-03-02T00:00:00Z');
    const oldest = await add('2026-03-01T00:00:00Z');
    await add('2026-03-03T00:00:00Z');
    expect((await client.tickets.findOrCreate('prj_1', todo, { key: 'k' })).id).toBe(oldest);
  });

  it('creates only one record for concurrent calls with the same key', async () => {
    const { client, mock } = start();
    const keys = ['a', 'b', 'a', 'a', 'b'];
    const onCreate = vi.fn();
    const tickets = await Promise.all(
      keys.map((key) => client.tickets.findOrCreate('prj_1', todo, { key, onCreate })),
    );
    expect(new Set(tickets.map(({ id }) => id)).size).toBe(2);
    expect(mock.requests.for('tickets.create')).toHaveLength(2);
    expect(onCreate).toHaveBeenCalledTimes(2);
  });

  it('creates only one record for concurrent calls on clients with the same credential', async () => {
    const { client, mock } = start();
    const token = mock.clientOptions().token as string;
    const getToken = () => token;
    const call = (one: Worktrack, options = {}) =>
      one.tickets.findOrCreate('prj_1', todo, { key: 'a', ...options });
    const same = [call(client), call(client.withOptions({ timeout: 900 })), call(client, { token })];
    expect(new Set((await Promise.all(same)).map(({ id }) => id)).size).toBe(1);
    expect(mock.requests.for('tickets.create')).toHaveLength(1);
    const withFunction = client.withOptions({ token: getToken });
    const functions = [
      call(withFunction),
      call(client, { token: getToken }),
      call(client, { token: () => token }),
    ];
    mock.requests.clear();
    await Promise.all(functions);
    // Two functions might return different credentials.
    expect(mock.requests.for('tickets.list')).toHaveLength(2);
  });

  it('succeeds even if a concurrent call with the same key fails or is aborted', async () => {
    const { client, mock } = start();
    const [first, second, third] = [new AbortController(), new AbortController(), new AbortController()];
    mock.faults.add({ operation: 'tickets.list', latency: 50 });
    const create = ({ signal }: AbortController) =>
      client.tickets.findOrCreate('prj_1', todo, { key: 'a', signal });
    const calls = [errorOf(create(first)), create(second), errorOf(create(third))];
    await vi.waitFor(() => expect(mock.requests.all()).not.toEqual([]));
    third.abort(new Error('enough'));
    expect(await calls[2]).toMatchObject({
      name: 'RequestAbortedError',
      message: "tickets.findOrCreate: aborted by the caller's signal",
      outcome: 'not_sent',
      cause: third.signal.reason,
    });
    first.abort();
    expect(await calls[0]).toMatchObject({ name: 'RequestAbortedError' });
    expect(await calls[1]).toMatchObject({ title: 'Launch' });
    expect(mock.requests.for('tickets.create')).toHaveLength(1);
  });

  it('waits for "onCreate" and throws its error, but finds the record in the next call', async () => {
    const { client } = start();
    const onCreate = async () => {
      await Promise.resolve();
      throw new Error('offline');
    };
    const options = { key: 'k', onCreate };
    await expect(client.tickets.findOrCreate('prj_1', todo, options)).rejects.toThrow('offline');
    const ticket = await client.tickets.findOrCreate('prj_1', todo, options);
    expect((await client.tickets.list('prj_1')).data).toEqual([ticket]);
  });
});

describe('findOrCreate with a match function', () => {
  it('searches the board that the body specifies by ID or slug', async () => {
    const { client, requests } = start();
    const findOrCreate = (board: object) =>
      client.tickets.findOrCreate('prj_1', { title: 'Launch', ...board } as never, byTitle);
    const first = await findOrCreate({ board_id: 'brd_todo' });
    const second = await findOrCreate({ board_slug: 'done' });
    expect(second).toMatchObject({ board_id: 'brd_done' });
    requests();
    expect((await findOrCreate({ board_slug: 'to-do' })).id).toBe(first.id);
    expect(requests()).toEqual(['boards.list', 'tickets.list Launch']);
    expect((await findOrCreate({ board_id: 'brd_done' })).id).toBe(second.id);
    expect((await client.tickets.list('prj_1')).total).toBe(2);
  });

  it("searches the project that the body specifies, or all documents if the body doesn't specify a project", async () => {
    const { client } = start();
    const inProject = { title: 'Launch', project_id: 'prj_1' };
    const first = await client.documents.findOrCreate({ title: 'Launch' }, byTitle);
    const second = await client.documents.findOrCreate(inProject, byTitle);
    expect(second.id).not.toBe(first.id);
    expect((await client.documents.findOrCreate(inProject, byTitle)).id).toBe(second.id);
    expect((await client.documents.findOrCreate({ title: 'Launch', project_id: null }, byTitle)).id).toBe(
      first.id,
    );
  });

  it("doesn't add anything to the record", async () => {
    const { client } = start();
    const body = { ...todo, description_html: '<p>Text</p>' };
    expect(await client.tickets.findOrCreate('prj_1', body, byTitle)).toMatchObject(body);
    expect(await client.documents.findOrCreate({ title: 'Launch' }, byTitle)).toMatchObject({
      content_html: null,
    });
  });

  it('finds a ticket that moves between pages while the board is being read', async () => {
    const tickets = Array.from({ length: 450 }, (_, index) => ({
      id: `tkt_${index}`,
      title: `Item ${index}`,
    }));
    const { client, mock } = start(undefined, {}, tickets);
    let isMoved = false;
    mock.override('tickets.list', async (_, next) => {
      const page = await next();
      if (!isMoved) await client.tickets.move('tkt_420', { board_id: 'brd_todo', position: 0 });
      isMoved = true;
      return page;
    });
    const found = await client.tickets.findOrCreate('prj_1', todo, {
      match: ({ title }) => title === 'Item 420',
    });
    expect(found.id).toBe('tkt_420');
  });

  it.each([
    [{ board_slug: 'nope' }, ['boards.list', 'tickets.create']],
    [{ board_id: 'brd_gone' }, ['tickets.list Launch', 'tickets.create']],
  ])("throws the server's error without searching again if the board is unknown: %j", async (board, sent) => {
    const { client, requests } = start();
    const rejected = client.tickets.findOrCreate('prj_1', { ...board, title: 'Launch' } as never, byTitle);
    expect(await errorOf(rejected)).toMatchObject({ code: 'invalid_board', outcome: 'rejected' });
    expect(requests()).toEqual(sent);
  });

  it('waits for an asynchronous function, and rethrows its errors', async () => {
    const { client } = start();
    await client.tickets.create('prj_1', todo);
    const second = await client.tickets.create('prj_1', todo);
    const match = async ({ id }: Ticket) => id === second.id;
    expect((await client.tickets.findOrCreate('prj_1', todo, { match })).id).toBe(second.id);
    const error = new Error('no');
    const failing = [
      () => {
        throw error;
      },
      () => Promise.reject(error),
    ];
    for (const match of failing)
      expect(await errorOf(client.tickets.findOrCreate('prj_1', todo, { match }))).toBe(error);
  });
});

describe('findByKey', () => {
  it('finds the record that findOrCreate created, and only that', async () => {
    const { client, requests } = start();
    const ticket = await client.tickets.findOrCreate('prj_1', todo, { key: 'build-feature/x' });
    const document = await client.documents.findOrCreate({ title: 'Runbook' }, { key: 'doc-1' });
    requests();
    expect(await client.tickets.findByKey('prj_1', 'build-feature/x')).toEqual(ticket);
    expect(requests()).toEqual([search('build-feature/x')]);
    expect(await client.tickets.findByKey('prj_1', 'build-feature')).toBeUndefined();
    expect(await client.tickets.findByKey('prj_1', 'doc-1')).toBeUndefined();
    expect(await client.tickets.findByKey('prj_1', 'build-feature/x', { source: 'Jira' })).toBeUndefined();
    expect(await client.documents.findByKey('doc-1')).toEqual(document);
    expect(await client.documents.findByKey('build-feature/x')).toBeUndefined();
  });

  it('finds an imported record by its source and key', async () => {
    const { client } = start();
    const mark = { kind: 'ticket', source: 'Jira', key: 'APO-1' } as const;
    const description_html = addMark('<p>Text</p>', mark);
    const { id } = await client.tickets.create('prj_1', { ...todo, description_html });
    expect(await client.tickets.findByKey('prj_1', 'APO-1', { source: 'Jira' })).toMatchObject({ id });
    expect(await client.tickets.findByKey('prj_1', 'APO-1')).toBeUndefined();
    const content_html = addMark('', { ...mark, kind: 'document' });
    const document = await client.documents.create({ title: 'Runbook', content_html });
    expect(await client.documents.findByKey('APO-1', { source: 'Jira' })).toEqual(document);
  });

  it('stops finding a record once an update replaces its description, unless the update keeps the mark', async () => {
    const { client } = start();
    const { id } = await client.tickets.findOrCreate('prj_1', todo, { key: 'k' });
    await client.tickets.update(id, { description_html: `<p>New</p><p>${markOf('k')}</p>` });
    expect(await client.tickets.findByKey('prj_1', 'k')).toMatchObject({ id });
    await client.tickets.update(id, { description_html: '<p>New</p>' });
    expect(await client.tickets.findByKey('prj_1', 'k')).toBeUndefined();
  });

  it('applies totalTimeout to all requests combined', async () => {
    const { client, mock } = start();
    mock.faults.add({ operation: 'tickets.list', latency: 60, times: 2 });
    expect(await errorOf(client.tickets.findByKey('prj_1', 'k', { totalTimeout: 100 }))).toMatchObject({
      name: 'RequestTimeoutError',
      message: 'tickets.findByKey: no result within 100 ms (option "totalTimeout")',
      operation: 'tickets.list',
    });
  });

  it.each([
    ['', {}, 'option "key" must be a string of 1 to 200 characters (got "")'],
    [undefined, {}, 'option "key" must be a string of 1 to 200 characters (got undefined)'],
    ['k', { source: '' }, 'option "source" must be a string of 1 to 200 characters (got "")'],
    ['k', { sorce: 'Jira' }, 'unknown option "sorce"'],
  ])('rejects the key %j with the options %j', async (key, options, message) => {
    const { client, requests } = start();
    expect(await errorOf(client.tickets.findByKey('prj_1', key as string, options as object))).toMatchObject({
      name: 'ConfigurationError',
      message: expect.stringContaining(message),
    });
    expect(requests()).toEqual([]);
  });
});

it.each<[string, FindOptions<{ title: string }>]>([
  ['a key', { key: 'k' }],
  ['a match function', byTitle],
])('findOrCreate with %s rejects a missing body with an InvalidRequestError', async (_, options) => {
  const { client } = start();
  const missing = undefined as never;
  const calls = [
    client.tickets.findOrCreate('prj_1', missing, options),
    client.documents.findOrCreate(missing, options),
  ];
  for (const call of calls) {
    const fieldErrors = { title: ['is required'] };
    expect(await errorOf(call)).toMatchObject({ name: 'InvalidRequestError', fieldErrors });
  }
});

describe('findOrCreate after a lost response', () => {
  it.each([
    ['a key', { key: 'k' }],
    ['a match function', byTitle],
  ])('returns the created record when called with %s', async (_, options) => {
    const { client } = start(loseFirst);
    const onCreate = vi.fn();
    const ticket = await client.tickets.findOrCreate('prj_1', todo, { ...options, onCreate });
    expect((await client.tickets.list('prj_1')).data).toMatchObject([{ id: ticket.id }]);
    expect(onCreate).toHaveBeenCalledOnce();
    const other = start(loseFirst);
    const document = await other.client.documents.findOrCreate({ title: 'Launch' }, options);
    expect((await other.client.documents.list()).data).toMatchObject([{ id: document.id }]);
  });

  it("returns the record that was created even if the response can't be read", async () => {
    const { client } = start((respond) => async (input, init) => {
      const response = await respond(input, init);
      return init?.method === 'POST' ? new Response('<html>', { status: 201 }) : response;
    });
    const ticket = await client.tickets.findOrCreate('prj_1', todo, { key: 'k' });
    expect((await client.tickets.list('prj_1')).data).toMatchObject([{ id: ticket.id }]);
  });

  it('finds a record that appears in the list as late as 4 seconds after the response is lost', async () => {
    useFakeTimers();
    let visibleAt = Infinity;
    const { client, mock } = start(
      (respond) => async (input, init) => {
        if (init?.method === 'POST') {
          visibleAt = Date.now() + 3900;
          await respond(input, init);
          throw new TypeError('fetch failed');
        }
        if (Date.now() >= visibleAt) return respond(input, init);
        return Response.json({ data: { data: [], current_page: 1, last_page: 1, total: 0 } });
      },
      { responseValidation: 'off' },
    );
    const call = client.tickets.findOrCreate('prj_1', todo, byTitle);
    await vi.advanceTimersByTimeAsync(4000);
    expect(await call).toMatchObject({ title: 'Launch' });
    expect(mock.requests.for('tickets.create')).toHaveLength(1);
  });

  it.each([
    ['find nothing', undefined, 4],
    ['fail', 503, 2],
  ])('throws the original error if the searches after it %s', async (_, status, searches) => {
    useFakeTimers();
    const { client, mock } = start();
    mock.faults.add({ operation: 'tickets.create', error: 'connection' });
    if (status) mock.faults.add({ operation: 'tickets.list', status, after: 1 });
    const onCreate = vi.fn();
    const failed = errorOf(client.tickets.findOrCreate('prj_1', todo, { ...byTitle, onCreate }));
    await vi.advanceTimersByTimeAsync(4000);
    expect(onCreate).not.toHaveBeenCalled();
    expect(await failed).toMatchObject({ operation: 'tickets.create', outcome: 'unknown' });
    expect(mock.requests.for('tickets.list')).toHaveLength(searches);
    expect(mock.requests.for('tickets.create')).toHaveLength(1);
  });
});

describe('findOrCreate after an aborted call with the same key', () => {
  /** Performs the first POST request after a delay. Its response never arrives. */
  const performLate =
    (milliseconds: number) =>
    (respond: Respond): Respond => {
      let isFirst = true;
      return (input, init) => {
        if (!isFirst || init?.method !== 'POST') return respond(input, init);
        isFirst = false;
        const { signal, ...request } = init;
        if (milliseconds < Infinity) setTimeout(() => respond(input, request), milliseconds);
        return new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason));
        });
      };
    };

  /** Starts a call and aborts it after a second. */
  const abortFirst = (client: Worktrack) => {
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 1000);
    return errorOf(client.tickets.findOrCreate('prj_1', todo, { key: 'k', signal: abort.signal }));
  };

  it('returns the record that the server creates for the aborted call, even if both calls run concurrently', async () => {
    useFakeTimers();
    const { client, mock } = start(performLate(1500));
    const calls = [abortFirst(client), client.tickets.findOrCreate('prj_1', todo, { key: 'k' })];
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await calls[0]).toMatchObject({ name: 'RequestAbortedError', outcome: 'unknown' });
    expect(await calls[1]).toMatchObject({ title: 'Launch' });
    expect(mock.requests.for('tickets.create')).toHaveLength(1);
  });

  it('returns the record that the server creates for the aborted call, even if a second call is aborted first', async () => {
    useFakeTimers();
    const { client, mock } = start(performLate(3000));
    const aborted = abortFirst(client);
    await vi.advanceTimersByTimeAsync(1000);
    expect(await aborted).toMatchObject({ outcome: 'unknown' });
    const alsoAborted = abortFirst(client);
    await vi.advanceTimersByTimeAsync(1000);
    expect(await alsoAborted).toMatchObject({ outcome: 'not_sent' });
    const call = client.tickets.findOrCreate('prj_1', todo, { key: 'k' });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await call).toMatchObject({ title: 'Launch' });
    expect(mock.requests.for('tickets.create')).toHaveLength(1);
  });

  it("creates the record after 4 seconds if the aborted call hasn't created it by then", async () => {
    useFakeTimers();
    const { client, mock } = start(performLate(Infinity));
    const aborted = abortFirst(client);
    await vi.advanceTimersByTimeAsync(1000);
    await aborted;
    const call = client.tickets.findOrCreate('prj_1', todo, { key: 'k' });
    await vi.advanceTimersByTimeAsync(3900);
    expect(mock.requests.for('tickets.create')).toEqual([]);
    await vi.advanceTimersByTimeAsync(200);
    expect(await call).toMatchObject({ title: 'Launch' });
  });

  it('remembers the 1,000 keys that were used most recently', async () => {
    useFakeTimers();
    let aborts: AbortController | undefined;
    const { client, mock } = start((respond) => async (input, init) => {
      if (init?.method === 'POST' && aborts) {
        aborts.abort();
        throw aborts.signal.reason;
      }
      return respond(input, init);
    });
    const call = (key: number, signal?: AbortSignal) =>
      client.tickets.findOrCreate('prj_1', todo, { key: `k${key}`, signal });
    for (let key = 0; key <= 1000; key++) {
      aborts = new AbortController();
      expect(await errorOf(call(key, aborts.signal))).toMatchObject({ outcome: 'unknown' });
    }
    aborts = undefined;
    await call(0);
    expect(mock.requests.for('tickets.create')).toHaveLength(1);
    const remembered = call(1);
    await vi.advanceTimersByTimeAsync(3900);
    expect(mock.requests.for('tickets.create')).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(200);
    expect(await remembered).toMatchObject({ title: 'Launch' });
  });
});

describe("findOrCreate's totalTimeout", () => {
  /** Responds to each request after a delay. */
  const slow =
    (milliseconds: number) =>
    (respond: Respond): Respond =>
    async (input, init) => {
      await new Promise((resolve) => setTimeout(resolve, milliseconds));
      return respond(input, init);
    };

  it.each([
    [150, 2, 'not_sent'],
    [250, 3, 'unknown'],
  ])('applies to all requests combined (%i ms, %i requests)', async (totalTimeout, count, outcome) => {
    useFakeTimers();
    let sent = 0;
    const { client } = start((respond) => async (input, init) => {
      sent++;
      return slow(100)(respond)(input, init);
    });
    const failed = errorOf(client.tickets.findOrCreate('prj_1', todo, { key: 'k', totalTimeout }));
    await vi.advanceTimersByTimeAsync(1000);
    expect(await failed).toMatchObject({
      name: 'RequestTimeoutError',
      message: `tickets.findOrCreate: no result within ${totalTimeout} ms (option "totalTimeout")`,
      operation: 'tickets.create',
      limit: 'totalTimeout',
      milliseconds: totalTimeout,
      outcome,
    });
    expect(sent).toBe(count);
  });

  it('also applies to a "match" function that never finishes', async () => {
    useFakeTimers();
    const { client } = start((respond) => respond);
    await client.tickets.create('prj_1', todo);
    const match = () => new Promise<boolean>(() => {});
    const failed = errorOf(client.tickets.findOrCreate('prj_1', todo, { match, totalTimeout: 150 }));
    await vi.advanceTimersByTimeAsync(1000);
    expect(await failed).toMatchObject({ limit: 'totalTimeout', milliseconds: 150, outcome: 'not_sent' });
  });

  it("defaults to the client's total timeout and doesn't leave a timer running", async () => {
    useFakeTimers();
    const { client } = start(slow(100), { totalTimeout: 150 });
    const failed = errorOf(client.documents.findOrCreate({ title: 'Launch' }, { key: 'k' }));
    await vi.advanceTimersByTimeAsync(1000);
    expect(await failed).toMatchObject({ limit: 'totalTimeout', milliseconds: 150 });
    expect(vi.getTimerCount()).toBe(0);
  });
});

it.each([
  [undefined, 'pass either "key" or "match"'],
  [{}, 'pass either "key" or "match"'],
  [{ key: 'a', match: () => true }, 'pass either "key" or "match"'],
  [{ key: '' }, 'option "key" must be a string of 1 to 200 characters (got "")'],
  [
    { key: 'x'.repeat(201) },
    `option "key" must be a string of 1 to 200 characters (got "${'x'.repeat(39)}…")`,
  ],
  [{ key: '\ud800' }, 'option "key" must be a string of 1 to 200 characters (got "\\ud800")'],
  [{ key: 7 }, 'option "key" must be a string of 1 to 200 characters (got 7)'],
  [{ key: 'a', q: 'b' }, 'option "q" requires "match"'],
  [{ match: true }, 'option "match" must be a function (got true)'],
  [{ match: () => true, q: 1 }, 'option "q" must be a string (got 1)'],
  [{ key: 'a', onCreate: true }, 'option "onCreate" must be a function (got true)'],
] as [unknown, string][])('findOrCreate rejects the options %j', async (options, message) => {
  const { client, requests } = start();
  expect(await errorOf(client.tickets.findOrCreate('prj_1', todo, options as never))).toMatchObject({
    name: 'ConfigurationError',
    message: `tickets.findOrCreate: ${message}`,
  });
  expect(requests()).toEqual([]);
});

it('findOrCreate rejects unknown call options', async () => {
  const { client } = start();
  const options = { key: 'a', totalTimout: 1 } as never;
  expect(await errorOf(client.documents.findOrCreate({ title: 'Launch' }, options))).toMatchObject({
    message: 'documents.create: unknown option "totalTimout"; did you mean "totalTimeout"?',
  });
});
