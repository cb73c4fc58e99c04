import { describe, expect, expectTypeOf, it } from 'vitest';
import type { OperationId, PageList, Ticket, Worktrack } from 'worktrack';
import { errorOf, json, secret, serve } from './support/serve.js';

const soon = new Date('soon') as never;
const notADate = 'must be a valid date (got an invalid Date)';
const tooDeep = 'must not be nested more than 500 levels deep';

/** Creates an array that is nested the given number of levels deep. */
function nested(depth: number): unknown {
  let value: unknown = [];
  for (let level = 1; level < depth; level++) value = [value];
  return value;
}

describe('request', () => {
  it('calls an operation by its ID', async () => {
    const { client, seen } = await serve((out) => json(out, 200, { data: { id: 'x' } }));
    const ticket = await client().request('tickets.get', { params: { ticket: 't' } });
    expectTypeOf(ticket).toEqualTypeOf<Ticket>();
    expect([ticket, seen[0]?.url]).toEqual([{ id: 'x' }, '/api/v1/tickets/t']);
  });

  it('uses the organization in the params if the client has none', async () => {
    const { client, seen } = await serve((out) => json(out, 200, { data: [] }));
    const params = { organization: 'org_other' };
    await client({ organization: undefined }).request('projects.list', { params });
    expect(seen[0]?.url).toBe('/api/v1/organizations/org_other/projects');
  });

  it("sends fields, values, and combinations that the contract doesn't contain", async () => {
    const { client, seen } = await serve((out) => json(out, 200, { data: { id: 'x' } }));
    const testClient = client();
    const bodies = [
      { estimate: 3, due_at: new Date(0) },
      { priority: 'urgent', title: 7 },
      { board_id: 'b', board_slug: 'b' },
    ];
    for (const body of bodies) await testClient.request('tickets.update', { params: { ticket: 't' }, body });
    await testClient.request('tickets.create', { params: { project: 'p' }, body: { title: 'No board' } });
    expect(seen.map(({ body }) => JSON.parse(body as string))).toEqual([
      { estimate: 3, due_at: '1970-01-01T00:00:00.000Z' },
      ...bodies.slice(1),
      { title: 'No board' },
    ]);
  });

  it("sends query values that aren't in the contract", async () => {
    const { client, seen } = await serve((out) =>
      json(out, 200, { data: { data: [], current_page: 1, last_page: 1 } }),
    );
    await client().request('documents.list', { query: { status: 'review', tags: ['a', 'b'] } });
    expect(seen[0]?.url).toMatch(/documents\?status=review&tags=a%2Cb$/);
  });

  it('accepts a string as the page number and continues from that page', async () => {
    const { client, seen } = await serve((out, _, index) =>
      json(out, 200, { data: { data: [{ id: `t${index}` }], current_page: index + 2, last_page: 4 } }),
    );
    const list = client().request('tickets.list', { params: { project: 'p' }, query: { page: '2' } });
    await list.toArray({ limit: 3 });
    await (await list).next();
    expect(seen.map(({ url }) => url.split('?')[1])).toEqual(['page=2', 'page=3', 'page=4', 'page=3']);
  });

  const circular: Record<string, unknown> = { title: 'Deploy' };
  circular.next = { previous: circular };

  it.each<[string, OperationId, object, string, string]>([
    ['an invalid Date in a known field', 'tickets.update', { body: { due_at: soon } }, 'due_at', notADate],
    ['an invalid Date in an unknown field', 'tickets.update', { body: { starts: soon } }, 'starts', notADate],
    ['a nested invalid Date', 'tickets.update', { body: { steps: [{ at: soon }] } }, 'steps.0.at', notADate],
    ['an invalid Date in a list query', 'documents.list', { query: { since: soon } }, 'since', notADate],
    ['a circular reference', 'tickets.update', { body: circular }, '(body)', "can't be serialized as JSON"],
    ['a BigInt', 'tickets.update', { body: { estimate: 3n } }, '(body)', "can't be serialized as JSON"],
    ['a deeply nested body', 'tickets.update', { body: { extra: nested(2500) } }, 'extra', tooDeep],
    ['a deeply nested query', 'documents.list', { query: { extra: nested(2500) } }, 'extra', tooDeep],
    ['a deeply nested list', 'tickets.update', { body: { extra: [nested(1e5)] } }, 'extra', tooDeep],
  ])('rejects %s without sending a request', async (_, operation, input, field, problem) => {
    const { client, seen } = await serve((out) => json(out, 200, {}));
    const call = client().request(operation, {
      params: operation === 'tickets.update' ? { ticket: 't' } : {},
      ...input,
    } as object);
    expect(await errorOf(call as PromiseLike<unknown>)).toMatchObject({
      name: 'InvalidRequestError',
      operation,
      outcome: 'not_sent',
      message: `${operation}: ${field} ${problem}`,
      fieldErrors: { [field]: [problem] },
      ...(field === '(body)' && { cause: { name: 'TypeError' } }),
    });
    expect(seen).toEqual([]);
  });

  it('accepts a body that is nested 400 levels deep', async () => {
    const { client, seen } = await serve((out) => json(out, 200, { data: {} }));
    await client().request('tickets.update', { params: { ticket: 't' }, body: { extra: nested(400) } });
    expect(seen).toHaveLength(1);
  });

  it('returns a list for a paginated operation', async () => {
    const { client, seen } = await serve((out) =>
      json(out, 200, { data: { data: [{ id: 'x' }], current_page: 1, last_page: 1 } }),
    );
    const list = client().request('tickets.list', {
      params: { project: 'p' },
      query: { sort: 'title', q: 'a' },
    });
    expectTypeOf(list).toEqualTypeOf<PageList<Ticket>>();
    expect(await list.toArray({ limit: 5 })).toEqual([{ id: 'x' }]);
    expect(seen[0]?.url).toBe('/api/v1/projects/p/tickets?q=a&sort=title');
  });

  it('rejects an unknown operation ID at compile time', () => {
    expectTypeOf<'tickets.archive'>().not.toExtend<Parameters<Worktrack['request']>[0]>();
  });
});

