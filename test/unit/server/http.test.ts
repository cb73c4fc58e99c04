import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { createConnection } from 'node:net';
import { promisify } from 'node:util';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createMockServer } from 'worktrack/mock-server';
import { type ListeningServer, type ListenOptions, listen } from 'worktrack/mock-server/node';
import { world } from './support/server.js';

const servers: ListeningServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serve(options: ListenOptions = {}): Promise<ListeningServer> {
  const server = await listen({ world, ...options });
  servers.push(server);
  return server;
}

const headers = { authorization: 'Bearer wt_ci' };

/** Sends a request to a listening server and reads the response. */
async function send(base: string, method: string, path: string, body?: unknown) {
  const response = await fetch(base + path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, json: text && JSON.parse(text), text };
}

describe('listen', () => {
  test('returns the same responses as mock.fetch', async () => {
    const server = await serve();
    const requests: [string, string, unknown?][] = [
      ['POST', '/projects/prj_apollo/tickets', { board_id: 'brd_todo', title: 'Grüße 🎉' }],
      ['GET', '/projects/prj_apollo/tickets?per_page=1&q='],
      ['POST', '/tickets/tkt_1/move', { board_id: 'brd_doing' }],
      ['DELETE', '/tickets/tkt_2'],
      ['GET', '/tickets/tkt_2'],
      ['GET', '/tickets/%zz'],
      ['PUT', '/tickets/tkt_1'],
    ];
    const mock = createMockServer({ world, baseUrl: server.url });

    for (const [method, path, body] of requests) {
      const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
      const [over, direct] = await Promise.all([
        fetch(`${server.url}/api/v1${path}`, init),
        mock.fetch(`${server.url}/api/v1${path}`, init),
      ]);
      expect([over.status, await over.text()]).toEqual([direct.status, await direct.text()]);
      expect([over.headers.get('x-request-id'), over.headers.get('content-type')]).toEqual([
        direct.headers.get('x-request-id'),
        direct.headers.get('content-type'),
      ]);
    }
    expect(server.mock.state.tickets.all()).toEqual(mock.state.tickets.all());
  });

  test('rejects a body over the limit with 413, with or without Content-Length, and keeps the connection usable', async () => {
    const server = await serve({ bodyLimit: 1000 });
    const big = new TextEncoder().encode(JSON.stringify({ title: 'x'.repeat(2000) }));
    const streamed = new ReadableStream({
      start(controller) {
        controller.enqueue(big);
        controller.close();
      },
    });
    const patch = (body: BodyInit) =>
      fetch(`${server.url}/api/v1/tickets/tkt_1`, {
        method: 'PATCH',
        headers,
        body,
        duplex: 'half',
      } as RequestInit);

    expect((await patch(big)).status).toBe(413);
    expect((await patch(streamed)).status).toBe(413);
    expect((await patch('{}')).status).toBe(200);
  });

  test('accepts a chunked body for a write and ignores it for a read', async () => {
    const server = await serve();
    const sendChunked = async (method: string) => {
      const sending = request(`${server.url}/api/v1/tickets/tkt_1`, {
        method,
        headers: { ...headers, 'transfer-encoding': 'chunked' },
      });
      sending.write('{"title":');
      sending.end('"New"}');
      const [response] = (await once(sending, 'response')) as [IncomingMessage];
      response.resume();
      await once(response, 'end');
      return [response.statusCode, server.mock.state.tickets.get('tkt_1')?.title];
    };

    expect(await sendChunked('GET')).toEqual([200, 'Launch']);
    expect(await sendChunked('PATCH')).toEqual([200, 'New']);
  });

  test('rejects an endless body with 413 once it reaches the limit, and closes the connection if the client keeps sending', async () => {
    const server = await serve({ bodyLimit: 100_000 });
    const sending = request(`${server.url}/api/v1/tickets/tkt_1`, { method: 'PATCH', headers });
    const closed = new Promise<void>((resolve) => sending.once('close', resolve));
    sending.on('error', () => {});
    const interval = setInterval(() => sending.write('x'.repeat(10_000)), 1);
    try {
      const [response] = (await once(sending, 'response')) as [IncomingMessage];
      expect(response.statusCode).toBe(413);
      response.resume();
      await closed;
    } finally {
      clearInterval(interval);
    }
    expect((await send(server.url, 'GET', '/api/v1/tickets/tkt_1')).status).toBe(200);
  });

  test('keeps the connection usable after rejecting an unread or partly read body', async () => {
    const server = await serve({ bodyLimit: 1000 });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const sendLargeBody = async (token: string, extraHeaders = {}) => {
      const sending = request(`${server.url}/api/v1/tickets/tkt_1`, {
        method: 'PATCH',
        agent,
        headers: { authorization: `Bearer ${token}`, ...extraHeaders },
      });
      for (let count = 0; count < 40; count += 1) sending.write(`${' '.repeat(99_999)}\n`);
      sending.end('{}');
      const [response] = (await once(sending, 'response')) as [IncomingMessage];
      response.resume();
      await once(response, 'end');
      return response.statusCode;
    };

    expect([
      await sendLargeBody('wrong'),
      await sendLargeBody('wt_ci'),
      await sendLargeBody('wt_ci', { 'content-length': 4_000_002 }),
      await sendLargeBody('wt_ci'),
    ]).toEqual([401, 413, 413, 413]);
    agent.destroy();
  });

  test('keeps the connection open after it has drained an unread body', async () => {
    const server = await serve({ bodyLimit: 1000 });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const patch = async (body: string) => {
      const sending = request(`${server.url}/api/v1/tickets/tkt_1`, { method: 'PATCH', agent, headers });
      sending.write(' '.repeat(500));
      sending.end(body);
      const [response] = (await once(sending, 'response')) as [IncomingMessage];
      response.resume();
      await once(response, 'end');
      return [response.statusCode, sending.reusedSocket];
    };
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      expect(await patch(' '.repeat(1_000_000))).toEqual([413, false]);
      expect(await patch('{}')).toEqual([200, true]);
      await vi.advanceTimersByTimeAsync(60_000);
      expect(await patch('{}')).toEqual([200, true]);
    } finally {
      vi.useRealTimers();
      agent.destroy();
    }
  });

  test('keeps working, and logs no error, after a client disconnects while sending a body', async () => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
    onTestFinished(() => printed.mockRestore());
    const server = await serve();
    await new Promise<void>((resolve, reject) => {
      const { port } = new URL(server.url);
      const socket = createConnection(Number(port), '127.0.0.1', () => {
        socket.write(
          'PATCH /api/v1/tickets/tkt_1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer wt_ci\r\nContent-Length: 100\r\n\r\n{"ti',
          () => socket.destroy(),
        );
      });
      socket.on('close', () => resolve());
      socket.on('error', reject);
    });

    expect((await send(server.url, 'GET', '/api/v1/tickets/tkt_1')).json.data.title).toBe('Launch');
    await server.close();
    expect(printed).not.toHaveBeenCalled();
  });

  test('accepts browser requests from any origin', async () => {
    const server = await serve();
    const preflight = await fetch(`${server.url}/api/v1/tickets/tkt_1`, {
      method: 'OPTIONS',
      headers: {
        origin: 'http://localhost:5173',
        'access-control-request-method': 'PATCH',
        'access-control-request-headers': 'authorization,content-type',
      },
    });
    expect(preflight.status).toBe(204);
    expect(Object.fromEntries(preflight.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-headers': 'authorization,content-type',
      'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE, OPTIONS',
      'access-control-allow-private-network': 'true',
      'access-control-max-age': '600',
    });

    const response = await fetch(`${server.url}/api/v1/tickets/tkt_1`, {
      headers: { ...headers, origin: 'http://localhost:5173' },
    });
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-expose-headers')).toBe('*');
  });

  test("adds CORS headers to an override's redirect, whose own headers are immutable", async () => {
    const server = await serve();
    server.mock.override('tickets.get', () => Response.redirect('http://localhost:5173/moved'));

    const response = await fetch(`${server.url}/api/v1/tickets/tkt_1`, {
      headers: { ...headers, origin: 'http://localhost:5173' },
      redirect: 'manual',
    });

    expect(response.status).toBe(302);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      location: 'http://localhost:5173/moved',
      'access-control-allow-origin': '*',
    });
  });

  test('sends CORS headers only to browsers', async () => {
    const server = await serve();

    const response = await fetch(`${server.url}/api/v1/tickets/tkt_1`, { headers });

    expect(response.status).toBe(200);
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });

  test.each([
    ['GET', { 'access-control-request-method': 'PATCH' }, 200],
    ['OPTIONS', {}, 405],
  ] as const)("doesn't handle %s with %j as a preflight request", async (method, extraHeaders, status) => {
    const server = await serve();

    const sending = request(`${server.url}/api/v1/tickets/tkt_1`, {
      method,
      headers: { ...headers, ...extraHeaders },
    });
    const [response] = (await once(sending.end(), 'response')) as [IncomingMessage];
    response.resume();

    expect(response.statusCode).toBe(status);
  });

  test("accepts preflight requests for a space that doesn't exist, so pages can read the error", async () => {
    const server = await serve();
    const path = '/spaces/none/api/v1/tickets/tkt_1';
    const origin = 'http://localhost:5173';

    const preflight = await fetch(server.url + path, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'GET' },
    });
    const response = await fetch(server.url + path, { headers: { origin } });

    expect(preflight.status).toBe(204);
    expect(response.status).toBe(404);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('content-type')).toBe('application/json');
  });

  test('rejects with a one-line error if the port is in use', async () => {
    const server = await serve();

    await expect(listen({ port: Number(new URL(server.url).port) })).rejects.toThrow(
      /^Port \d+ on 127.0.0.1 is in use\.$/,
    );
  });

  test('refuses connections after close()', async () => {
    const server = await listen();
    await server.close();

    await expect(fetch(server.url)).rejects.toThrow();
  });
});

