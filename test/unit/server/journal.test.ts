import { describe, expect, test } from 'vitest';
import type { MockServer } from 'worktrack/mock-server';
import { serve } from './support/listening.js';
import { send, serverOf } from './support/server.js';

describe('mock.requests', () => {
  test('records the operation, parameters, body, credential, and response', async () => {
    const mock = serverOf();
    const start = performance.now();
    await send(mock, 'POST', '/tickets/tkt_1/move', { board_id: 'brd_doing' });
    const elapsed = performance.now() - start;

    const [record] = mock.requests.for('tickets.move');

    expect(record).toMatchObject({
      id: 'req_000001',
      operation: 'tickets.move',
      method: 'POST',
      params: { ticket: 'tkt_1' },
      body: { board_id: 'brd_doing' },
      credential: 'CI bot',
      scope: 'tickets:write',
      status: 422,
      code: 'wip_limit_reached',
      at: '2026-01-01T00:00:00.000Z',
    });
    expect(record?.fieldErrors?.board_id).toHaveLength(1);
    expect(record?.duration).toBeGreaterThan(0);
    expect(record?.duration).toBeLessThanOrEqual(elapsed);
  });

  test("records validated queries, as well as requests that don't match any operation", async () => {
    const mock = serverOf();
    await send(mock, 'GET', '/projects/prj_apollo/tickets?per_page=5&q=x');
    await send(mock, 'GET', '/nothing');

    expect(mock.requests.all().map(({ operation, query, status }) => [operation, query, status])).toEqual([
      ['tickets.list', { per_page: 5, q: 'x' }, 200],
      [undefined, undefined, 404],
    ]);
    expect(mock.requests.last('tickets.list')?.credential).toBe('CI bot');
  });

  test.each([
    ['an invalid credential', '/tickets/tkt_1/move', { token: 'wt_unknown' }, 401],
    ['a missing scope', '/tickets/tkt_1/move', { token: 'wt_read' }, 403],
    ['an unknown path', '/tickets/tkt_1/moves', {}, 404],
    ['a fault', '/tickets/tkt_1/move', { fault: { status: 503 } }, 503],
    ['a broken connection', '/tickets/tkt_1/move', { fault: { error: 'connection' } }, 0],
  ] as const)('records the body of a request that fails because of %s', async (_, path, setup, status) => {
    const { token = 'wt_ci', fault }: { token?: string; fault?: object } = setup;
    const server = await serve();
    if (fault) server.mock.faults.add(fault);
    const request = {
      method: 'POST',
      body: '{"board_id":"brd_doing"}',
      headers: { authorization: `Bearer ${token}` },
    };

    await fetch(`${server.url}/api/v1${path}`, request).catch(() => {});
    await server.mock.fetch(`${server.mock.clientOptions().baseUrl}/api/v1${path}`, request).catch(() => {});

    expect(server.mock.requests.all().map((record) => [record.status, record.body])).toEqual([
      [status, { board_id: 'brd_doing' }],
      [status, { board_id: 'brd_doing' }],
    ]);
  });

  test('records a rejected request without waiting for the rest of its body', async () => {
    const server = await serve();
    for (const fetch of [globalThis.fetch, server.mock.fetch]) {
      const body = new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode('{')),
      });
      const init = { method: 'POST', body, duplex: 'half' } as RequestInit;

      expect((await fetch(`${server.url}/api/v1/tickets/tkt_1/move`, init)).status).toBe(401);
      expect(server.mock.requests.last()?.body).toBeUndefined();
    }
  });

  test('records the response headers and the size of the response body in bytes', async () => {
    const mock = serverOf();
    mock.faults.add({ status: 503, retryAfter: 7, body: '"Grüße"', times: 1 });
    await send(mock, 'GET', '/tickets/tkt_1');
    const { text } = await send(mock, 'GET', '/tickets/tkt_1');

    const [failed, found] = mock.requests.all();
    expect(failed).toMatchObject({ responseSize: 9, responseHeaders: { 'retry-after': '7' } });
    expect(found).toMatchObject({
      responseSize: Buffer.byteLength(text),
      responseHeaders: { 'content-type': 'application/json', 'x-request-id': found?.id },
    });
  });

  test('lists at most the three most similar requests, with all their differences', async () => {
    const mock = serverOf();
    mock.faults.add({ status: 503, times: 1 });
    await send(mock, 'GET', '/tickets/tkt_1');
    await send(mock, 'GET', '/tickets/tkt_1', undefined, 'nobody');
    await send(mock, 'GET', '/tickets/tkt_2');
    await send(mock, 'GET', '/tickets/tkt_1');

    const miss = mock.requests.describeMiss('tickets.get', {
      params: { ticket: 'tkt_2' },
      credential: 'CI bot',
      status: 404,
    });

    expect(miss.split('\n').slice(1)).toEqual([
      'Closest of 4 received:',
      '  req_000003 tickets.get (GET /api/v1/tickets/tkt_2) → 200 by CI bot',
      '    status: expected 404, got 200',
      '  req_000001 tickets.get (GET /api/v1/tickets/tkt_1) → 503 [status 503] by CI bot',
      '    params.ticket: expected "tkt_2", got "tkt_1"',
      '    status: expected 404, got 503',
      '  req_000004 tickets.get (GET /api/v1/tickets/tkt_1) → 200 by CI bot',
      '    params.ticket: expected "tkt_2", got "tkt_1"',
      '    status: expected 404, got 200',
    ]);
  });

  test('lists at most the five latest requests if the operation was never called', async () => {
    const mock = serverOf();
    expect(() => mock.requests.expect('tickets.get')).toThrow('The server received no requests.');
    for (let count = 0; count < 7; count += 1) await send(mock, 'GET', '/nothing');
    await send(mock, 'POST', '/nothing');

    // Requests with the operation's method are listed first.
    expect(mock.requests.describeMiss('tickets.get').split('\n').slice(1)).toEqual([
      'The operation was never called. Latest of 8 received:',
      ...[3, 4, 5, 6, 7].map(
        (number) => `  req_00000${number} no operation (GET /api/v1/nothing) → 404 not_found`,
      ),
    ]);
  });

  test('lists all matching requests if expectNone() finds any', async () => {
    const mock = serverOf();
    await send(mock, 'GET', '/tickets/tkt_1');
    await send(mock, 'GET', '/tickets/tkt_2');

    const failing = () => mock.requests.expectNone('tickets.get', { status: 200 });

    expect(failing).toThrow(
      'Expected no tickets.get request like {"status":200}, but received 2:\n' +
        '  req_000001 tickets.get (GET /api/v1/tickets/tkt_1) → 200 by CI bot\n' +
        '  req_000002 tickets.get (GET /api/v1/tickets/tkt_2) → 200 by CI bot',
    );
  });

  test('accepts an expectation that contains every field of a request', async () => {
    const mock = serverOf();
    await send(mock, 'PATCH', '/tickets/tkt_1', { title: 'New' });
    const record = mock.requests.last('tickets.update');

    expect(mock.requests.expect('tickets.update', { ...record })).toEqual(record);
  });

  test('all() returns the latest requests, and get() returns a single request by its ID', async () => {
    const mock = serverOf();
    for (let count = 0; count < 4; count += 1) await send(mock, 'GET', '/tickets/tkt_1');
    const ids = (count?: number) => mock.requests.all(count).map(({ id }) => id);

    expect(ids()).toEqual(['req_000001', 'req_000002', 'req_000003', 'req_000004']);
    expect(ids(3)).toEqual(['req_000002', 'req_000003', 'req_000004']);
    expect(ids(4)).toEqual(ids());
    expect(ids(5)).toEqual(ids());
    expect(ids(0)).toEqual([]);
    expect(mock.requests.get('req_000002')).toEqual(mock.requests.all()[1]);
    expect(mock.requests.get('req_000005')).toBeUndefined();
  });

  test('keeps the latest `journalLimit` requests, drops older ones in batches, and is empty after a reset', async () => {
    const mock = serverOf({ journalLimit: 3 });
    const lengths: number[] = [];
    for (let count = 0; count < 9; count += 1) {
      await send(mock, 'GET', '/tickets/tkt_1');
      lengths.push(mock.requests.length);
    }

    expect(lengths).toEqual([1, 2, 3, 4, 5, 3, 4, 5, 3]);
    expect(mock.requests.all().map(({ id }) => id)).toEqual(['req_000007', 'req_000008', 'req_000009']);
    mock.reset();
    expect([mock.requests.all(), mock.requests.bytes]).toEqual([[], 0]);
  });
});

