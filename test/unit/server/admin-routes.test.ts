import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { captureErrors, serveAdmin, ticket } from './support/listening.js';

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

describe('admin routes for the whole server', () => {
  test("return a summary of the server's state, and all organizations", async () => {
    const { admin, url } = await serveAdmin();
    expect((await admin('GET', '/organizations')).data).toMatchObject([
      { id: 'org_acme', name: 'Acme' },
      { id: 'org_other', name: 'Other' },
    ]);

    expect((await admin('GET', '')).data).toEqual({
      space: '',
      baseUrl: url,
      token: 'wt_ci',
      organization: 'org_acme',
      responseValidation: 'throw',
      now: '2026-01-01T00:00:00.000Z',
      requests: 0,
    });
  });

  test('can reset, seed, snapshot, and restore the server', async () => {
    const { admin, mock, send } = await serveAdmin();
    const ids = () => mock.state.tickets.all().map(({ id }) => id);
    const { id } = (await admin('POST', '/snapshots')).data;
    await send('DELETE', ticket);
    expect(ids()).toEqual(['tkt_2']);

    expect((await admin('POST', `/snapshots/${id}/restore`)).status).toBe(204);
    expect(ids()).toEqual(['tkt_1', 'tkt_2']);

    await send('DELETE', ticket);
    expect((await admin('POST', '/reset')).status).toBe(204);
    expect(ids()).toEqual(['tkt_1', 'tkt_2']);

    expect(await admin('POST', '/seed', { organizations: [{ nam: 'x' }] })).toMatchObject({
      status: 422,
      message:
        'organizations[0].name: is required\norganizations[0].nam: unknown field; did you mean "name"?',
    });
    expect(ids()).toEqual(['tkt_1', 'tkt_2']);
    await admin('POST', '/seed', { organizations: [{ name: 'New', credentials: [{ token: 'wt_ci' }] }] });
    expect((await send('GET', ticket)).status).toBe(404);
  });

  test('number snapshots, list their IDs, and delete them', async () => {
    const { admin } = await serveAdmin();
    const add = async () => (await admin('POST', '/snapshots')).data.id;

    expect([await add(), await add()]).toEqual(['snapshot_1', 'snapshot_2']);
    expect((await admin('DELETE', '/snapshots/snapshot_1')).status).toBe(204);
    expect(await add()).toBe('snapshot_3');
    expect((await admin('GET', '/snapshots')).data).toEqual(['snapshot_2', 'snapshot_3']);
    const deleted = { status: 404, message: 'No snapshot has the ID "snapshot_1".' };
    expect(await admin('DELETE', '/snapshots/snapshot_1')).toMatchObject(deleted);
    expect(await admin('POST', '/snapshots/snapshot_1/restore')).toMatchObject(deleted);
  });
});

describe('admin routes for the clock', () => {
  test('read the clock, start it, freeze it at the current time or a given time, and advance it', async () => {
    const { admin } = await serveAdmin();
    expect((await admin('GET', '/clock')).data).toEqual({ now: '2026-01-01T00:00:00.000Z', frozen: true });

    const running = await admin('POST', '/clock', { real: true });
    expect(running.data.frozen).toBe(false);
    expect(Math.abs(Date.parse(running.data.now) - Date.now())).toBeLessThan(60_000);

    const stopped = await admin('POST', '/clock', { freeze: true });
    expect(stopped.data.frozen).toBe(true);
    expect(Date.parse(stopped.data.now)).toBeGreaterThanOrEqual(Date.parse(running.data.now));

    const instant = { freeze: '2030-01-01T00:00:00Z' };
    expect((await admin('POST', '/clock', instant)).data.now).toBe('2030-01-01T00:00:00.000Z');
    const { data } = await admin('POST', '/clock', { set: '2027-01-01T00:00:00Z', advance: 1000 });
    expect(data).toEqual({ now: '2027-01-01T00:00:01.000Z', frozen: true });
  });

  test('can set, advance, and freeze a running clock at exactly the given time', async () => {
    const { admin } = await serveAdmin();
    let time = Date.now();
    const now = vi.spyOn(Date, 'now').mockImplementation(() => time++);
    onTestFinished(() => now.mockRestore());
    const change = { real: true, set: '2030-01-01T00:00:00Z', advance: 1000, freeze: true };
    expect((await admin('POST', '/clock', change)).data).toEqual({
      now: '2030-01-01T00:00:01.000Z',
      frozen: true,
    });
  });

  test("don't change the clock if any of the changes is invalid", async () => {
    const { admin } = await serveAdmin();

    for (const invalid of [{ set: 'soon' }, { real: true, set: 'soon' }, { advance: 1000, freeze: false }]) {
      expect((await admin('POST', '/clock', invalid)).status).toBe(422);
      expect((await admin('GET', '/clock')).data).toEqual({ now: '2026-01-01T00:00:00.000Z', frozen: true });
    }
  });
});

