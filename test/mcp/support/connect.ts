import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';
import { createMcpHandler, type McpHandlerOptions } from 'worktrack/mcp';
import { createMockServer, type MockServer, type World } from 'worktrack/mock-server';
import { apolloNow, apolloWorld } from '../../../docs/.vitepress/content/world.js';

export const bearer = 'a-bearer-token-that-only-these-tests-have';

/** The two protocol versions that clients use today. */
export const protocolVersions = { '2025': 'legacy', '2026': { pin: '2026-07-28' } } as const;

export type ProtocolVersion = keyof typeof protocolVersions;

export const apollo = (world: World = apolloWorld): MockServer => createMockServer({ now: apolloNow, world });

export interface Session {
  client: Client;
  mock: MockServer;
  /** Calls a tool and returns the result's text. */
  call(name: string, args?: Record<string, unknown>): Promise<{ text: string; isError: boolean }>;
}

/** Connects the official client to a handler without using the network. */
export async function connect(
  options: Partial<McpHandlerOptions> = {},
  {
    protocol: era = '2025',
    client: clientOptions,
  }: { protocol?: ProtocolVersion; client?: ClientOptions } = {},
): Promise<Session> {
  const mock = options.mock ?? apollo();
  const handler = createMcpHandler({ authToken: bearer, mock, mockTools: true, ...options });
  const client = newClient(era, clientOptions);
  await client.connect(
    httpTransport('http://localhost/mcp', (url, init) => handler.fetch(new Request(url, init))),
  );
  onTestFinished(() => client.close());
  return { client, mock, call: (name, args) => callTool(client, name, args) };
}

export const newClient = (era: ProtocolVersion, options: ClientOptions = {}): Client =>
  new Client(
    { name: 'test', version: '1.0.0' },
    { ...options, versionNegotiation: { mode: protocolVersions[era] } },
  );

export const httpTransport = (url: string, send: typeof fetch = fetch): StreamableHTTPClientTransport =>
  new StreamableHTTPClientTransport(new URL(url), {
    fetch: send as never,
    requestInit: { headers: { authorization: `Bearer ${bearer}` } },
  });

export async function callTool(client: Client, name: string, args: Record<string, unknown> = {}) {
  const { content, isError = false } = await client.callTool({ name, arguments: args });
  const [part, ...others] = content;
  if (part?.type !== 'text' || others.length > 0) throw new Error(`${name}: the result isn't one text part`);
  return { text: part.text, isError };
}
