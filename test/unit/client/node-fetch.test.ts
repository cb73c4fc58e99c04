import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { setupServer } from 'msw/node';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type ClientOptions, ConnectionError, Worktrack } from 'worktrack';
import { createMockServer } from 'worktrack/mock-server';
import { nodeFetch } from 'worktrack/node';
import { listenOnLoopback } from '../../support/loopback.js';

const tls = (file: string) => readFileSync(new URL(`./support/tls/${file}.pem`, import.meta.url));

const organization = {
  id: 'org_1',
  name: 'Äkme',
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
};
const record = JSON.stringify({ data: organization });

async function serve(listener: RequestListener, { secure = false } = {}) {
  const server = secure
    ? createSecureServer({ key: tls('key'), cert: tls('certificate') }, listener)
    : createServer(listener);
  let connections = 0;
  let close = () => {};
  /** Resolves when the first connection has closed. */
  const closed = new Promise<void>((resolve) => {
    close = resolve;
  });
  server.on('connection', (socket) => {
    connections++;
    socket.once('close', close);
  });
  // The server never closes idle connections, and it sends a `Keep-Alive` header only if a test sets one.
  server.keepAliveTimeout = 0;
  const port = await listenOnLoopback(server);
  return {
    origin: `${secure ? 'https' : 'http'}://127.0.0.1:${port}`,
    connections: () => connections,
    closed,
  };
}

const clientOf = (
  baseUrl: string,
  options: Parameters<typeof nodeFetch>[0] = {},
  others: ClientOptions = {},
) => {
  const fetch = nodeFetch(options);
  onTestFinished(() => fetch.close());
  return new Worktrack({ baseUrl, token: 'wt_1', organization: 'org_1', retry: 0, fetch, ...others });
};

