import { Readable } from 'node:stream';
import { parseJSONRPCMessage } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { checkMcpOptions, type McpOptions, serverParts } from './options.js';
import { createServer } from './server.js';

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
  // After a signal, the input may still be open, which would keep the process running.
  process.stdin.unref?.();
}

/** @param id the ID of the invalid message, if it has a readable one */
function respondWithError(code: number, message: string, id: string | number | null = null): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })}\n`);
}

/**
 * The maximum size of a message, in bytes. It's large enough for the longest document, even if all characters
 * are escaped.
 */
export const maxMessageBytes = 8 * 1024 * 1024;

/**
 * Yields the lines of the input that are JSON-RPC messages. The SDK ignores other lines, so a client would
 * wait for a response that never comes.
 *
 * @param reject called with a JSON-RPC error for every other line
 */
export async function* readMessages(
  input: AsyncIterable<Buffer>,
  reject: (...problem: Problem) => void,
): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = [];
  let size = 0;
  for await (const { piece, isEnd } of splitLines(input)) {
    size += piece.length;
    // Discard the rest of a message that is too long.
    if (size <= maxMessageBytes) pieces.push(piece);
    if (!isEnd) continue;
    const line = size > maxMessageBytes ? undefined : Buffer.concat(pieces);
    const problem = problemOf(line);
    if (problem) reject(...problem);
    else if (line) yield line;
    pieces = [];
    size = 0;
  }
}

/** Splits chunks at the line breaks. */
async function* splitLines(input: AsyncIterable<Buffer>): AsyncGenerator<{ piece: Buffer; isEnd: boolean }> {
  for await (const chunk of input) {
    for (let start = 0; start < chunk.length; ) {
      const newline = chunk.indexOf('\n', start);
      const end = newline < 0 ? chunk.length : newline + 1;
      yield { piece: chunk.subarray(start, end), isEnd: newline >= 0 };
      start = end;
    }
  }
}

type Problem = [code: number, message: string, id?: string | number];

function problemOf(line: Buffer | undefined): Problem | undefined {
  if (!line) return [-32_600, `Invalid request: the message is larger than ${maxMessageBytes} bytes`];
  const text = line.toString();
  if (text.trim() === '') return undefined;
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return [-32_700, 'Parse error: the message is not valid JSON'];
  }
  try {
    parseJSONRPCMessage(message);
    return undefined;
  } catch {
    return [-32_600, 'Invalid request: the message is not JSON-RPC 2.0', ...requestId(message)];
  }
}

/** Returns the ID of a request. The ID of a response was chosen by this server, so it can't be used. */
function requestId(message: unknown): [] | [string | number] {
  const { id, method } = Object(message) as { id?: unknown; method?: unknown };
  return method !== undefined && (typeof id === 'string' || typeof id === 'number') ? [id] : [];
}
