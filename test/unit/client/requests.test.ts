import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { InvalidRequestError, VERSION, type Worktrack } from 'worktrack';
import { nodeTransport } from 'worktrack/node';
import { own, pathOf } from '../../rules/requests.js';
import { everyOperation, operations } from '../../support/operations.js';
import { clientWith, errorOf, json, secret, serve } from './support/serve.js';

const record = { data: { id: 'x' } };
const page = { data: { data: [{ id: 'x' }], current_page: 1, last_page: 1 } };

describe('an operation', () => {
  it.each(everyOperation)('sends its request and returns the data from the response: %s', async (id) => {
    const { method, path, status, example, returns, call } = operations[id];
    const { client, seen } = await serve((out) =>
      status === 204 ? out.writeHead(204).end() : json(out, status, returns?.as === 'page' ? page : record),
    );
    const result = await call(client(), own, example);
    const body = example ? JSON.stringify(example) : '';
    expect(seen).toMatchObject([{ method, url: `/api/v1${pathOf(path)}`, body }]);
    expect(seen[0]?.headers).toMatchObject({ authorization: `Bearer ${secret}`, accept: 'application/json' });
    expect(seen[0]?.headers['content-type']).toBe(example ? 'application/json' : undefined);
    if (returns?.as === 'page') expect(result).toMatchObject({ data: [{ id: 'x' }], current_page: 1 });
    else expect(result).toEqual(returns ? { id: 'x' } : undefined);
  });
});

it('the client percent-encodes IDs in paths and values in queries', async () => {
  const { client, seen } = await serve((out) => json(out, 200, page));
  await client().tickets.list('a/b c', { q: 'a&b', per_page: 2 });
  await client().documents.list({ tags: ['a', 'b'] });
  expect(seen.map(({ url }) => url)).toEqual([
    '/api/v1/projects/a%2Fb%20c/tickets?q=a%26b&per_page=2',
    '/api/v1/organizations/org_acme/documents?tags=a%2Cb',
  ]);
});

it('the client sends a Date as a string and null as null', async () => {
  const { client, seen } = await serve((out) => json(out, 200, record));
  await client().tickets.update('t', { due_at: new Date(0), description_html: null });
  expect(JSON.parse(seen[0]?.body ?? '')).toEqual({
    due_at: '1970-01-01T00:00:00.000Z',
    description_html: null,
  });
});

it('by default, the client sends a DELETE without a body', async () => {
  const { client, seen } = await serve((out) => out.writeHead(204).end());
  await client().boards.delete('b');
  expect(seen[0]).toMatchObject({ body: '' });
});