describe('mock.scopes', () => {
  test('lists used and missing scopes', async () => {
    const mock = serverOf();
    await send(mock, 'GET', '/tickets/tkt_1', undefined, 'wt_read');
    await send(mock, 'GET', '/projects/prj_apollo/boards');
    await send(mock, 'GET', '/organizations/org_acme');
    await send(mock, 'DELETE', '/tickets/tkt_1', undefined, 'wt_read');
    await send(mock, 'GET', '/organizations/org_acme', undefined, 'nobody');

    expect(mock.scopes.used()).toEqual(['boards:read', 'organization:read', 'tickets:read']);
    expect(mock.scopes.used('CI bot')).toEqual(['boards:read', 'organization:read']);
    expect(mock.scopes.used('Reader')).toEqual(['tickets:read']);
    expect(mock.scopes.used('Nobody')).toEqual([]);
    expect(mock.scopes.missing()).toEqual(['tickets:write']);
    mock.reset();
    expect([mock.scopes.used(), mock.scopes.missing()]).toEqual([[], []]);
  });
});

test('mock.requests rejects an unknown operation', async () => {
  const { requests } = serverOf();

  expect(() => requests.expectNone('tickets.mvoe' as 'tickets.move')).toThrow(
    'requests: unknown operation "tickets.mvoe"',
  );
  expect(() => requests.last('tickets.mvoe' as 'tickets.move')).toThrow(
    'requests: unknown operation "tickets.mvoe"; did you mean "tickets.move"?',
  );
});

