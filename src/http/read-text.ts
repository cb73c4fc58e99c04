import type { Cancellation, ReadText } from '../transport.js';
import { onAbort } from './on-abort.js';

/**
 * Reads the body of a fetch response as UTF-8, and keeps what was read if it's cut off.
 *
 * @param maxBytes the number of bytes after which the rest isn't read
 */
export async function readText(
  response: Response,
  cancellation: Cancellation,
  maxBytes = Number.POSITIVE_INFINITY,
): Promise<ReadText> {
  if (!response.body) return { text: '' };
  // A fetch such as node-fetch's has Node.js streams as bodies.
  if (!('getReader' in response.body)) return { text: await response.text() };
  const reader = response.body.getReader();
  // Ends a pending read, even of a body that ignores the signal, and closes the connection.
  const cancel = () => reader.cancel().catch(() => {});
  const removeListener = onAbort(cancellation, cancel);
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    while (size < maxBytes) {
      const { done, value } = await reader.read();
      if (cancellation.aborted) return { text: decode(chunks), failure: cancellation.reason };
      if (done) return { text: decode(chunks) };
      size += value.byteLength;
      chunks.push(value);
    }
    cancel();
    return { text: decode(chunks) };
  } catch (failure) {
    return { text: decode(chunks), failure };
  } finally {
    removeListener();
  }
}

/** Most bodies come in one chunk, which decodes several times faster than a stream of chunks. */
function decode(chunks: readonly Uint8Array[]): string {
  const decoder = new TextDecoder();
  const [first] = chunks;
  if (chunks.length < 2) return decoder.decode(first);
  const texts = chunks.map((chunk) => decoder.decode(chunk, { stream: true }));
  return texts.join('') + decoder.decode();
}
