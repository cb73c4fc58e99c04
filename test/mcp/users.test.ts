import { createServer } from 'node:http';
import { join } from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, inject, onTestFinished, test } from 'vitest';
import { createMcpHandler, type McpCall, type McpHandlerOptions } from 'worktrack/mcp';
import { listen } from 'worktrack/mock-server/node';
import { apolloWorld } from '../../docs/.vitepress/content/world.js';
import { listenOnLoopback } from '../support/loopback.js';
import {
  addUsers,
  apollo,
  asking,
  callTool,
  confirmed,
  httpTransport,
  newClient,
  type ProtocolVersion,
  protocols,
  respondWith,
} from './support/connect.js';

const resource = {
  url: 'http://127.0.0.1/mcp',
  authorizationServers: ['https://login.example.com'],
  scopes: ['tickets:read'],
};

/** Starts a server where Ada and Bob have their own tokens for MCP and for the API. */
async function start(options: Partial<McpHandlerOptions> = {}) {
  const mock = apollo();
  const users = addUsers(mock, ['ada', 'bob']);
  const calls: McpCall[] = [];
  const handler = createMcpHandler({
    authenticate: async ({ headers }) => users.get(headers.get('authorization') ?? ''),
    resource,
    write: true,
    onCall: (call) => calls.push(call),
    ...options,
  });
  const server = createServer(handler.node);
  const url = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  const connect = async (user: string, era: ProtocolVersion = '2026') => {
    const client = newClient(era, asking);
    onTestFinished(() => client.close());
    await client.connect(httpTransport(`${url}/mcp`, fetch, `token-of-${user}`));
    return client;
  };
  return { mock, users, calls, url, connect };
}

test.each(protocols)(
  'two %s clients with different tokens use different credentials to call the API',
  async (era) => {
    const { mock, calls, connect } = await start();
    const clients = await Promise.all(
      ['ada', 'bob'].map(async (user) => [user, await connect(user, era)] as const),
    );
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => {
        const [user, client] = clients[index % 2] as (typeof clients)[number];
        return callTool(client, 'tickets_comments_create', { ticket: 'tkt_radio', body: `${user} ${index}` });
      }),
    );
    const requests = mock.requests.for('tickets.comments.create');
    expect(requests).toHaveLength(20);
    for (const { credential, body } of requests) {
      expect((body as { body_html: string }).body_html).toContain(`<p>${credential} `);
    }
    expect(calls.filter(({ user }) => user === 'ada')).toHaveLength(10);
    expect(calls.filter(({ user }) => user === 'bob')).toHaveLength(10);
  },
);

test('a stdio server calls the API with the token from its environment', { timeout: 60_000 }, async () => {
  const server = await listen({ world: apolloWorld });
  onTestFinished(() => server.close());
  const { token } = server.mock.credentials.add({ name: 'ada' });
  const env = {
    WORKTRACK_BASE_URL: server.url,
    WORKTRACK_ORGANIZATION: 'org_acme',
    WORKTRACK_TOKEN: token,
    PATH: process.env.PATH ?? '',
  };
  const args = [join(inject('programs'), 'worktrack.mjs'), 'mcp', '--write'];
  const client = newClient('2025');
  onTestFinished(() => client.close());
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
  await callTool(client, 'tickets_comments_create', { ticket: 'tkt_radio', body: 'x' });
  expect(server.mock.requests.last('tickets.comments.create')?.credential).toBe('ada');
});

test("a user can't use another user's changes_since cursor", async () => {
  const { connect } = await start();
  const [ada, bob] = [await connect('ada'), await connect('bob')];
  const { text } = await callTool(ada, 'changes_since', { project: 'APO' });
  const since = /since=(\S+)/.exec(text)?.[1];
  expect((await callTool(bob, 'changes_since', { project: 'APO', since })).text).toContain('current cursor');
  expect((await callTool(ada, 'changes_since', { project: 'APO', since })).text).toContain('0 changes');
});

test('a request without a valid token gets an authentication challenge that links to the resource metadata', async () => {
  const { url } = await start();
  const post = (headers: Record<string, string>) =>
    fetch(`${url}/mcp`, { method: 'POST', headers, body: '{}' });
  const metadata = 'resource_metadata="http://127.0.0.1/.well-known/oauth-protected-resource/mcp"';
  const missing = await post({});
  expect(missing.status).toBe(401);
  expect(missing.headers.get('www-authenticate')).toBe(`Bearer ${metadata}`);
  const invalid = await post({ authorization: 'Bearer token-of-eve' });
  expect(invalid.headers.get('www-authenticate')).toBe(`Bearer error="invalid_token", ${metadata}`);
  const response = await fetch(`${url}/.well-known/oauth-protected-resource/mcp`);
  expect(await response.json()).toEqual({
    resource: 'http://127.0.0.1/mcp',
    authorization_servers: ['https://login.example.com'],
    scopes_supported: ['tickets:read'],
    bearer_methods_supported: ['header'],
  });
});

test('onCall receives the user, the tool, a digest of the arguments, and the outcome', async () => {
  const { calls, connect } = await start({ tools: ['tickets_delete', 'tickets_get'] });
  const ada = await connect('ada');
  respondWith(ada, confirmed);
  await callTool(ada, 'tickets_delete', { ticket: 'tkt_radio' });
  await callTool(ada, 'tickets_get', { ticket: 'tkt_radio' });
  await callTool(ada, 'projects_delete', { project: 'APO' });
  expect(calls.map(({ user, tool, outcome }) => `${user} ${tool} ${outcome}`)).toEqual([
    'ada tickets_delete asked',
    'ada tickets_delete done',
    'ada tickets_get failed',
    'ada projects_delete failed',
  ]);
  expect(calls[0]?.argumentsDigest).toMatch(/^[0-9a-f]{64}$/);
  expect(JSON.stringify(calls)).not.toContain('tkt_radio');
});
