import { expect, test } from 'vitest';
import { createMcpHandler, type McpHandlerOptions } from 'worktrack/mcp';
import { apollo, bearer } from './support/connect.js';

const handler = (options: Partial<McpHandlerOptions> = {}) =>
  createMcpHandler({ authToken: bearer, mock: apollo(), onError: () => {}, ...options });

const listTools = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };

function post({
  headers = {},
  body = listTools,
  url = 'http://localhost/mcp',
}: {
  headers?: object;
  body?: unknown;
  url?: string;
} = {}) {
  const common = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    authorization: `Bearer ${bearer}`,
  };
  return new Request(url, {
    method: 'POST',
    headers: { ...common, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

test('a request with the correct bearer token succeeds', async () => {
  expect((await handler().fetch(post())).status).toBe(200);
  expect((await handler().fetch(post({ headers: { authorization: `bearer ${bearer}` } }))).status).toBe(200);
});

test.each([
  ['no token', ''],
  ['another token', 'Bearer another-token-of-more-than-32-characters'],
  ['a prefix of the token', `Bearer ${bearer.slice(0, -1)}`],
  ['the token with a suffix', `Bearer ${bearer}x`],
  ['another scheme', `Basic ${bearer}`],
  ['the API token', 'Bearer wt_example'],
])("a request with %s gets a 401 response that doesn't contain the token", async (_, authorization) => {
  const response = await handler().fetch(post({ headers: { authorization } }));
  expect(response.status).toBe(401);
  const isBearer = /^bearer/i.test(authorization);
  expect(response.headers.get('www-authenticate')).toBe(isBearer ? 'Bearer error="invalid_token"' : 'Bearer');
  const text = await response.text();
  expect(text).not.toContain(bearer);
  expect(text).not.toContain('wt_example');
});

test.each([
  'evil.example',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  'localhost@evil.example',
  'a b',
  '',
])('a request to the host %j is rejected to prevent DNS rebinding', async (host) => {
  expect((await handler().fetch(post({ headers: { host } }))).status).toBe(403);
});

test.each(['localhost:8080', '127.0.0.1:1', '[::1]:3000', 'LOCALHOST'])(
  'a request to the host %s succeeds',
  async (host) => {
    expect((await handler().fetch(post({ headers: { host } }))).status).toBe(200);
  },
);

test('allowedHosts replaces the default hosts', async () => {
  const served = handler({ allowedHosts: ['mcp.example.com'] });
  expect((await served.fetch(post({ url: 'https://mcp.example.com/mcp' }))).status).toBe(200);
  expect((await served.fetch(post())).status).toBe(403);
});

test.each(['https://evil.example', 'http://localhost:3000', 'null', 'https://app.example.com.evil.example'])(
  'a request from the origin %s is rejected even if it contains the token',
  async (origin) => {
    const served = handler({ allowedOrigins: ['https://app.example.com'] });
    const response = await served.fetch(post({ headers: { origin } }));
    expect(response.status).toBe(403);
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  },
);

test('a page from an allowed origin passes the preflight check, but it still needs the token', async () => {
  const served = handler({ allowedOrigins: ['https://app.example.com'] });
  const headers = { origin: 'https://app.example.com' };
  const preflight = await served.fetch(new Request('http://localhost/mcp', { method: 'OPTIONS', headers }));
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get('access-control-allow-headers')).toContain('authorization');
  const response = await served.fetch(post({ headers }));
  expect(response.status).toBe(200);
  expect(response.headers.get('access-control-allow-origin')).toBe('https://app.example.com');
  const unauthorized = await served.fetch(post({ headers: { ...headers, authorization: '' } }));
  expect(unauthorized.status).toBe(401);
});

test.each([
  ['invalid JSON', '{'],
  ['an empty batch', []],
  ['a batch of 1,000 requests', Array.from({ length: 1000 }, (_, id) => ({ ...listTools, id }))],
  ['a message without a method', { jsonrpc: '2.0', id: 1 }],
  ['null', null],
  ['a 9 MB body', { ...listTools, params: { padding: 'x'.repeat(9_000_000) } }],
])('%s is rejected with a protocol error', async (_, body) => {
  const response = await handler().fetch(post({ body }));
  expect(response.status).toBeGreaterThanOrEqual(400);
  expect(response.status).toBeLessThan(500);
  expect(await response.json()).toHaveProperty('error.code');
});

test.each([
  [{ authToken: 'short' }, /option "authToken" must be a bearer token of at least 32 characters$/],
  [
    { authToken: undefined },
    /set either "authToken" \(a bearer token .*one identity for all callers.*or "authenticate"/,
  ],
  [{ authenticate: () => undefined }, /set either "authToken"/],
  [
    { resource: { url: 'mcp.example.com', authorizationServers: [] } },
    /option "resource" must be an object with/,
  ],
  [{ confirmations: { key: 'short', isFirstUse: () => true } }, /option "confirmations" must be/],
  [{ allowedHots: [] }, /did you mean "allowedHosts"/],
  [{ allowedHosts: ['https://mcp.example.com'] }, /allowedHosts/],
  [{ allowedOrigins: ['app.example.com'] }, /allowedOrigins/],
  [{ allowedOrigins: ['*'] }, /allowedOrigins/],
  [{ client: {} }, /"client" and "mock" are mutually exclusive/],
  [{ tools: ['ticket_list'] }, /did you mean "tickets_list"/],
  [{ tools: ['tickets_create'] }, /requires write/],
  [{ tools: ['nothing_*'] }, /no tool matches/],
  [{ scopes: ['ticket:read'] }, /did you mean "tickets:read"/],
  [{ scopes: ['tickets:write'] }, /no tools are left/],
] as [Partial<McpHandlerOptions>, RegExp][])('createMcpHandler rejects %j', (options, message) => {
  expect(() => handler(options)).toThrow(message);
});