describe('raw', () => {
  it('calls a path outside the contract with the credential, query parameters, and a body', async () => {
    const { client, seen } = await serve((out) => json(out, 200, { hooks: [] }, { 'x-request-id': 'r' }));
    const response = await client()
      .raw('POST', '/projects/p/webhooks', { query: { a: 'ü', b: undefined }, body: { url: 'x' } })
      .withResponse();
    expect(response).toMatchObject({ data: { hooks: [] }, status: 200, requestId: 'r', attempts: 1 });
    expect(seen[0]).toMatchObject({
      method: 'POST',
      url: '/api/v1/projects/p/webhooks?a=%C3%BC',
      body: '{"url":"x"}',
      headers: { authorization: `Bearer ${secret}` },
    });
  });

  it.each([
    ['plain text', 'plain', 'plain'],
    ['an empty body', '', undefined],
  ])('returns the content of %s', async (_, body, expected) => {
    const { client } = await serve((out) => out.end(body));
    expect(await client().raw('GET', '/x')).toBe(expected);
  });

  it('throws API errors that include the method and path', async () => {
    const { client } = await serve((out) => json(out, 403, { message: 'No.', code: 'missing_scope' }));
    const error = await errorOf(client().raw('GET', '/x'));
    expect(error).toMatchObject({
      name: 'PermissionDeniedError',
      message: 'GET /x: No. (403 missing_scope)',
      code: 'missing_scope',
    });
    expect((error as { operation?: string }).operation).toBeUndefined();
  });

  it.each([
    ['GET', 2],
    ['PUT', 2],
    ['DELETE', 2],
    ['POST', 1],
    ['PATCH', 1],
  ] as const)('limits a %s request that fails to %i attempt(s)', async (method, times) => {
    const { client, seen } = await serve((out, _, index) => json(out, index ? 200 : 503, {}));
    await client()
      .raw(method, '/x')
      .catch(() => {});
    expect(seen).toHaveLength(times);
  });

  it.each([
    'https://elsewhere.example/x',
    '@elsewhere.example/x',
    '.elsewhere.example/x',
    'x',
    '/../../admin',
    '/..',
    ':1/x',
    new URL('https://elsewhere.example/x') as never,
    undefined as never,
  ])('rejects paths outside the API: %s', async (path) => {
    const { client, seen } = await serve((out) => json(out, 200, {}));
    expect(await errorOf(client().raw('GET', path))).toMatchObject({
      name: 'ConfigurationError',
      message: expect.stringContaining('the path must start with "/" and stay under http'),
      outcome: 'not_sent',
    });
    expect(seen).toEqual([]);
  });

  it.each<[string, string, object, string]>([
    ['a GET request with a body', 'GET', { body: {} }, 'a GET request must not have a body'],
    ...['TRACE', 'get', 'POSTS', 'REPOST'].map((method): [string, string, object, string] => [
      `the method ${method}`,
      method,
      { body: {} },
      'unknown method',
    ]),
    ['a deeply nested body', 'POST', { body: nested(2500) }, `body ${tooDeep}`],
    ["a body that can't be serialized", 'POST', { body: { n: 1n } }, "the body can't be serialized as JSON"],
    ['an invalid Date in the body', 'POST', { body: { ends_at: null, at: soon } }, `body.at ${notADate}`],
    ['an invalid Date in the query', 'POST', { query: { since: soon } }, `query.since ${notADate}`],
  ])('rejects %s without sending a request', async (_, method, input, problem) => {
    const { client, seen } = await serve((out) => json(out, 200, {}));
    expect(await errorOf(client().raw(method as 'POST', '/x', input))).toMatchObject({
      name: 'ConfigurationError',
      message: `${method} /x: ${problem}`,
      outcome: 'not_sent',
      ...(problem.includes('JSON') && { cause: { name: 'TypeError' } }),
    });
    expect(seen).toEqual([]);
  });
});

