import { describe, expect, test } from 'vitest';
import { send, serverOf } from './support/server.js';

describe('mock.requests', () => {
  test('records the operation, parameters, body, credential, and response', async () => {
    const mock = serverOf();
    await send(mock, 'POST', '/tickets/tkt_1/move', { board_id: 'brd_doing' });

    const [record] = mock.requests.of('tickets.move');

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
  });

  test('records the validated query, and also records requests that match no operation', async () => {
    const mock = serverOf();
    await send(mock, 'GET', '/projects/prj_apollo/tickets?per_page=5&q=x');
    await send(mock, 'GET', '/nothing');

    expect(mock.requests.all().map(({ operation, query, status }) => [operation, query, status])).toEqual([
      ['tickets.list', { per_page: 5, q: 'x' }, 200],
      [undefined, undefined, 404],
    ]);
    expect(mock.requests.last('tickets.list')?.credential).toBe('CI bot');
  });

  test('expect returns the matching request', async () => {
    const mock = serverOf();
    await send(mock, 'PATCH', '/tickets/tkt_1', { title: 'New', priority: 'high' });

    const found = mock.requests.expect('tickets.update', {
      body: { title: /^N/, priority: (value: unknown) => value !== 'low' },
      status: 200,
      credential: expect.any(String),
    });

    expect(found.params).toEqual({ ticket: 'tkt_1' });
  });

  test('expect throws an error that shows the most similar requests and their differences', async () => {
    const mock = serverOf();
    await send(mock, 'POST', '/tickets/tkt_2/move', { board_id: 'brd_todo' });
    await send(mock, 'POST', '/tickets/tkt_1/move', { board_id: 'brd_doing', position: 3 });

    const failing = () =>
      mock.requests.expect('tickets.move', { params: { ticket: 'tkt_1' }, body: { position: 0 } });

    expect(failing).toThrow(
      'Expected a tickets.move request like {"params":{"ticket":"tkt_1"},"body":{"position":0}}.\n' +
        'Closest of 2 received:\n' +
        '  req_000002 tickets.move (POST /api/v1/tickets/tkt_1/move) → 200 by CI bot\n' +
        '    body.position: expected 0, got 3\n',
    );
  });

  test('expect throws an error that shows the latest requests if the operation was never called', async () => {
    const mock = serverOf();
    expect(() => mock.requests.expect('tickets.get')).toThrow('The server received no requests.');
    await send(mock, 'GET', '/nothing');

    expect(() => mock.requests.expect('tickets.get')).toThrow(
      'The operation was never called. Latest of 1 received:\n  req_000001 no operation (GET /api/v1/nothing) → 404 not_found',
    );
  });

  test('expectNone throws if a request matches', async () => {
    const mock = serverOf();
    mock.requests.expectNone('tickets.get');
    await send(mock, 'GET', '/tickets/tkt_1');

    mock.requests.expectNone('tickets.get', { status: 404 });
    expect(() => mock.requests.expectNone('tickets.get')).toThrow(
      'Expected no tickets.get request, but received 1:',
    );
  });

  test('discards old requests beyond `journalLimit` and is empty after a reset', async () => {
    const mock = serverOf({ journalLimit: 3 });
    for (let count = 0; count < 20; count += 1) await send(mock, 'GET', '/tickets/tkt_1');

    expect(mock.requests.length).toBeLessThan(7);
    expect(mock.requests.last()?.id).toBe('req_000020');
    mock.reset();
    expect(mock.requests.all()).toEqual([]);
  });
});

describe('mock.scopes', () => {
  test('lists used and missing scopes', async () => {
    const mock = serverOf();
    await send(mock, 'GET', '/tickets/tkt_1', undefined, 'wt_read');
    await send(mock, 'GET', '/projects/prj_apollo/boards');
    await send(mock, 'DELETE', '/tickets/tkt_1', undefined, 'wt_read');
    await send(mock, 'GET', '/organizations/org_acme', undefined, 'nobody');

    expect(mock.scopes.used()).toEqual(['boards:read', 'tickets:read']);
    expect(mock.scopes.used('Reader')).toEqual(['tickets:read']);
    expect(mock.scopes.used('Nobody')).toEqual([]);
    expect(mock.scopes.missing()).toEqual(['tickets:write']);
    mock.reset();
    expect([mock.scopes.used(), mock.scopes.missing()]).toEqual([[], []]);
  });
});

test('mock.requests rejects an unknown operation or field', async () => {
  const { requests } = serverOf();

  expect(() => requests.expectNone('tickets.mvoe' as 'tickets.move')).toThrow(
    'unknown operation "tickets.mvoe"',
  );
  expect(() => requests.last('tickets.mvoe' as 'tickets.move')).toThrow('did you mean "tickets.move"?');
  expect(() => requests.expectNone('tickets.move', { bdoy: {} } as object)).toThrow(
    'requests: unknown field "bdoy"',
  );
});

test('mock.requests supports regular expressions with the g flag and shows them as written', async () => {
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

  expect(mock.requests.all().map(({ body, status }) => [body, status])).toEqual([
    [deep, 200],
    ['{"title":', 400],
    [{ title: '[[{{"' }, 200],
  ]);
  expect(JSON.stringify(mock.requests.all())).toContain('req_000001');
  expect(() => mock.requests.expect('tickets.update', { body: { title: 'y' } })).toThrow(
    'Closest of 3 received',
  );
});

test('mock.requests keeps the latest requests that fit within `journalBytes`', async () => {
  const mock = serverOf({ journalBytes: 1_000_000 });
  for (let count = 0; count < 40; count += 1) {
    await send(mock, 'PATCH', '/tickets/tkt_1', { description_html: 'x'.repeat(50_000) });
  }

  expect(mock.requests.length).toBeLessThan(12);
  expect(mock.requests.last('tickets.update')?.id).toBe('req_000040');
  expect(mock.requests.bytes).toBeLessThan(1_000_000);
});

test('mock.requests records header names in lower case and hides credentials', async () => {
  const mock = serverOf();
  await mock.fetch('http://worktrack.test/api/v1/tickets/tkt_1', {
    headers: { Authorization: 'Bearer wt_ci', 'X-Trace': 'abc', Cookie: 'session=1' },
  });

  expect(mock.requests.last('tickets.get')?.headers).toEqual({
    authorization: '[hidden]',
    cookie: '[hidden]',
    'x-trace': 'abc',
  });
});

test('mock.requests is typed for each operation', async () => {
  const mock = serverOf();
  await send(mock, 'PATCH', '/tickets/tkt_1', { title: 'Typed' });
  const title: string | undefined = mock.requests.last('tickets.update')?.body.title;

  expect(title).toBe('Typed');
  // @ts-expect-error The field name has a typo.
  mock.requests.expectNone('projects.create', { body: { kee: 'A' } });
  // @ts-expect-error The value has the wrong type.
  mock.requests.expectNone('projects.create', { body: { key: 5 } });
  mock.requests.expectNone('projects.create', { body: { key: /^A/, name: expect.any(String) } });
});
