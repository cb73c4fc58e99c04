import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { checkMcpOptions, type McpOptions, serverParts } from './options.js';
import { createServer } from './server.js';

/**
 * Serves MCP over standard input and output until the client closes the connection. Until then, nothing else
 * may write to standard output.
 *
 * @throws TypeError if an option is unknown or invalid
 * @throws ConfigurationError if a required client option is missing
 */
export async function serveMcpStdio(options: McpOptions = {}): Promise<void> {
  checkMcpOptions('serveMcpStdio', options);
  const parts = serverParts(options);
  const handle = serveStdio(() => createServer(parts), { onerror: parts.log });
  await new Promise<void>((resolve) => {
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  await handle.close();
}