describe('behind a proxy', () => {
  const publicUrl = 'https://mock.example.com/worktrack/';
  const base = 'https://mock.example.com/worktrack';

  test.each([
    ['keeps', '/worktrack'],
    ['strips', ''],
  ])('page links use the public URL if the proxy %s its prefix', async (_, prefix) => {
    const server = await serve({ publicUrl });
    server.createSpace('mine', { world });

    for (const space of ['', '/spaces/mine']) {
      const path = `${space}/api/v1/projects/prj_apollo/tickets`;
      const first = await send(server.url + prefix, 'GET', `${path}?per_page=1&q=`);
      expect(first.json.data.next_page_url).toBe(`${base}${path}?per_page=1&q=&page=2`);
      const next = first.json.data.next_page_url.replace(base, server.url + prefix);
      expect((await send(next, 'GET', '')).json.data.data).toMatchObject([{ id: 'tkt_2' }]);
      const all = await send(server.url + prefix, 'GET', path);
      expect(all.json.data.path).toBe(base + path);
      expect(all.json.data.data).toHaveLength(2);
    }
  });

  test('the public URL can have no path', async () => {
    const server = await serve({ publicUrl: 'https://mock.example.com' });

    const { json } = await send(server.url, 'GET', '/api/v1/projects/prj_apollo/tickets?per_page=1');

    expect(json.data.next_page_url).toBe(
      'https://mock.example.com/api/v1/projects/prj_apollo/tickets?per_page=1&page=2',
    );
  });

  test('writes are performed, and TRACE requests are rejected', async () => {
    const server = await serve({ publicUrl });

    const patch = await send(server.url, 'PATCH', '/api/v1/tickets/tkt_1', { title: 'New' });
    expect(patch.json.data.title).toBe('New');
    const sending = request(`${server.url}/api/v1/tickets/tkt_1`, { method: 'TRACE', headers });
    const [response] = (await once(sending.end(), 'response')) as [IncomingMessage];
    response.resume();
    expect(response.statusCode).toBe(405);
  });
});

