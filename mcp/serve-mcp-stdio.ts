import { Readable } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { checkMcpOptions, type McpOptions, serverParts } from './options.js';
import { createServer } from './server.js';
import { maxMessageBytes, readMessages } from './stdio-messages.js';

/**
 * Serves MCP over standard input and output until the client closes the connection. Until then, don't write
 * anything else to standard output.
 *
 * @throws TypeError if an option is unknown or invalid
 * @throws ConfigurationError if a required client option is missing
 */
export async function serveMcpStdio(options: McpOptions = {}): Promise<void> {
  checkMcpOptions('serveMcpStdio', options);
  const parts = serverParts(options);
  const input = Readable.from(readMessages(process.stdin, respondWithError), { objectMode: false });
  const transport = new StdioServerTransport(input, process.stdout, { maxBufferSize: 2 * maxMessageBytes });
  const handle = serveStdio(() => createServer(parts), { onerror: parts.log, transport });
  await new Promise<void>((resolve) => {
    input.once('end', resolve);
    input.once('close', resolve);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  await handle.close();
}

/** Responds to a message that has no readable ID. */
function respondWithError(code: number, message: string): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } })}\n`);
}
