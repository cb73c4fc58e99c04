import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { listen } from 'worktrack/mock-server/node';
import { world } from './support/server.js';

/** Starts a server for one test and returns functions that send requests to it. */
async function serve() {
  const server = await listen({ world });
  onTestFinished(() => server.close());
  const send = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(server.url + path, {
      method,
      headers: { authorization: 'Bearer wt_ci' },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const json = text && JSON.parse(text);
    return { status: response.status, data: json.data, message: json.message };
  };
  const admin = (method: string, path: string, body?: unknown) => send(method, `/__admin${path}`, body);
  return { ...server, send, admin };
}

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

describe('admin routes for snapshots', () => {
  test('list the IDs of all snapshots', async () => {
    const { admin } = await serve();
    expect((await admin('GET', '/snapshots')).data).toEqual([]);

    const first = await admin('POST', '/snapshots');
    const second = await admin('POST', '/snapshots');

    expect((await admin('GET', '/snapshots')).data).toEqual([first.data.id, second.data.id]);
  });

  test('delete a snapshot', async () => {
    const { admin } = await serve();
    const { data } = await admin('POST', '/snapshots');

    expect(await admin('DELETE', `/snapshots/${data.id}`)).toMatchObject({ status: 204 });
    for (const [method, path] of [
      ['DELETE', `/snapshots/${data.id}`],
      ['POST', `/snapshots/${data.id}/restore`],
    ] as const) {
      expect(await admin(method, path)).toMatchObject({
        status: 404,
        message: `No snapshot has the ID "${data.id}".`,
      });
    }
  });
});

describe('admin routes for the clock', () => {
  test('read the clock, start it, and stop it at the current time or a given time', async () => {
    const { admin } = await serve();
    expect((await admin('GET', '/clock')).data).toEqual({ now: '2026-01-01T00:00:00.000Z', frozen: true });

    const running = await admin('POST', '/clock', { real: true });
    expect(running.data.frozen).toBe(false);
    expect(Math.abs(Date.parse(running.data.now) - Date.now())).toBeLessThan(60_000);

    const stopped = await admin('POST', '/clock', { freeze: true });
    expect(stopped.data.frozen).toBe(true);
    expect(Date.parse(stopped.data.now)).toBeGreaterThanOrEqual(Date.parse(running.data.now));

    const instant = { freeze: '2030-01-01T00:00:00Z' };
    expect((await admin('POST', '/clock', instant)).data.now).toBe('2030-01-01T00:00:00.000Z');
  });

  test('leave the clock unchanged if any change is invalid', async () => {
    const { admin } = await serve();

    for (const invalid of [{ set: 'soon' }, { real: true, set: 'soon' }, { advance: 1000, freeze: false }]) {
      expect((await admin('POST', '/clock', invalid)).status).toBe(422);
      expect((await admin('GET', '/clock')).data).toEqual({ now: '2026-01-01T00:00:00.000Z', frozen: true });
    }
  });
});

test('GET /__admin/organizations lists all organizations', async () => {
  const { admin } = await serve();

  expect((await admin('GET', '/organizations')).data).toMatchObject([
    { id: 'org_acme', name: 'Acme' },
    { id: 'org_other', name: 'Other' },
  ]);
});

describe('admin routes for credentials', () => {
  test('revoke a credential', async () => {
    const { admin, send } = await serve();

    expect((await admin('DELETE', '/credentials/wt_ci')).status).toBe(204);

    expect((await send('GET', '/api/v1/tickets/tkt_1')).status).toBe(401);
    expect((await admin('GET', '/credentials')).data).toMatchObject([{ token: 'wt_read' }]);
  });

  test('list credentials, and by default rotate a credential to a generated token', async () => {
    const { admin, send } = await serve();

    const { data } = await admin('POST', '/credentials/wt_ci/rotate', {});

    expect(data.token).toMatch(/^wt_\w{26}$/);
    expect((await admin('GET', '/credentials')).data).toContainEqual(data);
    expect((await send('GET', '/api/v1/tickets/tkt_1')).status).toBe(401);
  });

  test('reject a change without scopes', async () => {
    const { admin, mock } = await serve();
    mock.credentials.setScopes('wt_ci', ['tickets:read']);

    expect(await admin('PATCH', '/credentials/wt_ci', {})).toMatchObject({
      status: 422,
      message: expect.stringContaining('credential.scopes: is required'),
    });
    expect(await admin('PATCH', '/credentials/wt_ci', { scope: ['*'] })).toMatchObject({
      status: 422,
      message: 'unknown field "scope"; expected one of: scopes',
    });
    expect(mock.state.credentials.all()[0]?.scopes).toEqual(['tickets:read']);
  });
});

describe('admin routes for faults', () => {
  test('remove one fault, or remove all faults and the rate limit', async () => {
    const { admin, send } = await serve();
    const { data } = await admin('POST', '/faults', { status: 500 });
    await admin('POST', '/faults', { status: 503 });
    await admin('PUT', '/rate-limit', { limit: 0 });

    expect((await admin('DELETE', '/faults')).status).toBe(204);

    expect((await send('GET', '/api/v1/tickets/tkt_1')).status).toBe(200);
    expect(await admin('DELETE', `/faults/${data.id}`)).toMatchObject({
      status: 404,
      message: `No active fault has the ID "${data.id}".`,
    });
  });

  test('remove only the fault with the given ID', async () => {
    const { admin } = await serve();
    const first = await admin('POST', '/faults', { status: 500 });
    const second = await admin('POST', '/faults', { status: 503 });

    expect((await admin('DELETE', `/faults/${second.data.id}`)).status).toBe(204);

    expect((await admin('GET', '/faults')).data).toMatchObject([{ id: first.data.id }]);
  });

  test('set, return, and remove the rate limit', async () => {
    const { admin, send } = await serve();
    expect(await admin('GET', '/rate-limit')).toMatchObject({ status: 200, data: null });

    expect((await admin('PUT', '/rate-limit', { limit: 0 })).status).toBe(204);
    expect((await admin('GET', '/rate-limit')).data).toEqual({ limit: 0, window: 60_000 });
    expect((await send('GET', '/api/v1/tickets/tkt_1')).status).toBe(429);

    expect((await admin('DELETE', '/rate-limit')).status).toBe(204);
    expect((await admin('GET', '/rate-limit')).data).toBeNull();
    expect((await send('GET', '/api/v1/tickets/tkt_1')).status).toBe(200);
  });

  test('reject an invalid rate limit', async () => {
    const { admin, send } = await serve();

    for (const [body, message] of [
      [{ limt: 0 }, 'rateLimit: unknown option "limt"; did you mean "limit"?'],
      [{ limit: '0' }, 'rateLimit: option "limit" must be a non-negative number (got "0")'],
    ] as const) {
      expect(await admin('PUT', '/rate-limit', body)).toMatchObject({ status: 422, message });
    }
    expect((await send('GET', '/api/v1/tickets/tkt_1')).status).toBe(200);
  });

  test('omit spent faults', async () => {
    const { admin, send } = await serve();
    const { data } = await admin('POST', '/faults', { status: 503, times: 1 });
    expect((await send('GET', '/api/v1/tickets/tkt_1')).status).toBe(503);

    expect((await admin('GET', '/faults')).data).toEqual([]);
    expect(await admin('DELETE', `/faults/${data.id}`)).toMatchObject({ status: 404 });
  });
});

describe('admin routes for the journal', () => {
  test('return the latest requests, optionally for one operation', async () => {
    const { admin, send } = await serve();
    for (const path of ['/tickets/tkt_1', '/projects', '/tickets/tkt_2', '/boards/brd_todo/tickets']) {
      await send('GET', `/api/v1${path}`);
    }
    const ids = async (query: string) =>
      (await admin('GET', `/requests${query}`)).data.map(({ id }: { id: string }) => id);

    const all = ['req_000001', 'req_000002', 'req_000003', 'req_000004'];
    expect(await ids('')).toEqual(all);
    expect(await ids('?limit=2')).toEqual(all.slice(2));
    expect(await ids('?limit=100')).toEqual(all);
    expect(await ids('?operation=tickets.get')).toEqual(['req_000001', 'req_000003']);
    expect(await ids('?operation=tickets.get&limit=1')).toEqual(['req_000003']);
    expect(await ids('?operation=tickets.get&limit=12')).toEqual(['req_000001', 'req_000003']);
  });

  test.each(['0', '-1', '1.5', '5x', 'x5', '', 'all'])('reject the limit %j', async (limit) => {
    const { admin } = await serve();

    expect(await admin('GET', `/requests?limit=${limit}`)).toMatchObject({
      status: 422,
      message: `limit must be a positive integer (got "${limit}")`,
    });
  });

  test('return one request', async () => {
    const { admin, send } = await serve();
    await send('GET', '/api/v1/tickets/tkt_1');

    expect((await admin('GET', '/requests/req_000001')).data).toMatchObject({
      id: 'req_000001',
      operation: 'tickets.get',
      responseBody: { data: { title: 'Launch' } },
    });
    expect(await admin('GET', '/requests/req_000002')).toMatchObject({
      status: 404,
      message: 'No request in the journal has the ID "req_000002".',
    });
  });
});

describe('POST /__admin/records/{kind}', () => {
  test('adds every kind of record', async () => {
    const { admin } = await serve();
    const project = { project: 'prj_apollo' };
    const organization = { organization: 'org_acme' };
    const seeds = {
      organization: {},
      user: organization,
      label: project,
      project: organization,
      board: project,
      ticket: { board: 'brd_todo' },
      document: organization,
      comment: { ticket: 'tkt_1', author: 'Ada' },
      notification: { user: 'usr_ada' },
    };

    for (const [kind, seed] of Object.entries(seeds)) {
      const id = `new_${kind}`;
      expect(await admin('POST', `/records/${kind}`, { id, ...seed })).toMatchObject({
        status: 200,
        data: { id },
      });
    }
  });

  test('lists all kinds if the kind is unknown', async () => {
    const { admin } = await serve();

    for (const kind of ['tickets', 'toString']) {
      expect(await admin('POST', `/records/${kind}`, {})).toMatchObject({
        status: 404,
        message: `Unknown record kind "${kind}"; expected one of: organization, user, label, project, board, ticket, document, comment, notification.`,
      });
    }
  });
});

describe('an admin request', () => {
  test.each([
    ['TypeError', new TypeError("Cannot read properties of undefined (reading 'id')")],
    ['RangeError', new RangeError('Maximum call stack size exceeded')],
  ])('returns 500 and prints the error if the server itself fails with a %s', async (_, error) => {
    const server = await serve();
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
    onTestFinished(() => printed.mockRestore());
    vi.spyOn(server.mock, 'export').mockImplementation(() => {
      throw error;
    });

    expect(await server.admin('GET', '/state')).toMatchObject({
      status: 500,
      message: `The mock server failed: ${error.message}`,
    });
    expect(printed.mock.calls).toEqual([['[worktrack]', error]]);
  });

  test.each([
    ['an invalid JSON body', '/clock', '{"set":', 400, "The body isn't valid JSON."],
    ['a JSON list as the body', '/clock', '[]', 422, 'The body must be a JSON object.'],
    ['an expectation without an operation', '/requests/expect', '{}', 422, 'operation is required'],
    [
      'an expectation with a mistyped operation',
      '/requests/expect',
      '{"operation":"tickets.mvoe"}',
      422,
      'requests: unknown operation "tickets.mvoe"; did you mean "tickets.move"?',
    ],
    [
      'an expectation with an unknown field',
      '/requests/expect',
      '{"operation":"tickets.move","stauts":200}',
      422,
      'requests: unknown field "stauts"',
    ],
    [
      'a fault with a mistyped operation',
      '/faults',
      '{"operation":["tickets.get","bords.list"],"status":500}',
      422,
      'faults: unknown operation "bords.list"; did you mean "boards.list"?',
    ],
    [
      'a fault with an empty list of operations',
      '/faults',
      '{"operation":[],"status":500}',
      422,
      'faults: option "operation" must be an operation or a non-empty list of them; omit it for all operations',
    ],
    ['real: false in a clock change', '/clock', '{"real":false}', 422, 'real must be true or omitted'],
    [
      'a space without a name',
      '/spaces',
      '{}',
      422,
      'name must be 1 to 100 letters, digits, "_", ".", or "-", and must not start with "." or "-" (got undefined)',
    ],
    ['a space with the name null', '/spaces', '{"name":null}', 422, '(got null)'],
    ['a number as the token', '/credentials/wt_ci/rotate', '{"token":5}', 422, 'credential.token: '],
    [
      'a mistyped field in a rotation',
      '/credentials/wt_ci/rotate',
      '{"tokn":"wt_x"}',
      422,
      'unknown field "tokn"; expected one of: token',
    ],
    [
      'a mistyped field in a clock change',
      '/clock',
      '{"sett":0}',
      422,
      'unknown field "sett"; expected one of: set, advance, freeze, real',
    ],
    [
      'a space with an unknown option',
      '/spaces',
      '{"name":"a","wrld":{}}',
      422,
      'unknown field "wrld"; expected one of: name, world, now, seed',
    ],
    ['a body with 100 levels', '/clock', nested(100), 422, 'The body must be a JSON object.'],
    ['a body with 101 levels', '/clock', nested(101), 422, 'The body is nested more than 100 levels deep.'],
  ])('is rejected for %s', async (_, path, body, status, message) => {
    const { admin } = await serve();

    const response = await admin('POST', path, body);

    expect(response.status).toBe(status);
    expect(response.message).toContain(message);
  });

  test.each(['/snapshots//restore', '/snapshots/%zz/restore', '/snapshots/snapshot_1/restore/'])(
    'returns 404 for %s',
    async (path) => {
      const { admin } = await serve();

      expect(await admin('POST', path)).toMatchObject({
        status: 404,
        message: expect.stringContaining(`Unknown admin route ${path}.`),
      });
    },
  );

  test.each([
    ['/clock', 16 * 2 ** 20, '16,777,216'],
    ['/spaces/mine/__admin/clock', 16 * 2 ** 20, '16,777,216'],
    ['/seed', 128 * 2 ** 20, '134,217,728'],
    ['/spaces', 128 * 2 ** 20, '134,217,728'],
  ])(
    'to %s is rejected without reading its body if Content-Length is over %i',
    async (path, limit, shown) => {
      const { url, createSpace } = await serve();
      createSpace('mine');
      const sending = request(path.startsWith('/spaces/') ? url + path : `${url}/__admin${path}`, {
        method: 'POST',
        headers: { 'content-length': limit + 1 },
      });
      onTestFinished(() => void sending.destroy());
      sending.on('error', () => {}).flushHeaders();

      const [response] = (await once(sending, 'response')) as [IncomingMessage];

      expect(response.statusCode).toBe(413);
      expect(JSON.parse(await text(response))).toEqual({
        message: `The body is larger than ${shown} bytes.`,
      });
    },
  );

  test('can have a body of up to 16 MiB', async () => {
    const { admin, url } = await serve();
    const body = '{"advance":1000}'.padEnd(16 * 2 ** 20);

    expect((await admin('POST', '/clock', body)).data.now).toBe('2026-01-01T00:00:01.000Z');
    const response = await fetch(`${url}/__admin/clock`, {
      method: 'POST',
      body: new Blob([body, ' ']).stream(),
      duplex: 'half',
    } as RequestInit);
    expect(response.status).toBe(413);
    expect((await admin('GET', '/clock')).data.now).toBe('2026-01-01T00:00:01.000Z');
  });
});

test('GET /__admin/state returns the same state as mock.export()', async () => {
  const { admin, mock } = await serve();

  expect((await admin('GET', '/state')).data).toEqual(mock.export());
});

describe('a space', () => {
  test('can have its own seed data, time, and random seed', async () => {
    const { admin, send } = await serve();
    const world = { organizations: [{ name: 'Own', credentials: [] }] };
    const options = { world, now: '2031-01-01T00:00:00Z', seed: 7 };

    // The response contains client options, which require a credential.
    expect((await admin('POST', '/spaces', { name: 'own', ...options })).message).toContain(
      'The server has no credential. Add one to the seed data',
    );

    const { data } = await admin('POST', '/spaces', { name: 'timed', now: options.now, seed: 7 });
    expect(data).toMatchObject({ name: 'timed', organization: 'org_acme' });
    expect((await send('GET', '/spaces/timed/__admin')).data.now).toBe('2031-01-01T00:00:00.000Z');
  });

  test('returns 404 on every route if its name is unknown or invalid', async () => {
    const { admin, send } = await serve();

    expect(await admin('DELETE', '/spaces/none')).toMatchObject({
      status: 404,
      message: 'No space is named "none".',
    });
    for (const path of ['/spaces/none', '/spaces/none/__admin', '/spaces/%zz/api/v1/projects']) {
      expect(await send('GET', path)).toMatchObject({ status: 404, message: "This space doesn't exist." });
    }
  });

  test("doesn't have its own console, so its admin routes return JSON to browsers", async () => {
    const { url, createSpace } = await serve();
    createSpace('mine');

    const response = await fetch(`${url}/spaces/mine/__admin`, { headers: { accept: 'text/html' } });

    expect(response.headers.get('content-type')).toBe('application/json');
    expect((await response.json()).data.space).toBe('mine');
  });

  test('returns an error on its root path, which matches no operation', async () => {
    const { admin, send } = await serve();
    await admin('POST', '/spaces', { name: 'here' });

    expect((await send('GET', '/spaces/here')).message).toContain('No operation matches GET');
  });
});
