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
  if (!('getReader' in response.body)) return readNodeStream(response, maxBytes);
  const reader = response.body.getReader();
  // Ends a pending read, even of a body that ignores the signal, and closes the connection.
  const cancel = () => reader.cancel().catch(() => {});
  const removeListener = onAbort(cancellation, cancel);
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (cancellation.aborted) return { text: decode(chunks), failure: cancellation.reason };
      if (done) return { text: decode(chunks) };
      size += value.byteLength;
      chunks.push(value);
      if (size <= maxBytes) continue;
      cancel();
      return { text: decodeUpTo(maxBytes, chunks), isTooLong: true };
    }
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

/** The start of a long body serves as an error message. */
function decodeUpTo(maxBytes: number, chunks: Uint8Array[]): string {
  const size = chunks.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const last = chunks.pop() as Uint8Array;
  return decode([...chunks, last.subarray(0, last.byteLength - (size - maxBytes))]);
}

async function readNodeStream(response: Response, maxBytes: number): Promise<ReadText> {
  const body = response.body as unknown as AsyncIterable<Uint8Array>;
  if (!(Symbol.asyncIterator in body)) return { text: await response.text() };
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    chunks.push(chunk);
    if (size > maxBytes) return { text: decodeUpTo(maxBytes, chunks), isTooLong: true };
  }
  return { text: decode(chunks) };
}
