import { createMcpHandler as createSdkHandler } from '@modelcontextprotocol/server';
import { checkMcpOptions, type McpOptions, serverParts } from '../options.js';
import { createServer } from '../server.js';
import { createGuard, type GuardOptions, guardFields } from './guard.js';

/** Options of {@link createMcpHandler}. */
export interface McpHandlerOptions extends McpOptions, GuardOptions {}

/** An MCP server over streamable HTTP. */
export interface McpHandler {
  /** Responds to a request, whatever its path. */
  fetch(request: Request): Promise<Response>;
  /** Ends the streams that are open. */
  close(): Promise<void>;
}

/**
 * Creates an MCP server over streamable HTTP, for any runtime with `fetch` handlers. It keeps no sessions, so
 * several processes can serve one URL.
 *
 * @throws TypeError for an unsafe token, a malformed origin or host, and for unknown scopes and tools
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
  // Another process that serves the same URL has the same token, and accepts confirmations signed here.
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

/** The largest document has a million characters, each of up to four bytes, some of them escaped. */
const maxBody = 8 * 1024 * 1024;