describe('nodeFetch()', () => {
  test('sends requests that MSW can intercept', async () => {
    const mock = createMockServer();
    const msw = setupServer(...mock.handlers);
    msw.listen({ onUnhandledFrame: 'error' });
    onTestFinished(() => msw.close());
    const client = new Worktrack({ ...mock.clientOptions(), fetch: nodeFetch() });
    await client.projects.create({ name: 'Apollo', key: 'A' });
    expect(await client.projects.list()).toMatchObject([{ name: 'Apollo' }]);
  });

  test('reuses the connection for consecutive calls, with or without a body', async () => {
    const { origin, connections } = await serve((request, response) => {
      response
        .writeHead(request.method === 'DELETE' ? 204 : 200)
        .end(request.method === 'DELETE' ? '' : record);
    });
    const client = clientOf(origin);
    for (let index = 0; index < 5; index++) {
      await client.organization.get();
      await client.tickets.delete('tkt_1');
      expect(await client.raw('DELETE', '/webhooks/1')).toBeUndefined();
    }
    expect(connections()).toBe(1);
  });

  test.each([
    ['an empty chunk', 'transfer-encoding: chunked', '0\r\n\r\n'],
    ['a chunk', 'transfer-encoding: chunked', '2\r\n{}\r\n0\r\n\r\n'],
    ['a body', 'content-length: 4', 'null'],
    ['invalid HTTP', 'x-nothing: 1', 'null'],
  ])('accepts a 204 response followed by %s', async (_, header, tail) => {
    let requests = 0;
    const { origin } = await serve(({ socket }) => {
      requests++;
      socket.end(`HTTP/1.1 204 No Content\r\n${header}\r\n\r\n${tail}`);
    });
    const client = clientOf(origin, {}, { retry: 2 });
    expect(await client.tickets.delete('tkt_1').withResponse()).toMatchObject({ status: 204, attempts: 1 });
    expect(await client.raw('DELETE', '/webhooks/1')).toBeUndefined();
    expect(requests).toBe(2);
  });

  test('accepts a URL object and every kind of headers, but only a string as the body', async () => {
    const seen: unknown[] = [];
    const { origin } = await serve((request, response) => {
      seen.push(request.headers['x-team']);
      response.writeHead(200).end();
    });
    const fetch = nodeFetch();
    onTestFinished(() => fetch.close());
    for (const headers of [{ 'x-team': 'a' }, [['x-team', 'b']], new Headers({ 'x-team': 'c' })] as const) {
      expect(await (await fetch(new URL(origin), { headers: headers as HeadersInit })).text()).toBe('');
    }
    expect(seen).toEqual(['a', 'b', 'c']);
    await expect(fetch(origin, { method: 'POST', body: new Uint8Array(1) })).rejects.toThrow(
      'nodeFetch: the body must be a string',
    );
  });

  test('makes the call fail immediately if the server switches to another protocol', async () => {
    const { origin, closed } = await serve(({ socket }) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n');
    });
    await expect(clientOf(origin).organization.get()).rejects.toMatchObject({
      name: 'ConnectionError',
      outcome: 'unknown',
      message: expect.stringContaining('switched protocols (101)'),
    });
    await closed;
  });

  test("closes an idle connection one second before the server's Keep-Alive timeout", async () => {
    const { origin, closed } = await serve((_, response) => {
      response.writeHead(200, { 'keep-alive': 'timeout=2' }).end(record);
    });
    await clientOf(origin).organization.get();
    await closed;
  });

  test('closes a connection that is idle for longer than the timeout option', async () => {
    const { origin, closed } = await serve((_, response) => response.end(record));
    await clientOf(origin, { timeout: 20 }).organization.get();
    await closed;
  });

  test("doesn't apply its idle timeout to a slow response, whether the connection is new or reused", async () => {
    const { origin, connections } = await serve((_, response) => {
      setTimeout(() => response.end(record), 400);
    });
    const client = clientOf(origin, { timeout: 300 });
    expect(await client.organization.get()).toEqual(organization);
    expect(await client.organization.get()).toEqual(organization);
    expect(connections()).toBe(1);
  });

  test('sends a Content-Length header with a DELETE that has a body', async () => {
    const seen: unknown[] = [];
    const { origin } = await serve((request, response) => {
      request.setEncoding('utf8').on('data', (chunk) => seen.push(request.headers['content-length'], chunk));
      request.on('end', () => response.writeHead(204).end());
    });
    await clientOf(origin).boards.delete('brd_1', { move_to_board_id: 'brd_ä' });
    expect(seen).toEqual(['29', '{"move_to_board_id":"brd_ä"}']);
  });

  test('encodes header values the same way whether or not the request has a body', async () => {
    const seen: unknown[] = [];
    const { origin } = await serve((request, response) => {
      seen.push(request.method, request.headers['x-team']);
      response.end(record);
    });
    const client = clientOf(origin, {}, { headers: { 'x-team': 'Äpfel' } });
    await client.organization.get();
    await client.raw('POST', '/teams', { body: { name: 'Äpfel' } });
    expect(seen).toEqual(['GET', 'Äpfel', 'POST', 'Äpfel']);
  });

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ])('requests and decodes the "%s" encoding', async (coding, compress) => {
    const acceptedEncodings: unknown[] = [];
    const { origin } = await serve((request, response) => {
      acceptedEncodings.push(request.headers['accept-encoding']);
      response.writeHead(200, { 'content-encoding': coding }).end(compress(record));
    });
    expect(await clientOf(origin).organization.get()).toEqual(organization);
    expect(acceptedEncodings).toEqual(['gzip, br']);
  });

  test.each<[coding: string, compress: (text: string) => Buffer]>([
    ['deflate', deflateSync],
    ['gzip, br', (text) => brotliCompressSync(gzipSync(text))],
    ['BR,identity,deflate', (text) => deflateSync(brotliCompressSync(text))],
  ])(`decodes the "%s" encoding even if it wasn't requested`, async (coding, compress) => {
    const { origin } = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': coding }).end(compress(record));
    });
    expect(await clientOf(origin).organization.get()).toEqual(organization);
  });

  test.each([['zstd'], ['gzip, zstd'], ['constructor'], ['gzip, gzip, gzip, gzip, gzip, gzip']])(
    'throws an error that names the unsupported "%s" encoding',
    async (coding) => {
      const { origin } = await serve((_, response) => {
        response.writeHead(200, { 'content-encoding': coding }).end('x');
      });
      const error = await clientOf(origin)
        .organization.get()
        .catch((caught) => caught);
      expect(error).toBeInstanceOf(ConnectionError);
      expect(error.message).toContain(`unsupported content-encoding "${coding}"`);
    },
  );

  test('sends a custom accept-encoding header unchanged', async () => {
    const seen: unknown[] = [];
    const { origin } = await serve((request, response) => {
      seen.push(request.headers['accept-encoding']);
      response.end(record);
    });
    await clientOf(origin, {}, { headers: { 'Accept-Encoding': 'identity' } }).organization.get();
    expect(seen).toEqual(['identity']);
  });

  test("closes the connection, and the call fails, if the body can't be decompressed", async () => {
    const { origin, closed } = await serve((_, response) => {
      // The response never ends, so only the client can close the connection.
      response.writeHead(200, { 'content-encoding': 'gzip' }).write('no gzip');
    });
    await expect(clientOf(origin).organization.get()).rejects.toMatchObject({
      name: 'ConnectionError',
      outcome: 'done',
    });
    await closed;
  });

  test("cancels a request whose signal aborts with a reason that can't be converted to a string", async () => {
    const controller = new AbortController();
    const reason = Object.create(null);
    const { origin } = await serve(() => controller.abort(reason));
    await expect(clientOf(origin).organization.get({ signal: controller.signal })).rejects.toMatchObject({
      name: 'RequestAbortedError',
      outcome: 'unknown',
      cause: reason,
    });
  });

  test("makes queued calls fail with a ConnectionError when it's closed", async () => {
    let requests = 0;
    const fetch = nodeFetch({ maxSockets: 1 });
    const { origin } = await serve((_, response) => {
      if (requests++) response.end(record);
      else fetch.close();
    });
    const client = clientOf(origin, {}, { fetch });
    const ends = await Promise.allSettled([1, 2, 3].map(() => client.organization.get()));
    expect(ends).toMatchObject(Array(3).fill({ reason: { name: 'ConnectionError' } }));
    expect(requests).toBe(1);
  });

  test('can connect to more than one server, and never sends URL fragments', async () => {
    const paths: unknown[] = [];
    const listener: RequestListener = ({ url }, response) => {
      paths.push(url);
      response.end('{}');
    };
    const servers = [await serve(listener), await serve(listener)];
    const fetch = nodeFetch();
    onTestFinished(() => fetch.close());
    for (const [index, { origin }] of [...servers, ...servers].entries()) {
      const client = new Worktrack({ baseUrl: origin, token: 'secret', fetch });
      await client.raw('GET', `/calls/${index}?page=2#top`);
    }
    expect(paths).toEqual([0, 1, 2, 3].map((index) => `/api/v1/calls/${index}?page=2`));
    expect(servers.map(({ connections }) => connections())).toEqual([1, 1]);
  });

  test('returns every response header, even if a name occurs more than once', async () => {
    const { origin } = await serve((_, response) => {
      response.writeHead(200, { 'x-request-id': 'req_1', 'set-cookie': ['a=1', 'b=2'] }).end(record);
    });
    const { headers, requestId } = await clientOf(origin).organization.get().withResponse();
    expect(requestId).toBe('req_1');
    expect(headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  });

  test('accepts agent options, such as a certificate authority', async () => {
    const { origin } = await serve((_, response) => response.end(record), { secure: true });
    expect(await clientOf(origin, { ca: tls('certificate') }).organization.get()).toEqual(organization);
    await expect(clientOf(origin).organization.get()).rejects.toMatchObject({
      name: 'ConnectionError',
      outcome: 'not_sent',
    });
  });

  test('connects to an IPv6 host', async (context) => {
    const server = createServer((_, response) => response.end(record));
    const bound = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(0, '::1', () => resolve(true));
    });
    if (!bound) return context.skip('this machine has no IPv6 loopback');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    expect(await clientOf(`http://[::1]:${port}`).organization.get()).toEqual(organization);
  });
});

