import { createMcpHandler as createSdkHandler } from '@modelcontextprotocol/server';
import { checkMcpOptions, type McpOptions, serverParts } from '../options.js';
import { createServer } from '../server.js';
import { createGuard, type GuardOptions, guardFields } from './guard.js';

/** Options of {@link createMcpHandler}. */
export interface McpHandlerOptions extends McpOptions, GuardOptions {}

/** An MCP server over streamable HTTP. */
export interface McpHandler {
  /** Responds to a request on any path. */
  fetch(request: Request): Promise<Response>;
  /** Closes all open streams. */
  close(): Promise<void>;
}

/**
 * Creates an MCP server over streamable HTTP, for any runtime with `fetch` handlers. It keeps no sessions, so
 * several processes can serve one URL.
 *
 * @throws TypeError if the token is too short, an origin or host is malformed, or a scope or tool is unknown
 * @throws ConfigurationError if the client's options are incomplete
 *
 * @example
 * ```ts
 * const mcp = createMcpHandler({ token: process.env.MCP_TOKEN, allowedHosts: ['mcp.example.com'] });
 * export default { fetch: mcp.fetch };
 * ```
 */
export function createMcpHandler(options: McpHandlerOptions): McpHandler {
  checkMcpOptions('createMcpHandler', options, guardFields);
  const guard = createGuard(options);
  // Derived from the token, so that other processes that serve the same URL accept confirmations signed here.
  const parts = serverParts(options, `worktrack mcp confirmation ${options.token}`);
  const handler = createSdkHandler(() => createServer(parts), {
    onerror: parts.log,
    maxRequestBodySize: maxBody,
  });
  return {
    fetch: (request) => guard(request, () => handler.fetch(request)),
    close: () => handler.close(),
  };
}

/** Enough for the largest document: a million characters of up to four bytes each, some of them escaped. */
const maxBody = 8 * 1024 * 1024;