it.each([
  ['tickets.lst', 'unknown operation "tickets.lst"; did you mean "tickets.list"?'],
  ['toString', 'unknown operation "toString"; expected one of: organization.get, '],
  [undefined, 'unknown operation "undefined"; expected one of: organization.get, '],
])('an unknown operation ID is rejected immediately: "%s"', async (id, message) => {
  const { client } = await serve((out) => json(out, 200, {}));
  expect(() => client().request(id as never)).toThrow(
    expect.objectContaining({ name: 'ConfigurationError', message: expect.stringContaining(message) }),
  );
});

it('if a path parameter is missing, client.request rejects with an error that names the parameter', async () => {
  const { client, seen } = await serve((out) => json(out, 200, {}));
  await expect(client().request('projects.get')).rejects.toThrow('projects.get: project is required');
  expect(seen).toEqual([]);
});

it('asResponse returns the status, the headers, and the unparsed body', async () => {
  const { client } = await serve((out, { method }) =>
    method === 'DELETE' ? out.writeHead(204).end() : json(out, 200, { data: { id: 't' } }, { 'x-a': 'b' }),
  );
  const response = await client().tickets.get('t').asResponse();
  expect([response.status, response.headers.get('x-a')]).toEqual([200, 'b']);
  expect(await response.json()).toEqual({ data: { id: 't' } });
  expect((await client().tickets.delete('t').asResponse()).status).toBe(204);
  const rawResponse = await client().raw('DELETE', '/x').asResponse();
  expect([rawResponse.status, rawResponse.body]).toEqual([204, null]);
});

it('withResponse returns only documented fields for calls and lists', async () => {
  const { client } = await serve((out) => json(out, 200, { data: { data: [] } }));
  for (const promise of [client().tickets.get('t'), client().tickets.list('p')]) {
    const fields = Object.keys(await promise.withResponse()).sort();
    expect(fields).toEqual(['attempts', 'data', 'headers', 'requestId', 'status']);
  }
});

it('the result of raw has the type that is passed as its type argument', async () => {
  const { client } = await serve((out) => json(out, 200, { answer: 42 }));
  const { answer } = await client().raw<{ answer: number }>('GET', '/x');
  expect(answer).toBe(42);
});