describe('the client', () => {
  const cases: [string, (client: Worktrack) => PromiseLike<unknown>, string, Record<string, string[]>][] = [
    [
      'a title that is too long',
      (c) => c.tickets.create('p', { board_id: 'b', title: 'x'.repeat(501) }),
      'tickets.create: title must be at most 500 characters (got 501)',
      { title: ['must be at most 500 characters (got 501)'] },
    ],
    [
      'an unknown field',
      (c) => c.boards.create('p', { name: 'B', colour: 'red' } as never),
      'boards.create: unknown field "colour"; did you mean "color"?',
      { colour: ['unknown field; did you mean "color"?'] },
    ],
    [
      'an empty path parameter',
      (c) => c.tickets.get(''),
      'tickets.get: ticket must not be empty, ".", or ".."',
      { ticket: ['must not be empty, ".", or ".."'] },
    ],
    [
      'a lone surrogate in the path',
      (c) => c.tickets.get('\ud800'),
      'tickets.get: ticket must be well-formed Unicode',
      { ticket: ['must be well-formed Unicode'] },
    ],
    [
      'a field called __proto__',
      (c) => c.projects.update('p', JSON.parse('{"name":"New","__proto__":1}')),
      'projects.update: unknown field "__proto__"; expected one of: name, description, archived',
      JSON.parse('{"__proto__":["unknown field; expected one of: name, description, archived"]}'),
    ],
    [
      'a filter called __proto__',
      (c) => c.documents.list(JSON.parse('{"q":"x","__proto__":1}')),
      'documents.list: unknown field "__proto__"; expected one of: project_id, status, q, tags, per_page, page',
      JSON.parse(
        '{"__proto__":["unknown field; expected one of: project_id, status, q, tags, per_page, page"]}',
      ),
    ],
    [
      'a string instead of a query',
      (c) => c.documents.list('ops' as never),
      'documents.list: (query) must be an object',
      { '(query)': ['must be an object'] },
    ],
    [
      'a string instead of an integer',
      (c) => c.tickets.list('p', { per_page: 'ten' as never }),
      'tickets.list: per_page must be an integer',
      { per_page: ['must be an integer'] },
    ],
    [
      'an invalid Date',
      (c) => c.tickets.update('t', { due_at: new Date('soon') }),
      'tickets.update: due_at must be a date-time (RFC 3339), such as 2026-12-01T09:00:00Z',
      { due_at: ['must be a date-time (RFC 3339), such as 2026-12-01T09:00:00Z'] },
    ],
    [
      'a ticket without a title or a board',
      (c) => c.tickets.create('p', {} as never),
      'tickets.create: title is required; board_id or board_slug is required, but not both',
      { title: ['is required'], board_id: ['or board_slug is required, but not both'] },
    ],
    [
      'a notification without users',
      (c) => c.notifications.send({ user_ids: [], title: 'T', body: 'B' }),
      'notifications.send: user_ids must have at least 1 item (got 0)',
      { user_ids: ['must have at least 1 item (got 0)'] },
    ],
    [
      'a missing path parameter',
      (c) => c.tickets.get(undefined as never),
      'tickets.get: ticket is required',
      { ticket: ['is required'] },
    ],
    [
      'null instead of a body',
      (c) => c.boards.create('p', null as never),
      'boards.create: (body) must be an object',
      { '(body)': ['must be an object'] },
    ],
    [
      'an undefined body with required fields',
      (c) => c.projects.create(undefined as never),
      'projects.create: (body) is required; name is required; key is required',
      { '(body)': ['is required'], name: ['is required'], key: ['is required'] },
    ],
    [
      'an undefined body without required fields',
      (c) => c.projects.update('p', undefined as never),
      'projects.update: (body) is required',
      { '(body)': ['is required'] },
    ],
    [
      'a comma in a tag',
      (c) => c.documents.list({ tags: ['a,b'] }),
      'documents.list: tags.0 must not contain a comma',
      { 'tags.0': ['must not contain a comma'] },
    ],
    [
      'several errors',
      (c) => c.tickets.move('..', { position: -1 } as never),
      'tickets.move: ticket must not be empty, ".", or ".."; board_id is required; position must be at least 0 (got -1)',
      {
        ticket: ['must not be empty, ".", or ".."'],
        board_id: ['is required'],
        position: ['must be at least 0 (got -1)'],
      },
    ],
  ];
  it.each(cases)(
    'rejects a request that contains %s before sending it',
    async (_, run, message, fieldErrors) => {
      const { client, seen } = await serve((out) => json(out, 200, record));
      const error = await errorOf(run(client()));
      expect(error).toBeInstanceOf(InvalidRequestError);
      expect(error).toMatchObject({ message, fieldErrors, outcome: 'not_sent', attempts: 0 });
      expect(seen).toEqual([]);
    },
  );
});

it("a call's organization overrides the client's organization", async () => {
  const { client, seen } = await serve((out) => json(out, 200, record));
  await client().organization.get({ organization: 'org/other' });
  expect(seen[0]?.url).toBe('/api/v1/organizations/org%2Fother');
});

it("a call's headers override the client's headers", async () => {
  const { client, seen } = await serve((out) => json(out, 200, record));
  await client({ headers: { 'x-a': 'client', 'x-b': 'client' } }).organization.get({
    headers: new Headers({ 'X-B': 'call' }),
  });
  expect(seen[0]?.headers).toMatchObject({ 'x-a': 'client', 'x-b': 'call' });
});

it.each(['//', '/\\', '//[', '/app/../..//x'])('notifications.send rejects the URL %j', async (url) => {
  const client = clientWith(async () => Response.json({ data: {} }));
  const body = { user_ids: ['u'], title: 'T', body: 'B', url };

  expect(await errorOf(client.notifications.send(body))).toMatchObject({
    name: 'InvalidRequestError',
    fieldErrors: { url: [expect.any(String)] },
  });
});

it.each([
  ['fetch', () => undefined],
  ['nodeTransport()', nodeTransport],
])(
  'over %s, the client sends its name and version as the user agent unless a header overrides it',
  async (_, make) => {
    const { client, seen } = await serve((out) => json(out, 200, { data: {} }));
    await client({ transport: make() }).tickets.get('t');
    await client({ transport: make(), headers: { 'user-agent': 'mine' } }).tickets.get('t');
    expect(seen.map(({ headers }) => headers['user-agent'])).toEqual([`worktrack/${VERSION}`, 'mine']);
  },
);

it.each([
  ["doesn't override the user agent of a browser", 'Mozilla/5.0 (X11)', undefined],
  ['replaces the user agent of Node.js', 'Node.js/24', `worktrack/${VERSION}`],
])('the client %s', async (_, userAgent, expected) => {
  vi.stubGlobal('navigator', { userAgent });
  onTestFinished(() => {
    vi.unstubAllGlobals();
  });
  const { client, seen } = await serve((out) => json(out, 200, { data: {} }));
  await client({ transport: nodeTransport() }).tickets.get('t');
  expect(seen[0]?.headers['user-agent']).toBe(expected);
});