test('mock.requests accepts regular expressions with the g flag and prints them as they were written', async () => {
  const mock = serverOf();
  await send(mock, 'GET', '/tickets/tkt_1');
  await send(mock, 'GET', '/tickets/tkt_1');

  expect(mock.requests.matching('tickets.get', { url: /tkt/g })).toHaveLength(2);
  expect(() => mock.requests.expect('tickets.get', { url: /nothing/ })).toThrow('{"url":"/nothing/"}');
});

test("mock.requests records a body as a string if it isn't valid JSON or is nested too deeply", async () => {
  const mock = serverOf();
  const deep = `{"title":"x","extra":${'['.repeat(5000)}${']'.repeat(5000)}}`;
  await send(mock, 'PATCH', '/tickets/tkt_1', deep);
  await send(mock, 'PATCH', '/tickets/tkt_1', '{"title":');
  await send(mock, 'PATCH', '/tickets/tkt_1', '{"title":"[[{{\\""}');
  await send(mock, 'PATCH', '/tickets/tkt_1', '');

  expect(mock.requests.all().map(({ body, status }) => [body, status])).toEqual([
    [deep, 200],
    ['{"title":', 400],
    [{ title: '[[{{"' }, 200],
    [undefined, 200],
  ]);
  expect(JSON.stringify(mock.requests.all())).toContain('req_000001');
  expect(() => mock.requests.expect('tickets.update', { body: { title: 'y' } })).toThrow(
    'Closest of 4 received',
  );
});

const nest = (depth: number, open: string, close: string) => `${open.repeat(depth)}0${close.repeat(depth)}`;

test.each([
  ['200 nested arrays', nest(200, '[', ']'), true],
  ['200 nested objects', nest(200, '{"a":', '}'), true],
  ['arrays and objects next to each other', `[${'[],{},'.repeat(300)}0]`, true],
  ['brackets in a string', `{"a":"${'[{'.repeat(300)}"}`, true],
  ['brackets after an escaped quotation mark', `["\\"${'[{'.repeat(300)}"]`, true],
  ['201 nested arrays', nest(201, '[', ']'), false],
  ['201 nested objects', nest(201, '{"a":', '}'), false],
  ['201 nested arrays and then a shallow one', `[${nest(200, '[', ']')},[]]`, false],
  ['201 nested arrays after an escaped backslash', `["\\\\",${nest(200, '[', ']')}]`, false],
])(
  'mock.requests parses a body up to 200 levels deep, and records others as strings: %s',
  async (_, text, isParsed) => {
    const mock = serverOf();
    await send(mock, 'PATCH', '/tickets/tkt_1', text);

    expect(mock.requests.last()?.body).toEqual(isParsed ? JSON.parse(text) : text);
  },
);