describe('admin routes for credentials', () => {
  test('add and list credentials, and change their scopes and tokens', async () => {
    const { admin, send } = await serveAdmin();
    const add = (token: string) => admin('POST', '/credentials', { token, scopes: ['tickets:read'] });

    expect((await add('wt new')).status).toBe(422);
    expect((await add('wt_new')).status).toBe(200);
    expect((await admin('PATCH', '/credentials/wt_new', { scopes: ['*'] })).data.scopes).toHaveLength(13);
    const { data } = await admin('POST', '/credentials/wt_new/rotate', { token: 'wt_next' });
    expect(data.token).toBe('wt_next');
    const rotated = await admin('POST', '/credentials/wt_ci/rotate', {});
    expect(rotated.data.token).toMatch(/^wt_\w{26}$/);
    expect((await admin('GET', '/credentials')).data).toContainEqual(rotated.data);
    expect((await send('GET', ticket)).status).toBe(401);

    expect((await admin('DELETE', '/credentials/wt_next')).status).toBe(204);
    expect((await admin('DELETE', `/credentials/${rotated.data.token}`)).status).toBe(204);
    expect((await admin('GET', '/credentials')).data).toMatchObject([{ token: 'wt_read' }]);
  });

  test('reject a credential update that has no scopes', async () => {
    const { admin, mock } = await serveAdmin();
    mock.credentials.setScopes('wt_ci', ['tickets:read']);

    expect(await admin('PATCH', '/credentials/wt_ci', {})).toMatchObject({
      status: 422,
      message: expect.stringContaining('credential.scopes: is required'),
    });
    expect(await admin('PATCH', '/credentials/wt_ci', { scope: ['*'] })).toMatchObject({
      status: 422,
      message: 'unknown field "scope"; did you mean "scopes"?',
    });
    expect(mock.state.credentials.all()[0]?.scopes).toEqual(['tickets:read']);
  });
});

describe('admin routes for faults', () => {
  test('add and list faults with the number of requests that they affected', async () => {
    const { admin, send } = await serveAdmin();
    const fault = { operation: 'tickets.get', status: 500, times: 2 };
    const { id } = (await admin('POST', '/faults', fault)).data;
    await send('GET', ticket);

    expect((await admin('GET', '/faults')).data).toEqual([{ id, count: 1, ...fault }]);
  });

  test('remove a single fault, or all faults and the rate limit', async () => {
    const { admin, send } = await serveAdmin();
    const first = await admin('POST', '/faults', { status: 500 });
    const second = await admin('POST', '/faults', { status: 503 });
    await admin('PUT', '/rate-limit', { limit: 0 });

    expect((await admin('DELETE', `/faults/${second.data.id}`)).status).toBe(204);
    expect((await admin('GET', '/faults')).data).toMatchObject([{ id: first.data.id }]);

    expect((await admin('DELETE', '/faults')).status).toBe(204);
    expect((await send('GET', ticket)).status).toBe(200);
    expect(await admin('DELETE', `/faults/${first.data.id}`)).toMatchObject({
      status: 404,
      message: `No active fault has the ID "${first.data.id}".`,
    });
  });

  test('allow at most 1,000 faults per space', async () => {
    const { admin, mock } = await serveAdmin();
    for (let count = 1; count < 1000; count += 1) mock.faults.add({ status: 503 });

    expect((await admin('POST', '/faults', { status: 503 })).status).toBe(200);
    expect(await admin('POST', '/faults', { status: 503 })).toMatchObject({
      status: 409,
      message: 'There are already 1000 faults. Delete the ones you no longer need.',
    });
  });

  test('set, return, and remove the rate limit', async () => {
    const { admin, send } = await serveAdmin();
    expect(await admin('GET', '/rate-limit')).toMatchObject({ status: 200, data: null });

    expect((await admin('PUT', '/rate-limit', { limit: 0 })).status).toBe(204);
    expect((await admin('GET', '/rate-limit')).data).toEqual({ limit: 0, window: 60_000 });
    expect((await send('GET', ticket)).status).toBe(429);

    expect((await admin('DELETE', '/rate-limit')).status).toBe(204);
    expect((await admin('GET', '/rate-limit')).data).toBeNull();
    expect((await send('GET', ticket)).status).toBe(200);
  });
});