describe('faults over HTTP', () => {
  test.each(['connection', 'response_lost'] as const)('a %s fault closes the socket', async (error) => {
    const server = await serve();
    server.mock.faults.add({ error, times: 1 });

    await expect(send(server.url, 'DELETE', '/api/v1/tickets/tkt_1')).rejects.toThrow(TypeError);
    expect(server.mock.state.tickets.get('tkt_1') === undefined).toBe(error === 'response_lost');
  });

  test('a truncated body ends before its declared length', async () => {
    const server = await serve();
    server.mock.faults.add({ error: 'truncated', times: 1 });
    const response = await fetch(`${server.url}/api/v1/tickets/tkt_1`, { headers });

    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow(TypeError);
  });

  test('a malformed body and a Retry-After header are sent unchanged', async () => {
    const server = await serve({ faults: [{ error: 'malformed', times: 1 }] });
    const response = await fetch(`${server.url}/api/v1/tickets/tkt_1`, { headers });
    expect(await response.text()).toMatch(/^\{"data":\{"id":"tkt_1"[^}]*$/);

    server.mock.faults.add({ status: 503, retryAfter: 7 });
    expect((await fetch(`${server.url}/api/v1/tickets/tkt_1`, { headers })).headers.get('retry-after')).toBe(
      '7',
    );
  });
});

describe('admin routes', () => {
  test('return a summary of the server', async () => {
    const { url } = await serve();

    expect((await send(url, 'GET', '/__admin')).json.data).toEqual({
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
    const { url } = await serve();
    const ids = async () =>
      (await send(url, 'GET', '/api/v1/projects/prj_apollo/tickets')).json.data?.data.map(
        (t: { id: string }) => t.id,
      );
    const { id } = (await send(url, 'POST', '/__admin/snapshots')).json.data;
    await send(url, 'DELETE', '/api/v1/tickets/tkt_1');
    expect(await ids()).toEqual(['tkt_2']);

    expect((await send(url, 'POST', `/__admin/snapshots/${id}/restore`)).status).toBe(204);
    expect(await ids()).toEqual(['tkt_1', 'tkt_2']);

    await send(url, 'DELETE', '/api/v1/tickets/tkt_2');
    expect((await send(url, 'POST', '/__admin/reset')).status).toBe(204);
    expect(await ids()).toEqual(['tkt_1', 'tkt_2']);

    const bad = await send(url, 'POST', '/__admin/seed', { organizations: [{ nam: 'x' }] });
    expect([bad.status, bad.json.message]).toEqual([
      422,
      'organizations[0].name: is required\norganizations[0].nam: unknown field; did you mean "name"?',
    ]);
    expect(await ids()).toEqual(['tkt_1', 'tkt_2']);
    await send(url, 'POST', '/__admin/seed', {
      organizations: [{ name: 'New', credentials: [{ token: 'wt_ci' }] }],
    });
    expect((await send(url, 'GET', '/api/v1/tickets/tkt_1')).status).toBe(404);
  });

  test('can change the clock, credentials, faults, the rate limit, the journal, and records', async () => {
    const { url } = await serve();
    const admin = async (method: string, path: string, body?: unknown) => {
      const { status, json } = await send(url, method, `/__admin${path}`, body);
      return [status, json?.data] as const;
    };
    expect(await admin('POST', '/clock', { set: '2027-01-01T00:00:00Z', advance: 1000 })).toEqual([
      200,
      { now: '2027-01-01T00:00:01.000Z', frozen: true },
    ]);
    expect((await admin('POST', '/clock', { forward: 1 }))[0]).toBe(422);

    const [made, credential] = await admin('POST', '/credentials', {
      token: 'wt new',
      scopes: ['tickets:read'],
    });
    expect([made, credential]).toEqual([422, undefined]);
    expect((await admin('POST', '/credentials', { token: 'wt_new', scopes: ['tickets:read'] }))[0]).toBe(200);
    expect((await admin('PATCH', '/credentials/wt_new', { scopes: ['*'] }))[1].scopes).toHaveLength(13);
    expect((await admin('POST', '/credentials/wt_new/rotate', { token: 'wt_next' }))[1].token).toBe(
      'wt_next',
    );
    expect((await admin('DELETE', '/credentials/wt_next'))[0]).toBe(204);

    const [, { id }] = await admin('POST', '/faults', { operation: 'tickets.get', status: 500 });
    expect((await send(url, 'GET', '/api/v1/tickets/tkt_1')).status).toBe(500);
    expect((await admin('GET', '/faults'))[1]).toEqual([
      { id, count: 1, operation: 'tickets.get', status: 500 },
    ]);
    expect((await admin('DELETE', `/faults/${id}`))[0]).toBe(204);
    expect((await admin('POST', '/faults', { status: 1 }))[0]).toBe(422);
    await admin('PUT', '/rate-limit', { limit: 1 });
    expect((await send(url, 'GET', '/api/v1/tickets/tkt_1')).status).toBe(200);
    expect((await send(url, 'GET', '/api/v1/tickets/tkt_1')).status).toBe(429);
    await admin('DELETE', '/rate-limit');

    expect(
      (await admin('GET', '/requests?operation=tickets.get'))[1].map((r: { status: number }) => r.status),
    ).toEqual([500, 200, 429]);
    expect(
      (await admin('POST', '/requests/expect', { operation: 'tickets.get', status: 429 }))[1].fault,
    ).toBe('status 429');
    const miss = await send(url, 'POST', '/__admin/requests/expect', {
      operation: 'tickets.get',
      status: 404,
    });
    expect([miss.status, miss.json.message]).toEqual([409, expect.stringContaining('Closest of 3 received')]);
    expect((await admin('GET', '/scopes'))[1]).toEqual({ used: ['tickets:read'], missing: [] });
    await admin('DELETE', '/requests');
    expect((await admin('GET', '/requests'))[1]).toEqual([]);

    expect((await admin('POST', '/records/ticket', { board: 'brd_todo', title: 'Made' }))[1].title).toBe(
      'Made',
    );
    expect((await admin('POST', '/records/tickets', {}))[0]).toBe(404);
  });

  test('number snapshots and list their IDs', async () => {
    const { url } = await serve();
    const add = async () => (await send(url, 'POST', '/__admin/snapshots')).json.data.id;

    expect([await add(), await add()]).toEqual(['snapshot_1', 'snapshot_2']);
    await send(url, 'DELETE', '/__admin/snapshots/snapshot_1');
    expect(await add()).toBe('snapshot_3');
    expect((await send(url, 'GET', '/__admin/snapshots')).json.data).toEqual(['snapshot_2', 'snapshot_3']);
  });

  test('allow at most 1000 faults per space', async () => {
    const { url, mock } = await serve();
    const add = () => send(url, 'POST', '/__admin/faults', { status: 503 });
    for (let count = 1; count < 1000; count += 1) mock.faults.add({ status: 503 });

    expect((await add()).status).toBe(200);
    expect(await add()).toMatchObject({
      status: 409,
      json: { message: 'There are already 1000 faults. Delete the ones you no longer need.' },
    });
  });

  test('list the available routes for an unknown route and the supported methods for an unsupported method', async () => {
    const { url } = await serve();

    expect((await send(url, 'GET', '/__admin/x')).json.message).toMatch(
      /^Unknown admin route \/x\. Available routes:\nGET \/\n(?:.+\n)*POST \/reset\n/,
    );
    expect((await send(url, 'GET', '/__admin/reset')).json.message).toBe('This admin route supports POST.');
    expect((await send(url, 'DELETE', '/__admin/clock')).json.message).toBe(
      'This admin route supports GET, POST.',
    );
  });

  test('are only at the start of the path, and those for spaces are only at the root', async () => {
    const { url, createSpace } = await serve();
    createSpace('mine', { world });

    expect((await send(url, 'GET', '/api/v1/__admin')).json.message).toContain('No operation matches GET');
    expect((await send(url, 'GET', '/__admins')).json.message).toContain('No operation matches GET');
    expect((await send(url, 'GET', '/spaces/mine/__admin/spaces')).json.message).toMatch(
      /^Unknown admin route \/spaces\./,
    );
  });
});

describe('spaces', () => {
  test('have separate data and can be created and deleted at runtime', async () => {
    const { url } = await serve();
    const names = Array.from({ length: 20 }, (_, index) => `worker-${index}`);
    const made = await Promise.all(
      names.map((name) => send(url, 'POST', '/__admin/spaces', { name, world })),
    );
    expect(made.map(({ json }) => json.data.baseUrl)).toEqual(names.map((name) => `${url}/spaces/${name}`));

    await Promise.all(
      names.map((name) => send(url, 'PATCH', `/spaces/${name}/api/v1/tickets/tkt_1`, { title: name })),
    );
    const titles = await Promise.all(
      names.map(
        async (name) => (await send(url, 'GET', `/spaces/${name}/api/v1/tickets/tkt_1`)).json.data.title,
      ),
    );
    expect(titles).toEqual(names);
    expect((await send(url, 'GET', '/api/v1/tickets/tkt_1')).json.data.title).toBe('Launch');

    const requests = await send(url, 'GET', '/spaces/worker-3/__admin/requests');
    expect(requests.json.data).toHaveLength(2);
    expect((await send(url, 'DELETE', '/__admin/spaces/worker-3')).status).toBe(204);
    expect((await send(url, 'GET', '/spaces/worker-3/api/v1/tickets/tkt_1')).status).toBe(404);
    expect((await send(url, 'GET', '/__admin/spaces')).json.data).toHaveLength(19);
    expect((await send(url, 'POST', '/__admin/spaces', { name: '../x' })).status).toBe(422);
  });

  test('isolate several client processes from each other', async () => {
    const { url } = await serve();
    const results = await Promise.all(['a', 'b', 'c'].map((name) => useSpaceInChildProcess(url, name)));

    expect(results).toEqual(
      ['a', 'b', 'c'].map((name) => ({
        titles: Array.from({ length: 20 }, (_, i) => `${name} ${i}`),
        requests: 22,
      })),
    );
  });

  test("can't have a name that contains a slash", async () => {
    const server = await serve();

    expect(() => server.createSpace('a/b')).toThrow(
      expect.objectContaining({ name: 'AdminError', message: expect.stringContaining('(got "a/b")') }),
    );
  });

  test("can't have a custom base URL", async () => {
    const server = await serve();
    const otherBase = { baseUrl: 'http://elsewhere.test' } as object;

    const create = () => server.createSpace('mine', otherBase);
    expect(create).toThrow(TypeError);
    expect(create).toThrow('createSpace: unknown option "baseUrl"');
    expect((await send(server.url, 'GET', '/spaces/mine/api/v1/tickets/tkt_1')).status).toBe(404);
  });

  test.each(['', '.hidden', '-x', 'a/b', 'a b', 'ä', 'x'.repeat(101)])(
    "can't be created with the name %j",
    async (name) => {
      const server = await serve();

      const { status, json } = await send(server.url, 'POST', '/__admin/spaces', { name });

      expect(status).toBe(422);
      expect(json.message).toContain(`must not start with "." or "-" (got ${JSON.stringify(name)})`);
      expect((await send(server.url, 'GET', '/__admin/spaces')).json.data).toEqual([]);
    },
  );

  test('can be created with a name of 100 characters, and an error for a longer name shortens it', async () => {
    const { url } = await serve();
    const create = (name: string) => send(url, 'POST', '/__admin/spaces', { name });

    expect((await create('_-.9'.repeat(25))).status).toBe(200);
    expect((await create('x'.repeat(5000))).json.message).toMatch(/\(got "x{118}…\)$/);
  });

  test('are limited to 1000, but an existing space can still be replaced', async () => {
    const server = await serve({
      world: { organizations: [{ name: 'A', credentials: [{ token: 'wt_ci' }] }] },
    });
    const create = (name: string) => send(server.url, 'POST', '/__admin/spaces', { name });
    for (let index = 1; index < 1000; index += 1) server.createSpace(`space-${index}`);

    expect((await create('space-1000')).status).toBe(200);
    expect(await create('space-1001')).toMatchObject({
      status: 409,
      json: { message: 'There are already 1000 spaces. Delete the ones you no longer need.' },
    });
    expect((await create('space-1')).status).toBe(200);
    server.dropSpace('space-2');
    expect((await create('space-1001')).status).toBe(200);
  });

  test('share the memory limit for journals, which drops the oldest requests of the largest journals', async () => {
    const server = await serve({ journalBytes: 1_000_000 });
    const fill = async (name: string, count: number) => {
      const mock = server.createSpace(name);
      const path = `${mock.clientOptions().baseUrl}/api/v1/tickets`;
      // A request takes up about 100 kB.
      for (let index = 0; index < count; index += 1) {
        await mock.fetch(`${path}/${index}?${'x'.repeat(16_000)}`);
      }
      return mock;
    };
    const small = await fill('small', 1);
    const large = await Promise.all(['a', 'b', 'c'].map((name) => fill(name, 9)));
    expect(large.map(({ requests }) => requests.length)).toEqual([9, 9, 9]);

    await send(server.url, 'GET', '/api/v1/tickets/tkt_1');

    // Halving each of the large journals leaves 13 requests, so two of them are halved again.
    expect(large.map(({ requests }) => requests.length)).toEqual([2, 2, 4]);
    expect(large[0]?.requests.all().map(({ url }) => url.split('?')[0]?.at(-1))).toEqual(['7', '8']);
    expect([small.requests.length, server.mock.requests.length]).toEqual([1, 1]);
  });

  test('can also be created with server.createSpace', async () => {
    const server = await serve();
    const mock = server.createSpace('mine', { world });

    expect((await send(mock.clientOptions().baseUrl, 'GET', '/api/v1/tickets/tkt_1')).status).toBe(200);
    expect(mock.requests.length).toBe(1);
    server.dropSpace('mine');
    expect((await send(server.url, 'GET', '/spaces/mine/api/v1/tickets/tkt_1')).status).toBe(404);
  });
});

/** Creates and fills a space in a child process, and returns the data that the process reads back. */
async function useSpaceInChildProcess(url: string, name: string): Promise<unknown> {
  const code = `
    const send = async (base, method, path, body) => {
      const response = await fetch(base + path, { method, headers: { authorization: 'Bearer wt_ci' }, body: body && JSON.stringify(body) });
      return (await response.json()).data;
    };
    const { baseUrl } = await send('${url}', 'POST', '/__admin/spaces', { name: '${name}' });
    const documents = '/api/v1/organizations/org_acme/documents';
    for (let i = 0; i < 20; i += 1) await send(baseUrl, 'POST', documents, { title: '${name} ' + i });
    const { data } = await send(baseUrl, 'GET', documents);
    await send(baseUrl, 'GET', documents + '?q=x');
    const { length } = await send(baseUrl, 'GET', '/__admin/requests');
    console.log(JSON.stringify({ titles: data.map(({ title }) => title), requests: length }));
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code]);
  return JSON.parse(stdout);
}
