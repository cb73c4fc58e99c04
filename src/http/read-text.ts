import type { Cancellation, ReadText } from '../transport.js';

/**
 * Reads a body as UTF-8, keeping what came when it is cut off.
 *
 * @param most bytes after which the rest is left unread
 */
export async function readText(
  response: Response,
  bounds: Cancellation,
  most = Number.POSITIVE_INFINITY,
): Promise<ReadText> {
  if (!response.body) return { text: '' };
  // Of a fetch such as node-fetch's, whose bodies are streams of another kind.
  if (!('getReader' in response.body)) return { text: await response.text() };
  const reader = response.body.getReader();
  // Ends a read that waits, also of a body that heeds no signal; at the end it closes the connection.
  const cancel = () => reader.cancel().catch(() => {});
  const leave = bounds.listen(cancel);
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    while (size < most) {
      const { done, value } = await reader.read();
      if (bounds.aborted) return { text: decode(chunks), failure: bounds.reason };
      if (done) return { text: decode(chunks) };
      size += value.byteLength;
      chunks.push(value);
    }
    cancel();
    return { text: decode(chunks) };
  } catch (failure) {
    return { text: decode(chunks), failure };
  } finally {
    leave();
  }
}

/** Most bodies come in one piece, which is decoded several times as fast as a stream of pieces is. */
function decode(chunks: readonly Uint8Array[]): string {
  const decoder = new TextDecoder();
  const [only] = chunks;
  if (chunks.length < 2) return decoder.decode(only);
  const texts = chunks.map((chunk) => decoder.decode(chunk, { stream: true }));
  return texts.join('') + decoder.decode();
}
