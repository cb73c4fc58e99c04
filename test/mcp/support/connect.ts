import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, onTestFinished } from 'vitest';
import { createMcpHandler, type McpHandler, type McpHandlerOptions } from 'worktrack/mcp';
import { createMockServer, type MockServer, type World } from 'worktrack/mock-server';
import { apolloNow, apolloWorld } from '../../../docs/.vitepress/content/world.js';
import { connect as connectClient } from '../../support/clients.js';

export const bearer = 'a-bearer-token-that-only-these-tests-have';

/** How clients choose the two protocol versions that are in use today. */
const protocolVersions = { '2025': 'legacy', '2026': { pin: '2026-07-28' } } as const;

export type ProtocolVersion = keyof typeof protocolVersions;

export const protocols = Object.keys(protocolVersions) as ProtocolVersion[];

export const apollo = (world: World = apolloWorld): MockServer => createMockServer({ now: apolloNow, world });

export interface Session {
  client: Client;
  mock: MockServer;
  /** Calls a tool and returns the result's text. */
  call(name: string, args?: Record<string, unknown>): Promise<{ text: string; isError: boolean }>;
}

/** The options of a client that can ask its user. */
export const asking: ClientOptions = { capabilities: { elicitation: { form: {} } } };

/** Responds to each question for the user, and returns the questions so far. */
export function respondWith(
  client: Client,
  response: { action: 'accept' | 'decline' | 'cancel'; content?: Record<string, boolean> },
): string[] {
  const questions: string[] = [];
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    questions.push(params.message);
    return response;
  });
  return questions;
}

export const confirmed = { action: 'accept', content: { confirm: true } } as const;

/** The result of a call that fails with a text that contains the given one. */
export const failed = (text: string) => ({ isError: true, text: expect.stringContaining(text) });

/** The result of a call that succeeds with a text that contains the given one. */
export const succeeded = (text: string) => ({ isError: false, text: expect.stringContaining(text) });

/** Connects the official client to a handler without using the network. */
export async function connect(
  options: Partial<McpHandlerOptions> = {},
  {
    protocol: era = '2025',
    client: clientOptions,
  }: { protocol?: ProtocolVersion; client?: ClientOptions } = {},
): Promise<Session> {
  const mock = options.mock ?? apollo();
  const handler = createMcpHandler({ authToken: bearer, mock, ...options });
  const client = newClient(era, clientOptions);
  await client.connect(localTransport(handler));
  onTestFinished(() => client.close());
  return { client, mock, call: (name, args) => callTool(client, name, args) };
}

export const newClient = (era: ProtocolVersion, options: ClientOptions = {}): Client =>
  new Client(
    { name: 'test', version: '1.0.0' },
    { ...options, versionNegotiation: { mode: protocolVersions[era] } },
  );

export const httpTransport = (url: string, send = fetch, token = bearer): StreamableHTTPClientTransport =>
  new StreamableHTTPClientTransport(new URL(url), {
    fetch: send as never,
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });

/** A transport that doesn't use the network. */
export const localTransport = ({ fetch }: Pick<McpHandler, 'fetch'>, token?: string) =>
  httpTransport('http://localhost/mcp', (url, init) => fetch(new Request(url, init)), token);

/**
 * Adds users to the mock server. Returns them keyed by their `Authorization` header, such as
 * `Bearer token-of-ada`.
 */
export const addUsers = (mock: MockServer, names: readonly string[]) =>
  new Map(
    names.map((user) => {
      const { token } = mock.credentials.add({ name: user });
      return [`Bearer token-of-${user}`, { user, client: connectClient(mock, { token }) }];
    }),
  );

export async function callTool(client: Client, name: string, args: Record<string, unknown> = {}) {
  const { content, isError = false } = await client.callTool({ name, arguments: args });
  const [part, ...others] = content;
  if (part?.type !== 'text' || others.length > 0) throw new Error(`${name}: the result isn't one text part`);
  return { text: part.text, isError };
}
