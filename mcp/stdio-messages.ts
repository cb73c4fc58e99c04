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
  reject: (code: number, message: string) => void,
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

function problemOf(line: Buffer | undefined): [code: number, message: string] | undefined {
  if (!line) return [-32_600, `Invalid request: the message is larger than ${maxMessageBytes} bytes`];
  const text = line.toString();
  if (text.trim() === '') return undefined;
  try {
    const { jsonrpc } = (JSON.parse(text) ?? {}) as { jsonrpc?: unknown };
    return jsonrpc === '2.0' ? undefined : [-32_600, 'Invalid request: the message is not JSON-RPC 2.0'];
  } catch {
    return [-32_700, 'Parse error: the message is not valid JSON'];
  }
}
