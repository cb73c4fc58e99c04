import { expect, it, onTestFinished, vi } from 'vitest';
import { InvalidRequestError, VERSION, type Worktrack } from 'worktrack';
import { describeFieldErrors } from 'worktrack/contract';
import { own, pathOf } from '../../rules/requests.js';
import { everyOperation, operations } from '../../support/operations.js';
import { clientWith, errorOf, json, secret, serve } from './support/serve.js';

const record = { data: { id: 'x' } };
const page = { data: { data: [{ id: 'x' }], current_page: 1, last_page: 1 } };

it.each(everyOperation)(
  'an operation sends its request and returns the data from the response: %s',
  async (id) => {
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
  },
);

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

// Other APIs use some of these field names, and plain JavaScript has no compiler that rejects a wrong name.
const invalidRequests: Record<string, (client: Worktrack) => PromiseLike<unknown>> = {
  'tickets.create: title must be at most 500 characters (got 501)': (client) =>
    client.tickets.create('p', { board_id: 'b', title: 'x'.repeat(501) }),
  'tickets.create: title is required; board_id or board_slug is required, but not both': (client) =>
    client.tickets.create('p', {} as never),
  'tickets.create: unknown field "description"; did you mean "description_html"?': (client) =>
    client.tickets.create('p', { board_id: 'b', title: 'T', description: 'Static' } as never),
  'tickets.create: unknown field "assignees"; did you mean "assignee_ids"?': (client) =>
    client.tickets.create('p', { board_id: 'b', title: 'T', assignees: ['usr_ada'] } as never),
  'tickets.update: unknown field "description"; did you mean "description_html"?': (client) =>
    client.tickets.update('t', { description: 'Static' } as never),
  'tickets.update: unknown field "board_id"; use tickets.move': (client) =>
    client.tickets.update('t', { board_id: 'brd_2' } as never),
  'tickets.update: unknown field "position"; use tickets.move or tickets.reorder': (client) =>
    client.tickets.update('t', { position: 0 } as never),
  'tickets.update: due_at must be a date-time (RFC 3339), such as 2026-12-01T09:00:00Z': (client) =>
    client.tickets.update('t', { due_at: new Date('soon') }),
  'documents.create: unknown field "content"; did you mean "content_html"?': (client) =>
    client.documents.create({ title: 'Runbook', content: 'x' } as never),
  'tickets.comments.create: body_html is required; unknown field "body"; did you mean "body_html"?': (
    client,
  ) => client.tickets.comments.create('t', { body: 'Fixed' } as never),
  'boards.create: unknown field "colour"; did you mean "color"?': (client) =>
    client.boards.create('p', { name: 'B', colour: 'red' } as never),
  'boards.create: (body) must be an object': (client) => client.boards.create('p', null as never),
  'projects.create: (body) is required; name is required; key is required': (client) =>
    client.projects.create(undefined as never),
  'projects.update: (body) is required': (client) => client.projects.update('p', undefined as never),
  'projects.update: unknown field "__proto__"; expected one of: name, description, archived': (client) =>
    client.projects.update('p', JSON.parse('{"name":"New","__proto__":1}')),
  'documents.list: unknown field "__proto__"; expected one of: project_id, status, q, tags, per_page, page': (
    client,
  ) => client.documents.list(JSON.parse('{"q":"x","__proto__":1}')),
  'documents.list: (query) must be an object': (client) => client.documents.list('ops' as never),
  'documents.list: tags.0 must not contain a comma': (client) => client.documents.list({ tags: ['a,b'] }),
  'tickets.list: per_page must be an integer': (client) =>
    client.tickets.list('p', { per_page: 'ten' as never }),
  'notifications.send: user_ids must have at least 1 item (got 0)': (client) =>
    client.notifications.send({ user_ids: [], title: 'T', body: 'B' }),
  'tickets.get: ticket must not be empty, ".", or ".."': (client) => client.tickets.get(''),
  'tickets.get: ticket must be well-formed Unicode': (client) => client.tickets.get('\ud800'),
  'tickets.get: ticket is required': (client) => client.tickets.get(undefined as never),
  'tickets.move: ticket must not be empty, ".", or ".."; board_id is required; position must be at least 0 (got -1)':
    (client) => client.tickets.move('..', { position: -1 } as never),
};

it.each(Object.entries(invalidRequests))(
  'the client rejects an invalid request before sending it: %s',
  async (message, run) => {
    const fetch = vi.fn();
    const error = (await errorOf(run(clientWith(fetch)))) as InvalidRequestError;
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error).toMatchObject({ message, outcome: 'not_sent', attempts: 0 });
    expect(`${error.operation}: ${describeFieldErrors(error.fieldErrors)}`).toBe(message);
    expect(fetch).not.toHaveBeenCalled();
  },
);

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

it('the client sends its name and version as the user agent unless a header overrides it', async () => {
  const { client, seen } = await serve((out) => json(out, 200, { data: {} }));
  await client().tickets.get('t');
  await client({ headers: { 'user-agent': 'mine' } }).tickets.get('t');
  expect(seen.map(({ headers }) => headers['user-agent'])).toEqual([`worktrack/${VERSION}`, 'mine']);
});

it.each([
  ["doesn't override the user agent of a browser", 'Mozilla/5.0 (X11)', 'node'],
  ['replaces the user agent of Node.js', 'Node.js/24', `worktrack/${VERSION}`],
])('the client %s', async (_, userAgent, expected) => {
  vi.stubGlobal('navigator', { userAgent });
  onTestFinished(() => {
    vi.unstubAllGlobals();
  });
  const { client, seen } = await serve((out) => json(out, 200, { data: {} }));
  await client().tickets.get('t');
  expect(seen[0]?.headers['user-agent']).toBe(expected);
});