test('mock.requests drops the oldest quarter of the requests when they exceed `journalBytes`', async () => {
  const get = (mock: MockServer) => send(mock, 'GET', '/tickets/tkt_1');
  const other = serverOf();
  await get(other);
  const mock = serverOf({ journalBytes: 8 * other.requests.bytes });
  const lengths: number[] = [];
  for (let count = 0; count < 12; count += 1) {
    await get(mock);
    lengths.push(mock.requests.length);
  }

  expect(lengths).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 6, 7, 8, 6]);
  expect(mock.requests.all()[0]?.id).toBe('req_000007');
  expect(mock.requests.bytes).toBe(6 * other.requests.bytes);
});

test.each<[string, number, number, (mock: MockServer) => Promise<unknown>]>([
  ['short requests', 30, 45, (mock) => send(mock, 'GET', '/tickets/tkt_1')],
  ['requests with long URLs', 2, 3, (mock) => send(mock, 'GET', `/tickets/tkt_1?${'x'.repeat(4000)}`)],
  ['requests with long bodies', 6, 9, (mock) => send(mock, 'PATCH', '/tickets/tkt_1', 'x'.repeat(5000))],
  [
    'requests from a Node.js server with long headers',
    3,
    4,
    (mock) => mock.handle(nodeRequest({ 'x-value': 'x'.repeat(5000), ['x'.repeat(5000)]: 'value' })),
  ],
])('mock.requests keeps as many %s as fit within `journalBytes`', async (_, least, most, receive) => {
  const mock = serverOf({ journalBytes: 100_000 });
  for (let count = 0; count < 60; count += 1) await receive(mock);

  expect(mock.requests.length).toBeGreaterThanOrEqual(least);
  expect(mock.requests.length).toBeLessThanOrEqual(most);
});

test("mock.requests doesn't record the result of a request that was in flight when the journal was cleared", async () => {
  const mock = serverOf();
  mock.override('tickets.get', async (_, next) => {
    mock.requests.clear();
    return next();
  });
  await send(mock, 'GET', '/tickets/tkt_1');

  expect([mock.requests.length, mock.requests.bytes]).toEqual([0, 0]);
});

/** Creates a request that, like those from srvx, has the original headers of a Node.js server. */
const nodeRequest = (headers: Record<string, string | string[] | undefined>) =>
  Object.assign(new Request('http://worktrack.test/api/v1/tickets/tkt_1'), {
    runtime: { node: { req: { headers } } },
  });

test('a request from a Node.js server is recorded with its original headers, except for the credential', async () => {
  const mock = serverOf();
  await mock.handle(
    nodeRequest({ cookie: 'session=1', 'x-trace': 'abc', accept: undefined, 'x-list': ['a', 'b'] }),
  );

  expect(mock.requests.last()?.headers).toEqual({ cookie: '[hidden]', 'x-trace': 'abc', 'x-list': 'a,b' });
});

test('mock.requests records header names in lowercase and hides credentials', async () => {
  const mock = serverOf();
  await mock.fetch('http://worktrack.test/api/v1/tickets/tkt_1', {
    headers: {
      Authorization: 'Bearer wt_ci',
      'Proxy-Authorization': 'Basic dTpw',
      'X-Trace': 'abc',
      Cookie: 'session=1',
    },
  });

  expect(mock.requests.last('tickets.get')?.headers).toEqual({
    authorization: '[hidden]',
    cookie: '[hidden]',
    'proxy-authorization': '[hidden]',
    'x-trace': 'abc',
  });
});

test('mock.requests hides a credential in a custom header', async () => {
  const mock = serverOf({ wire: { credential: { header: 'X-Api-Key', scheme: '' } } });
  await mock.fetch('http://worktrack.test/api/v1/tickets/tkt_1', { headers: { 'X-Api-Key': 'wt_ci' } });

  expect(mock.requests.last('tickets.get')).toMatchObject({
    status: 200,
    headers: { 'x-api-key': '[hidden]' },
  });
});

test('the types of mock.requests depend on the operation', async () => {
  const mock = serverOf();
  await send(mock, 'PATCH', '/tickets/tkt_1', { title: 'Typed' });
  const title: string | undefined = mock.requests.last('tickets.update')?.body.title;

  expect(title).toBe('Typed');
  // @ts-expect-error The field name has a typo.
  expect(() => mock.requests.expectNone('projects.create', { body: { kee: 'A' } })).toThrow(TypeError);
  // @ts-expect-error The value has the wrong type.
  mock.requests.expectNone('projects.create', { body: { key: 5 } });
  mock.requests.expectNone('projects.create', { body: { key: /^A/, name: expect.any(String) } });
});
