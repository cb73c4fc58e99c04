import { createMcpHandler as createSdkHandler } from '@modelcontextprotocol/server';
import { checkMcpOptions, type McpOptions, serverParts } from '../options.js';
import { createServer } from '../server.js';
import { createGuard, guardFields, type HttpSecurityOptions } from './guard.js';

/** Options for {@link createMcpHandler}. */
export interface McpHandlerOptions extends McpOptions, HttpSecurityOptions {}

/** An MCP server that uses the Streamable HTTP transport. */
export interface McpHandler {
  /** Handles a request. The path is ignored. */
  fetch(request: Request): Promise<Response>;
  /** Closes all open streams. */
  close(): Promise<void>;
}

/**
 * Creates an MCP server that uses the Streamable HTTP transport. It works in any runtime that supports
 * `fetch` handlers. The server is stateless, so several processes can serve the same URL.
 *
 * @throws TypeError if an option is unknown or invalid, for example if `authToken` is too short
 * @throws ConfigurationError if a required client option is missing
 *
 * @example
 * ```ts
 * const mcp = createMcpHandler({ authToken: process.env.MCP_TOKEN, allowedHosts: ['mcp.example.com'] });
 * export default { fetch: mcp.fetch };
 * ```
 */
export function createMcpHandler(options: McpHandlerOptions): McpHandler {
  checkMcpOptions('createMcpHandler', options, guardFields);
  const guard = createGuard(options);
  const parts = serverParts(options);
  const handler = createSdkHandler(({ era }) => createServer(parts, era === 'legacy'), {
    onerror: parts.log,
    maxRequestBodySize: maxBody,
  });
  return {
    fetch: (request) => guard(request, () => handler.fetch(request)),
    close: () => handler.close(),
  };
}

/**
 * Large enough for the longest document: a million characters of up to four bytes each, some of them escaped.
 */
const maxBody = 8 * 1024 * 1024;
