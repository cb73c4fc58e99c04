import { once } from 'node:events';
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { createConnection } from 'node:net';
import { networkInterfaces } from 'node:os';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Worktrack } from 'worktrack';
import { createMockServer } from 'worktrack/mock-server';
import { listen } from 'worktrack/mock-server/node';
import {
  captureErrors,
  headers,
  send,
  serve,
  stateFile,
  temporaryFolder,
  ticket,
} from './support/listening.js';
import { world } from './support/server.js';

/** Waits for the response and discards its body. */
async function discardResponse(sending: ClientRequest): Promise<IncomingMessage> {
  const [response] = (await once(sending, 'response')) as [IncomingMessage];
  await once(response.resume(), 'end');
  return response;
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

  test('accepts a chunked body for a write and ignores a chunked body for a read', async () => {
    const server = await serve();
    const sendChunked = async (method: string) => {
      const sending = request(`${server.url}${ticket}`, {
        method,
        headers: { ...headers, 'transfer-encoding': 'chunked' },
      });
      sending.write('{"title":');
      sending.end('"New"}');
      const { statusCode } = await discardResponse(sending);
      return [statusCode, server.mock.state.tickets.get('tkt_1')?.title];
    };

    expect(await sendChunked('GET')).toEqual([200, 'Launch']);
    expect(await sendChunked('PATCH')).toEqual([200, 'New']);
  });

  test('rejects an endless body with 413 at the limit, and closes the connection if the client keeps sending', async () => {
    const server = await serve({ bodyLimit: 100_000 });
    const sending = request(`${server.url}${ticket}`, { method: 'PATCH', headers });
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
    expect((await send(server.url, 'GET', ticket)).status).toBe(200);
  });

  test('keeps the connection usable after rejecting a request whose body was read only partly or not at all', async () => {
    const server = await serve({ bodyLimit: 1000 });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const sendLargeBody = async (token: string, extraHeaders = {}) => {
      const sending = request(`${server.url}${ticket}`, {
        method: 'PATCH',
        agent,
        headers: { authorization: `Bearer ${token}`, ...extraHeaders },
      });
      for (let count = 0; count < 40; count += 1) sending.write(`${' '.repeat(99_999)}\n`);
      sending.end('{}');
      const { statusCode } = await discardResponse(sending);
      return statusCode;
    };

    expect([
      await sendLargeBody('wrong'),
      await sendLargeBody('wt_ci'),
      await sendLargeBody('wt_ci', { 'content-length': 4_000_002 }),
      await sendLargeBody('wt_ci'),
    ]).toEqual([401, 413, 413, 413]);
    agent.destroy();
  });

  test('keeps the connection open after reading and discarding the rest of a body', async () => {
    const server = await serve({ bodyLimit: 1000 });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const patch = async (body: string) => {
      const sending = request(`${server.url}${ticket}`, { method: 'PATCH', agent, headers });
      sending.write(' '.repeat(500));
      sending.end(body);
      const { statusCode } = await discardResponse(sending);
      return [statusCode, sending.reusedSocket];
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

  test("handles further requests and doesn't log an error after a client disconnects while sending a body", async () => {
    const printed = captureErrors();
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

    expect((await send(server.url, 'GET', ticket)).json.data.title).toBe('Launch');
    await server.close();
    expect(printed).not.toHaveBeenCalled();
  });

  test('accepts browser requests from any origin, and sends CORS headers only in response to these', async () => {
    const server = await serve();
    const origin = 'http://localhost:5173';
    const preflightHeaders = { origin, 'access-control-request-method': 'PATCH' };
    const ask = (requested: Record<string, string>) =>
      fetch(server.url + ticket, { method: 'OPTIONS', headers: { ...preflightHeaders, ...requested } });
    const preflight = await ask({ 'access-control-request-headers': 'authorization,content-type' });
    expect(preflight.status).toBe(204);
    expect(Object.fromEntries(preflight.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-headers': 'authorization,content-type',
      'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE, OPTIONS',
      'access-control-allow-private-network': 'true',
      'access-control-max-age': '600',
    });

    expect((await ask({})).headers.get('access-control-allow-headers')).toBe('*');

    const response = await fetch(server.url + ticket, { headers: { ...headers, origin } });
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-expose-headers')).toBe('*');
    const others = (await fetch(server.url + ticket, { headers })).headers;
    expect([...others.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });

  test("adds CORS headers to a redirect from an override, even though the redirect's headers are immutable", async () => {
    const server = await serve();
    server.mock.override('tickets.get', () => Response.redirect('http://localhost:5173/moved'));

    const response = await fetch(`${server.url}${ticket}`, {
      headers: { ...headers, origin: 'http://localhost:5173' },
      redirect: 'manual',
    });

    expect(response.status).toBe(302);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      location: 'http://localhost:5173/moved',
      'access-control-allow-origin': '*',
    });
  });

  test.each([
    ['GET', { 'access-control-request-method': 'PATCH' }, 200],
    ['OPTIONS', {}, 405],
  ] as const)("doesn't mistake %s with %j for a preflight request", async (method, extraHeaders, status) => {
    const server = await serve();

    const sending = request(`${server.url}${ticket}`, { method, headers: { ...headers, ...extraHeaders } });

    expect((await discardResponse(sending.end())).statusCode).toBe(status);
  });

  test("accepts preflight requests for a space that doesn't exist, which lets pages read the error", async () => {
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

  test('rejects with a one-line error if the port is in use, and unlocks the state file', async () => {
    const server = await serve();

    const persist = await stateFile();
    await expect(listen({ persist, port: Number(new URL(server.url).port) })).rejects.toThrow(
      /^Port \d+ on 127.0.0.1 is in use\.$/,
    );
    await (await listen({ persist })).close();
  });
});

describe('a server behind a proxy', () => {
  test.each([
    ['keeps its path prefix', '/worktrack', 'https://mock.example.com/worktrack/'],
    ['strips its path prefix', '', 'https://mock.example.com/worktrack/'],
    ['has no path prefix', '', 'https://mock.example.com'],
  ])('uses the public URL in page links if the proxy %s', async (_, prefix, publicUrl) => {
    const base = publicUrl.replace(/\/$/, '');
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

  test('performs writes and rejects TRACE requests', async () => {
    const server = await serve({ publicUrl: 'https://mock.example.com/worktrack/' });

    const patch = await send(server.url, 'PATCH', ticket, { title: 'New' });
    expect(patch.json.data.title).toBe('New');
    const sending = request(`${server.url}${ticket}`, { method: 'TRACE', headers });
    expect((await discardResponse(sending.end())).statusCode).toBe(405);
  });
});

describe('faults over HTTP', () => {
  test.each(['connection', 'response_lost'] as const)('a %s fault closes the socket', async (error) => {
    const server = await serve();
    server.mock.faults.add({ error, times: 1 });

    await expect(send(server.url, 'DELETE', ticket)).rejects.toThrow(TypeError);
    expect(server.mock.state.tickets.get('tkt_1') === undefined).toBe(error === 'response_lost');
  });

  test('a truncated body is shorter than its Content-Length header specifies', async () => {
    const server = await serve();
    server.mock.faults.add({ error: 'truncated', times: 1 });
    const response = await fetch(`${server.url}${ticket}`, { headers });

    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow(TypeError);
  });
});

const hasIPv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ family }) => family === 'IPv6'),
);

test.skipIf(!hasIPv6)(
  "the server's URL has brackets around an IPv6 host (skipped without IPv6 support)",
  async () => {
    const { url } = await serve({ host: '::1' });

    expect(url).toMatch(/^http:\/\/\[::1\]:\d+$/);
    expect((await fetch(url + ticket, { headers })).status).toBe(200);
  },
);

test('the server handles the first request that it accepts, even if its initial state is large', async () => {
  const persist = await stateFile();
  const first = await listen({ world, persist });
  const port = Number(new URL(first.url).port);
  await first.close();
  const starting = listen({ persist, port });

  let response: Response | undefined;
  while (!response) {
    response = await fetch(first.url + ticket, { headers }).catch((error) => {
      if (error.cause?.code !== 'ECONNREFUSED') throw error;
      return undefined;
    });
  }

  expect(response.status).toBe(200);
  await (await starting).close();
});

test('listen rejects with EADDRNOTAVAIL if the IP address belongs to another machine', async () => {
  await expect(listen({ host: '192.0.2.1' })).rejects.toMatchObject({ code: 'EADDRNOTAVAIL' });
});

test('close() waits only a limited time for an in-flight request', async () => {
  const server = await listen({ world });
  server.mock.faults.add({ latency: 60_000 });
  const response = fetch(server.url + ticket, { headers });
  const failed = expect(response).rejects.toThrow('fetch failed');
  await vi.waitFor(() => expect(server.mock.requests.length).toBe(1));

  await server.close();

  await failed;
});

test.each([
  [undefined, 'undefined'],
  ['a bug', 'a bug'],
  [new Error('a bug'), 'a bug'],
])('the server returns 500 and logs the value if an override throws %s', async (thrown, message) => {
  const server = await serve();
  const printed = captureErrors();
  server.mock.override('tickets.get', () => {
    throw thrown;
  });

  const { status, json } = await send(server.url, 'GET', ticket);

  expect([status, json]).toEqual([500, { message: `The mock server failed: ${message}` }]);
  expect(printed.mock.calls).toEqual([['[worktrack]', thrown]]);
});

test('listen rejects with a one-line error if the state file is a folder', async () => {
  const path = await temporaryFolder();

  await expect(listen({ persist: path })).rejects.toThrow(
    `${path} can't be opened: unable to open database file`,
  );
});

test("close() doesn't wait for an incomplete request", async () => {
  const server = await listen({ world });
  const socket = createConnection(Number(new URL(server.url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  await new Promise<void>((resolve) => socket.write('GET / HTTP/1.1\r\nHost: x\r\n', () => resolve()));

  await server.close();

  await expect(fetch(server.url)).rejects.toThrow('fetch failed');
});

test.each([['0.0.0.0', '127.0.0.1'], ...(hasIPv6 ? [['::', '[::1]']] : [])])(
  'a server that listens on all interfaces (%s) has a reachable URL',
  async (host, name) => {
    const server = await serve({ host });

    expect(server.url).toBe(`http://${name}:${new URL(server.url).port}`);
    expect((await new Worktrack(server.clientOptions()).tickets.get('tkt_1')).id).toBe('tkt_1');
  },
);
