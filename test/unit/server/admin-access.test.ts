import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import type { ListenOptions } from 'worktrack/mock-server/node';
import { AdminAccess, isLoopback } from '../../../mock-server/node/admin/access.js';
import { serve } from './support/listening.js';

async function serveRaw(options: ListenOptions = {}) {
  const server = await serve(options);
  const { port } = new URL(server.url);
  /** Sends a request with exactly this path and these headers, even ones that fetch doesn't allow. */
  const send = async (path: string, headers: Record<string, string>, method = 'GET') => {
    const sending = request({ host: '127.0.0.1', port, path, method, headers }).end();
    const [response] = (await once(sending, 'response')) as [IncomingMessage];
    return { status: response.statusCode, headers: response.headers, text: await text(response) };
  };
  return { ...server, send, port };
}

describe('admin routes on loopback', () => {
  test.each([
    ['GET', '/__admin/state'],
    ['GET', '/__admin/credentials'],
    ['GET', '/__admin/requests'],
    ['GET', '/__admin/events'],
    ['POST', '/__admin/faults'],
    ['POST', '/__admin/reset'],
    ['OPTIONS', '/__admin/reset'],
    ['GET', '/spaces/mine/__admin/state'],
  ])('reject requests from another origin: %s %s', async (method, path) => {
    const { send, createSpace } = await serveRaw();
    createSpace('mine');

    for (const origin of ['https://evil.example', 'http://localhost:5173', 'null']) {
      const response = await send(path, { origin, 'access-control-request-method': 'POST' }, method);

      expect(response.status).toBe(403);
      expect(response.headers).not.toHaveProperty('access-control-allow-origin');
      expect(response.text).not.toContain('wt_ci');
    }
  });

  test('reject DNS rebinding attacks, in which a website points its own host name at a loopback address', async () => {
    const { send, port } = await serveRaw();
    const host = `rebound.evil.example:${port}`;

    const response = await send('/__admin/state', { host, origin: `http://${host}` });

    expect(response.status).toBe(403);
    expect(response.text).toContain("Admin routes don't accept the host name");
  });

  test('reject requests from scripts and frames on other sites but accept links', async () => {
    const { send } = await serveRaw();
    const crossSite = { 'sec-fetch-site': 'cross-site' };

    for (const headers of [
      { 'sec-fetch-dest': 'script' },
      { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
      { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'document' },
    ]) {
      const response = await send('/__admin/state', { ...crossSite, ...headers } as Record<string, string>);
      expect(response.status).toBe(403);
      expect(response.text).toContain('Admin routes are available only to pages from the same origin.');
    }
    const link = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    expect((await send('/__admin/', { ...crossSite, ...link })).status).toBe(200);
  });

  test('accept requests from programs and from same-origin pages', async () => {
    const { send, url, port, adminToken } = await serveRaw();

    expect(adminToken).toBeUndefined();
    for (const headers of [
      {},
      { host: `localhost:${port}` },
      { origin: url, 'sec-fetch-site': 'same-origin' },
      // Browsers don't send `Origin` with most GET requests from same-origin pages.
      { 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'none' },
    ]) {
      expect((await send('/__admin/state', headers as Record<string, string>)).status).toBe(200);
    }
  });

  test("send responses that other origins can't embed, cache, or read", async () => {
    const { send } = await serveRaw();

    expect((await send('/__admin/state', {})).headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'content-security-policy': "frame-ancestors 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
  });

  test('require the admin token if one is configured', async () => {
    const { send, adminToken } = await serveRaw({ adminToken: 'a-long-secret' });

    expect(adminToken).toBe('a-long-secret');
    expect(await send('/__admin', {})).toMatchObject({
      status: 401,
      headers: { 'www-authenticate': 'Bearer' },
      text: expect.stringContaining('Send \\"Authorization: Bearer <admin token>\\".'),
    });
    for (const authorization of [
      'Bearer a-long-secre',
      'Bearer wt_ci',
      'Basic Bearer a-long-secret',
      'Bearer a-long-secret x',
    ]) {
      expect((await send('/__admin', { authorization })).status).toBe(401);
    }
    for (const authorization of ['Bearer a-long-secret', 'bearer  a-long-secret']) {
      expect((await send('/__admin', { authorization })).status).toBe(200);
    }
    const { status, headers } = await send('/__admin/unknown', { authorization: 'Bearer a-long-secret' });
    expect(status).toBe(404);
    expect(headers).not.toHaveProperty('www-authenticate');
  });
});

describe('a server that listens on all interfaces', () => {
  test('requires the admin token and accepts any host name for admin routes', async () => {
    const { send, adminToken, createSpace } = await serveRaw({ host: '0.0.0.0' });
    createSpace('mine');
    expect(adminToken).toMatch(/^[\w-]{32}$/);

    for (const path of ['/__admin/state', '/__admin/events', '/spaces/mine/__admin/state']) {
      expect((await send(path, {})).status).toBe(401);
    }
    const headers = { host: 'build-machine:4010', authorization: `Bearer ${adminToken}` };
    expect((await send('/__admin/state', headers)).status).toBe(200);
    expect((await send('/__admin/state', { ...headers, origin: 'http://evil.example' })).status).toBe(403);
  });

  test('requires the admin token even behind a proxy', async () => {
    const { send, adminToken } = await serveRaw({ publicUrl: 'https://mock.example.com' });

    expect((await send('/__admin', {})).status).toBe(401);
    const headers = { host: 'mock.example.com', authorization: `Bearer ${adminToken}` };
    expect((await send('/__admin', headers)).status).toBe(200);
    expect((await send('/__admin', { ...headers, origin: 'https://mock.example.com' })).status).toBe(200);
  });
});

test.each([
  ['127.0.0.1', true],
  ['127.8.9.10', true],
  ['127.10.100.1', true],
  ['::1', true],
  ['[::1]', true],
  ['LOCALHOST', true],
  ['app.localhost', true],
  ['::ffff:127.0.0.1', true],
  ['0.0.0.0', false],
  ['::', false],
  ['127.0.0.1.evil.example', false],
  ['1.127.0.0.1', false],
  ['localhost.evil.example', false],
  ['192.168.0.1', false],
])('isLoopback(%j) returns %j', (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});

test('AdminAccess accepts the host name that the server listens on', () => {
  const access = new AdminAccess({
    host: 'My-Machine',
    address: '127.0.1.1',
    publicUrl: undefined,
    token: undefined,
  });

  access.checkOrigin(new Headers({ host: 'my-machine:4010' }));
  expect(() => access.checkOrigin(new Headers({ host: 'other:4010' }))).toThrow('use 127.0.0.1 or localhost');
  expect(() => access.checkOrigin(new Headers({ host: 'x:99999' }))).toThrow('The Host header is invalid.');
  expect(() => access.checkOrigin(new Headers())).toThrow('The Host header is invalid.');
});

test.each([
  ['x:99999', 400],
  ['1.2.3.4.5', 400],
  ['[::1', undefined],
  ['a:b', undefined],
])('the server rejects or ignores the invalid Host header %s on any path', async (host, status) => {
  const { send, mock } = await serveRaw();

  for (const path of ['/api/v1/tickets/tkt_1', '/__admin/state', '//', '/../../__admin/state']) {
    const response = await send(path, { host, authorization: 'Bearer wt_ci' });
    expect(response.status).toBeLessThan(500);
    if (status === undefined) continue;
    expect(response).toMatchObject({ status, headers: { 'content-type': 'application/json' } });
    expect(JSON.parse(response.text)).toEqual({ message: 'The Host header is invalid.' });
  }
  expect((await send('/__admin/requests', {})).status).toBe(200);
  expect(() => mock.requests.expect('tickets.get', { status: 999 })).toThrow(
    'Expected a tickets.get request',
  );
});
