import { describe, expect, it } from 'vitest';
import { InvalidRequestError, type OperationId, type Worktrack } from 'worktrack';
import { operationIds, operationOf } from 'worktrack/contract';
import { errorOf, json, secret, serve } from './support/serve.js';

const record = { data: { id: 'x' } };
const page = { data: { data: [{ id: 'x' }], current_page: 1, last_page: 1 } };

/** One call of each operation and what it must send. */
const calls = {
  'organization.get': [(c) => c.organization.get(), 'GET /organizations/org_acme'],
  'projects.list': [(c) => c.projects.list(), 'GET /organizations/org_acme/projects'],
  'projects.create': [
    (c) => c.projects.create({ name: 'A', key: 'K' }),
    'POST /organizations/org_acme/projects {"name":"A","key":"K"}',
  ],
  'projects.get': [(c) => c.projects.get('p'), 'GET /projects/p'],
  'projects.update': [
    (c) => c.projects.update('p', { archived: true }),
    'PATCH /projects/p {"archived":true}',
  ],
  'projects.delete': [(c) => c.projects.delete('p'), 'DELETE /projects/p'],
  'projects.members.list': [(c) => c.projects.members.list('p'), 'GET /projects/p/members'],
  'projects.labels.list': [(c) => c.projects.labels.list('p'), 'GET /projects/p/labels'],
  'projects.tags.list': [(c) => c.projects.tags.list('p'), 'GET /projects/p/tags'],
  'projects.analytics.get': [(c) => c.projects.analytics.get('p'), 'GET /projects/p/analytics'],
  'boards.list': [(c) => c.boards.list('p'), 'GET /projects/p/boards'],
  'boards.create': [(c) => c.boards.create('p', { name: 'B' }), 'POST /projects/p/boards {"name":"B"}'],
  'boards.reorder': [
    (c) => c.boards.reorder('p', { board_ids: ['b'] }),
    'PUT /projects/p/boards/reorder {"board_ids":["b"]}',
  ],
  'boards.update': [(c) => c.boards.update('b', { wip_limit: null }), 'PATCH /boards/b {"wip_limit":null}'],
  'boards.delete': [
    (c) => c.boards.delete('b', { move_to_board_id: 'c' }),
    'DELETE /boards/b {"move_to_board_id":"c"}',
  ],
  'tickets.list': [
    (c) => c.tickets.list('p', { q: 'a&b', per_page: 2 }),
    'GET /projects/p/tickets?q=a%26b&per_page=2',
  ],
  'tickets.create': [
    (c) => c.tickets.create('p', { board_slug: 'todo', title: 'T', due_at: new Date(0) }),
    'POST /projects/p/tickets {"board_slug":"todo","title":"T","due_at":"1970-01-01T00:00:00.000Z"}',
  ],
  'tickets.reorder': [
    (c) => c.tickets.reorder('p', { board_id: 'b', ticket_ids: [] }),
    'PUT /projects/p/tickets/reorder {"board_id":"b","ticket_ids":[]}',
  ],
  'tickets.get': [(c) => c.tickets.get('a/b c'), 'GET /tickets/a%2Fb%20c'],
  'tickets.update': [(c) => c.tickets.update('t', { title: 'U' }), 'PATCH /tickets/t {"title":"U"}'],
  'tickets.delete': [(c) => c.tickets.delete('t'), 'DELETE /tickets/t'],
  'tickets.move': [
    (c) => c.tickets.move('t', { board_id: 'b', position: 0 }),
    'POST /tickets/t/move {"board_id":"b","position":0}',
  ],
  'tickets.comments.create': [
    (c) => c.tickets.comments.create('t', { body_html: 'x' }),
    'POST /tickets/t/comments {"body_html":"x"}',
  ],
  'documents.list': [
    (c) => c.documents.list({ tags: ['a', 'b'] }),
    'GET /organizations/org_acme/documents?tags=a%2Cb',
  ],
  'documents.create': [
    (c) => c.documents.create({ title: 'D' }),
    'POST /organizations/org_acme/documents {"title":"D"}',
  ],
  'documents.get': [(c) => c.documents.get('d'), 'GET /documents/d'],
  'documents.update': [
    (c) => c.documents.update('d', { status: 'published' }),
    'PATCH /documents/d {"status":"published"}',
  ],
  'documents.delete': [(c) => c.documents.delete('d'), 'DELETE /documents/d'],
  'documents.comments.create': [
    (c) => c.documents.comments.create('d', { body_html: 'x' }),
    'POST /documents/d/comments {"body_html":"x"}',
  ],
  'notifications.send': [
    (c) => c.notifications.send({ user_ids: ['u'], title: 'T', body: 'B' }),
    'POST /organizations/org_acme/notifications {"user_ids":["u"],"title":"T","body":"B"}',
  ],
} satisfies Record<OperationId, [(client: Worktrack) => PromiseLike<unknown>, string]> as Record<
  OperationId,
  [(client: Worktrack) => PromiseLike<unknown>, string]
>;