describe('admin routes for the journal', () => {
  test('return the latest requests, or only those for one operation', async () => {
    const { admin, send } = await serveAdmin();
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

  test('reject an invalid limit and a mistyped query parameter', async () => {
    const { admin } = await serveAdmin();
    const rejection = (message: string) => expect.objectContaining({ status: 422, message });

    for (const limit of ['0', '-1', '1.5', '5x', 'x5', '', 'all']) {
      const message = `limit must be a positive integer (got "${limit}")`;
      expect(await admin('GET', `/requests?limit=${limit}`)).toEqual(rejection(message));
    }
    expect(await admin('GET', '/requests?operaton=tickets.list')).toEqual(
      rejection('unknown query parameter "operaton"; did you mean "operation"?'),
    );
  });

  test('verify and clear requests, and list the scopes that requests used', async () => {
    const { admin, send, mock } = await serveAdmin();
    mock.faults.add({ operation: 'tickets.get', status: 500 });
    await send('GET', ticket);

    const expected = await admin('POST', '/requests/expect', { operation: 'tickets.get', status: 500 });
    expect(expected.data.fault).toBe('status 500');
    expect(await admin('POST', '/requests/expect', { operation: 'tickets.get', status: 404 })).toMatchObject({
      status: 409,
      message: expect.stringContaining('Closest of 1 received'),
    });
    await send('GET', '/api/v1/projects/prj_apollo/boards');
    expect((await admin('GET', '/scopes')).data).toEqual({ used: ['boards:read'], missing: [] });
    await admin('DELETE', '/requests');
    expect((await admin('GET', '/requests')).data).toEqual([]);
  });

  test('return a single request', async () => {
    const { admin, send } = await serveAdmin();
    await send('GET', ticket);

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
    const { admin } = await serveAdmin();
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

  test('lists the known kinds if the given kind is unknown', async () => {
    const { admin } = await serveAdmin();

    for (const kind of ['tickets', 'toString']) {
      expect(await admin('POST', `/records/${kind}`, {})).toMatchObject({
        status: 404,
        message: `Unknown record kind "${kind}"; expected one of: organization, user, label, project, board, ticket, document, comment, notification.`,
      });
    }
  });
});

describe('a request to an admin route', () => {
  test.each([
    ['TypeError', new TypeError("Cannot read properties of undefined (reading 'id')")],
    ['RangeError', new RangeError('Maximum call stack size exceeded')],
  ])('returns 500 and prints the error if the server itself throws a %s', async (_, error) => {
    const server = await serveAdmin();
    const printed = captureErrors();
    vi.spyOn(server.mock, 'export').mockImplementation(() => {
      throw error;
    });

    expect(await server.admin('GET', '/state')).toMatchObject({
      status: 500,
      message: `The mock server failed: ${error.message}`,
    });
    expect(printed.mock.calls).toEqual([['[worktrack]', error]]);
  });

  test("returns 400 if the body isn't valid JSON", async () => {
    const { admin } = await serveAdmin();
    expect(await admin('POST', '/clock', '{"set":')).toMatchObject({
      status: 400,
      message: "The body isn't valid JSON.",
    });
  });

  test('returns 422 if the body is nested more than 100 levels deep', async () => {
    const { admin } = await serveAdmin();
    const messageFor = async (body: string) => (await admin('POST', '/clock', body)).message;
    expect(await messageFor(nested(100))).toBe('The body must be a JSON object.');
    expect(await admin('POST', '/clock', nested(101))).toMatchObject({
      status: 422,
      message: 'The body is nested more than 100 levels deep.',
    });
  });

  const expectRoute = '/requests/expect';
  const rotate = '/credentials/wt_ci/rotate';
  test.each([
    ['/clock', '[]', 'The body must be a JSON object.'],
    ['/clock', '{"real":false}', 'real must be true or omitted'],
    ['/clock', '{"sett":0}', 'unknown field "sett"; did you mean "set"?'],
    [expectRoute, '{}', 'operation is required'],
    [expectRoute, '{"operation":"tickets.mvoe"}', 'requests: unknown operation "tickets.mvoe"; did you mean'],
    [expectRoute, '{"operation":"tickets.move","stauts":200}', 'requests: unknown field "stauts"'],
    [
      '/faults',
      '{"operation":["tickets.get","bords.list"],"status":500}',
      'faults: unknown operation "bords.list"',
    ],
    [
      '/faults',
      '{"operation":[],"status":500}',
      'faults: option "operation" must be an operation or a non-empty',
    ],
    ['/spaces', '{}', 'must not start with "." or "-" (got undefined)'],
    ['/spaces', '{"name":null}', '(got null)'],
    ['/spaces', '{"name":"a","wrld":{}}', 'unknown field "wrld"; did you mean "world"?'],
    [rotate, '{"token":5}', 'credential.token: '],
    [rotate, '{"tokn":"wt_x"}', 'unknown field "tokn"; did you mean "token"?'],
    ['/snapshots', '{"id":"a"}', 'unknown field "id"; this route has no fields'],
    ['/reset?space=a', '{}', 'unknown query parameter "space"; this route has no query parameters'],
  ])('returns 422 for POST %s %s', async (path, body, message) => {
    const { admin } = await serveAdmin();
    const response = await admin('POST', path, body);

    expect(response).toMatchObject({ status: 422, message: expect.stringContaining(message) });
  });

  test.each([
    ['/__admin/clock', 16 * 2 ** 20, '16,777,216'],
    ['/spaces/mine/__admin/clock', 16 * 2 ** 20, '16,777,216'],
    ['/__admin/seed', 128 * 2 ** 20, '134,217,728'],
    ['/__admin/spaces', 128 * 2 ** 20, '134,217,728'],
  ])(
    'to %s is rejected before its body is read if its Content-Length exceeds %i',
    async (path, limit, shown) => {
      const { url, createSpace } = await serveAdmin();
      createSpace('mine');
      const sending = request(url + path, {
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
    const { admin, url } = await serveAdmin();
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

  test('gets the available routes if the route is unknown, and the supported methods if the method is unsupported', async () => {
    const { admin } = await serveAdmin();

    expect((await admin('GET', '/x')).message).toMatch(
      /^Unknown admin route \/x\. Available routes:\nGET \/\n(?:.+\n)*POST \/reset\n/,
    );
    for (const path of ['/snapshots//restore', '/snapshots/%zz/restore', '/snapshots/snapshot_1/restore/']) {
      const message = expect.stringContaining(`Unknown admin route ${path}.`);
      expect(await admin('POST', path)).toMatchObject({ status: 404, message });
    }
    expect((await admin('GET', '/reset')).message).toBe('This admin route supports POST.');
    expect((await admin('DELETE', '/clock')).message).toBe('This admin route supports GET, POST.');
  });

  test('must have a path that starts with /__admin, and the routes for spaces exist only at the root', async () => {
    const { send, createSpace } = await serveAdmin();
    createSpace('mine');

    expect((await send('GET', '/api/v1/__admin')).message).toContain('No operation matches GET');
    expect((await send('GET', '/__admins')).message).toContain('No operation matches GET');
    expect((await send('GET', '/spaces/mine/__admin/spaces')).message).toMatch(
      /^Unknown admin route \/spaces\./,
    );
  });
});
