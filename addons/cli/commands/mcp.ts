import { createServer } from 'node:http';
import { Command } from 'commander';
import { createMockServer } from '../../../mock-server/index.js';
import { bind } from '../../../mock-server/internal.js';
import type { Scope } from '../../../src/contract/index.js';
import { ConfigurationError } from '../../../src/index.js';
import type { McpHandler, McpOptions } from '../../mcp/index.js';
import { sampleWorld } from '../../mcp/mock/sample-world.js';
import { port, UsageError } from '../command-line.js';
import { addConnectionOptions, type ConnectionOptions, connectionOf, toUsageError } from '../connection.js';
import type { CommandContext } from '../context.js';
import { readOptionFile } from '../files.js';

export function createCommand(context: CommandContext): Command {
  const command = new Command('mcp')
    .description('Start an MCP server for AI agents on standard input and output.')
    .option('--write', 'Also offer tools that change data (default: read-only tools)')
    .option('--scopes <list>', 'Offer only tools covered by these scopes, such as tickets:read,tickets:write')
    .option('--tools <list>', 'Offer only these tools, such as tickets_list,tickets_get or tickets_*')
    .option(
      '--allow-destructive',
      "Allow deletions, notifications, and edits that remove formatting even if the MCP client can't ask the user for confirmation",
    )
    .option('--mock', 'Use an in-memory mock server')
    .option(
      '--mock-tools',
      "With --mock, also offer tools that control the mock server's data, faults, and clock",
    )
    .option(
      '--http <port>',
      'Serve HTTP on 127.0.0.1 instead of standard input and output; requires MCP_TOKEN, the bearer token that clients must send',
      port,
    )
    .option('--seed <file>', 'JSON file with seed data for the mock server (default: a sample team)')
    .addHelpText('after', examples)
    .action((options: Flags) => serve(options, context));
  return addConnectionOptions(command);
}

interface Flags extends ConnectionOptions {
  write?: boolean;
  scopes?: string;
  tools?: string;
  allowDestructive?: boolean;
  mock?: boolean;
  mockTools?: boolean;
  seed?: string;
  http?: number;
}

async function serve(flags: Flags, context: CommandContext): Promise<void> {
  const { write, scopes, tools, allowDestructive } = flags;
  if (allowDestructive && !write) throw new UsageError('--allow-destructive requires --write');
  const options: McpOptions = {
    write,
    scopes: listOf(scopes) as Scope[] | undefined,
    tools: listOf(tools),
    allowDestructive,
    ...(flags.mock ? await mockOptions(flags, context) : clientOptions(flags, context)),
    onError: (error) =>
      context.printError(`worktrack mcp: ${error instanceof Error ? error.message : error}`),
  };
  // Standard output is reserved for MCP messages.
  for (const method of ['log', 'info', 'debug'] as const) console[method] = console.error;
  const { createMcpHandler, serveMcpStdio } = await import('worktrack/mcp');
  try {
    if (flags.http === undefined) await serveMcpStdio(options);
    else await serveHttp(createMcpHandler({ ...options, authToken: mcpToken(context) }), flags.http, context);
  } catch (error) {
    if (error instanceof TypeError || error instanceof ConfigurationError) throw toUsageError(error, flags);
    throw error;
  }
}

function mcpToken({ env }: CommandContext): string {
  const token = env.MCP_TOKEN;
  if (token && token.length >= 32) return token;
  throw new UsageError(
    '--http requires MCP_TOKEN, a token of at least 32 characters; create one with "openssl rand -hex 32"',
  );
}

/** Serves HTTP until the process is interrupted. */
async function serveHttp(handler: McpHandler, port: number, context: CommandContext): Promise<void> {
  const server = createServer(handler.node);
  const { url } = await bind(server, port, '127.0.0.1').catch((error: Error) => {
    throw new UsageError(`--http: ${error.message.replace(/\.$/, '')}`);
  });
  context.printError(`worktrack mcp: listening on ${url}/mcp`);
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  server.closeAllConnections();
  server.close();
  await handler.close();
}

const listOf = (text: string | undefined) =>
  text
    ?.split(',')
    .map((name) => name.trim())
    .filter(Boolean);

async function mockOptions(
  { seed, mockTools, baseUrl, organization, allowPlainHttp }: Flags,
  { env }: CommandContext,
) {
  if (env.WORKTRACK_TOKEN) {
    throw new UsageError('--mock cannot be combined with a credential; unset WORKTRACK_TOKEN or omit --mock');
  }
  if (baseUrl !== undefined || organization !== undefined || allowPlainHttp) {
    throw new UsageError('--mock cannot be combined with --base-url, --organization, or --allow-plain-http');
  }
  const world = seed === undefined ? sampleWorld : await readOptionFile('--seed', seed);
  return { mock: createMockServer({ world, now: 'real' }), mockTools };
}

function clientOptions({ seed, mockTools, ...flags }: Flags, { env, client }: CommandContext) {
  if (mockTools) throw new UsageError('--mock-tools requires --mock');
  if (seed !== undefined) throw new UsageError('--seed requires --mock');
  const token = env.WORKTRACK_TOKEN;
  if (!token)
    throw new UsageError('missing token; set WORKTRACK_TOKEN, or pass --mock to run without an account');
  return {
    client: { token, ...connectionOf(flags, env), ...client },
  };
}

const examples = `
Configure your MCP client to run this command with WORKTRACK_BASE_URL, WORKTRACK_TOKEN, and
WORKTRACK_ORGANIZATION set in the environment. There is no --token option because other users could see the
token.

Examples:
  worktrack mcp                                    read-only tools for the deployment
  worktrack mcp --write --tools tickets_*          tools that read and change tickets
  worktrack mcp --http 3000                        the read-only tools over HTTP, for clients on this machine
  worktrack mcp --mock --write                     a sample team in memory, for developing agents

Exit codes:
  0  the client closed the connection, or the HTTP server was stopped by a signal
  2  invalid command line or missing configuration`;