describe('every operation sends its request and gives back what is in the envelope', () => {
  it.each(operationIds)('%s', async (id) => {
    const { status, paginated, response } = operationOf(id);
    const { client, seen } = await serve((out) =>
      status === 204 ? out.writeHead(204).end() : json(out, status, paginated ? page : record),
    );
    const [run, expected] = calls[id];
    const result = await run(client());
    expect(
      seen.map(({ method, url, body }) => `${method} ${url.replace('/api/v1', '')}${body && ` ${body}`}`),
    ).toEqual([expected]);
    expect(seen[0]?.headers.authorization).toBe(`Bearer ${secret}`);
    expect(seen[0]?.headers['content-type']).toBe(seen[0]?.body ? 'application/json' : undefined);
    if (paginated) expect(result).toMatchObject({ data: [{ id: 'x' }], current_page: 1 });
    else expect(result).toEqual(response ? { id: 'x' } : undefined);
  });
});

it('a DELETE whose body is left out sends none', async () => {
  const { client, seen } = await serve((out) => out.writeHead(204).end());
  await client().boards.delete('b');
  expect(seen[0]).toMatchObject({ body: '' });
});

describe('a payload that breaks the contract is refused before anything is sent', () => {
  const cases: [string, (client: Worktrack) => PromiseLike<unknown>, string, Record<string, string[]>][] = [
    [
      'a title too long',
      (c) => c.tickets.create('p', { board_id: 'b', title: 'x'.repeat(501) }),
      'tickets.create: title must be at most 500 characters (got 501)',
      { title: ['must be at most 500 characters (got 501)'] },
    ],
    [
      'an unknown field',
      (c) => c.boards.create('p', { name: 'B', colour: 'red' } as never),
      'boards.create: colour is not a known field',
      { colour: ['is not a known field'] },
    ],
    [
      'an empty path parameter',
      (c) => c.tickets.get(''),
      'tickets.get: ticket must be an id: not empty, not "." and not ".."',
      { ticket: ['must be an id: not empty, not "." and not ".."'] },
    ],
    [
      'a step in the path',
      (c) => c.tickets.get('..'),
      'tickets.get: ticket must be an id: not empty, not "." and not ".."',
      { ticket: ['must be an id: not empty, not "." and not ".."'] },
    ],
    [
      'a path parameter left out',
      (c) => c.tickets.get(undefined as never),
      'tickets.get: ticket is required',
      { ticket: ['is required'] },
    ],
    [
      'null for a body',
      (c) => c.boards.create('p', null as never),
      'boards.create: (body) must be an object',
      { '(body)': ['must be an object'] },
    ],
    [
      'no body',
      (c) => c.boards.create('p', undefined as never),
      'boards.create: (body) is required',
      { '(body)': ['is required'] },
    ],
    [
      'a query out of range',
      (c) => c.tickets.list('p', { per_page: 201 }),
      'tickets.list: per_page must be at most 200 (got 201)',
      { per_page: ['must be at most 200 (got 201)'] },
    ],
    [
      'a comma in a tag',
      (c) => c.documents.list({ tags: ['a,b'] }),
      'documents.list: tags.0 must not contain a comma',
      { 'tags.0': ['must not contain a comma'] },
    ],
    [
      'everything at once',
      (c) => c.tickets.move('.', { position: -1 } as never),
      'tickets.move: ticket must be an id: not empty, not "." and not ".."; board_id is required; position must be at least 0 (got -1)',
      {
        ticket: ['must be an id: not empty, not "." and not ".."'],
        board_id: ['is required'],
        position: ['must be at least 0 (got -1)'],
      },
    ],
  ];
  it.each(cases)('%s', async (_, run, message, fieldErrors) => {
    const { client, seen } = await serve((out) => json(out, 200, record));
    const error = await errorOf(run(client()));
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error).toMatchObject({ message, fieldErrors, outcome: 'not_sent', attempts: 0 });
    expect(seen).toEqual([]);
  });
});

it('an organization named by the call goes before that of the client', async () => {
  const { client, seen } = await serve((out) => json(out, 200, record));
  await client().organization.get({ organization: 'org/other' });
  expect(seen[0]?.url).toBe('/api/v1/organizations/org%2Fother');
});

it('an operation of an organization fails clearly where none is named', async () => {
  const { client, seen } = await serve((out) => json(out, 200, record));
  const error = await errorOf(client({ organization: undefined }).projects.list());
  expect(error).toMatchObject({
    name: 'ConfigurationError',
    code: 'configuration',
    operation: 'projects.list',
    outcome: 'not_sent',
  });
  expect(seen).toEqual([]);
});

it('headers of the client and of the call are sent, the call first', async () => {
  const { client, seen } = await serve((out) => json(out, 200, record));
  await client({ headers: { 'x-a': 'client', 'x-b': 'client' } }).organization.get({
    headers: new Headers({ 'X-B': 'call' }),
  });
  expect(seen[0]?.headers).toMatchObject({ 'x-a': 'client', 'x-b': 'call' });
});
