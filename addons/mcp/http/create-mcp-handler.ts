import type { IncomingMessage, ServerResponse } from 'node:http';
import { createMcpHandler as createSdkHandler } from '@modelcontextprotocol/server';
import { toNodeHandler } from 'srvx/node';
import type { Worktrack } from '../../../src/index.js';
import { checkMcpOptions, type McpOptions, serverParts } from '../options.js';
import { maxMessageBytes } from '../serve-mcp-stdio.js';
import { createServer } from '../server.js';
import { createGuard, guardFields, type HttpSecurityOptions } from './guard.js';

/** Options for {@link createMcpHandler}. */
export interface McpHandlerOptions extends McpOptions, HttpSecurityOptions {}

/** An MCP server that uses the Streamable HTTP transport. */
export interface McpHandler {
  /** Handles a request. All paths are equivalent, except the path of the resource metadata. */
  fetch(request: Request): Promise<Response>;
  /** Handles a request from Express or a Node.js HTTP server, such as `http.createServer(mcp.node)`. */
  node(request: IncomingMessage, response: ServerResponse): void;
  /** Closes all open streams. */
  close(): Promise<void>;
}

/**
 * Creates an MCP server that uses the Streamable HTTP transport. It works in Node.js and in other runtimes that
 * provide its built-in modules. If you set `confirmations`, several processes can serve the same URL. The
 * cursors of `changes_since` are valid only in the process that created them.
 *
 * @throws TypeError if an option is unknown or invalid, for example if `authToken` is too short
 * @throws ConfigurationError if a required client option is missing
 *
 * @example
 * ```ts
 * const mcp = createMcpHandler({
 *   authenticate: async (request) => clientOfUser(await verify(request.headers.get('authorization'))),
 *   allowedHosts: ['mcp.example.com'],
 * });
 * export default { fetch: mcp.fetch };
 * ```
 */
export function createMcpHandler(options: McpHandlerOptions): McpHandler {
  checkMcpOptions('createMcpHandler', options, guardFields);
  const guard = createGuard(options);
  const parts = serverParts(options);
  const handler = createSdkHandler(
    ({ era, authInfo }) => {
      const client = authInfo?.extra?.client as Worktrack | undefined;
      const caller = client && { client: () => client, user: authInfo?.clientId };
      return createServer({ ...parts, ...caller }, era === 'legacy');
    },
    { onerror: parts.log, maxRequestBodySize: maxMessageBytes },
  );
  const fetch: McpHandler['fetch'] = (request) =>
    guard(request, (caller) =>
      handler.fetch(
        request,
        caller && {
          authInfo: { token: '', scopes: [], clientId: caller.user, extra: { client: caller.client } },
        },
      ),
    );
  return { fetch, node: toNodeHandler(fetch) as McpHandler['node'], close: () => handler.close() };
}