describe('nodeFetch() connections', () => {
  /** Responds to the first request on each connection, and resets the connection on the second. */
  async function serveOncePerConnection(headers: Record<string, string>) {
    const used = new WeakSet<object>();
    const { origin } = await serve((request, response) => {
      if (used.has(request.socket)) return void request.socket.destroy();
      used.add(request.socket);
      response.writeHead(200, { connection: 'keep-alive', ...headers }).end(record);
    });
    return new Worktrack({
      baseUrl: origin,
      token: 'wt_1',
      responseValidation: 'off',
      retry: 0,
      fetch: nodeFetch(),
    });
  }

  test("aren't reused for a POST if the server doesn't send a Keep-Alive header", async () => {
    const client = await serveOncePerConnection({});
    for (let index = 0; index < 5; index++) {
      await client.tickets.create('p', { board_id: 'b', title: 'T' });
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  });

  test('are reused for a POST if the server sends a Keep-Alive header', async () => {
    const client = await serveOncePerConnection({ 'keep-alive': 'timeout=5' });
    await client.tickets.create('p', { board_id: 'b', title: 'T' });
    await new Promise((resolve) => setTimeout(resolve, 5));
    await expect(client.tickets.create('p', { board_id: 'b', title: 'T' })).rejects.toMatchObject({
      name: 'ConnectionError',
      outcome: 'unknown',
    });
  });

  test('never send a transfer-encoding header that a hook adds', async () => {
    let sent: unknown;
    const { origin } = await serve((request, response) => {
      sent = request.headers;
      request.resume().on('end', () => response.writeHead(200).end(record));
    });
    const client = new Worktrack({
      baseUrl: origin,
      token: 'wt_1',
      responseValidation: 'off',
      fetch: nodeFetch(),
      hooks: { request: ({ headers }) => headers.set('transfer-encoding', 'chunked') },
    });
    await client.tickets.create('p', { board_id: 'b', title: 'T' });
    expect(sent).toMatchObject({ 'content-length': '28' });
    expect(sent).not.toHaveProperty('transfer-encoding');
  });
});
