import { Chunks } from '../shared/chunks.js';
import type { Cancellation, ReadText } from '../transport.js';
import type { FetchObserver } from './fetch-observer.js';
import { onAbort } from './on-abort.js';

/**
 * Reads the body of a fetch response as UTF-8. If the body is cut off, returns the part that was read.
 *
 * @param maxBytes the maximum number of bytes to read
 * @param observer reports failures that never reach the body
 */
export async function readText(
  response: Response,
  cancellation: Cancellation,
  maxBytes = Number.POSITIVE_INFINITY,
  observer?: Pick<FetchObserver, 'onFailure'>,
): Promise<ReadText> {
  if (!response.body) return { text: '' };
  const reader = readerOf(response.body);
  if (!reader) return { text: await response.text() };
  // Cancels a pending read, even if the body ignores the signal, and closes the connection.
  const cancel = () => void reader.cancel()?.catch(() => {});
  const removeListener = onAbort(cancellation, cancel);
  const chunks = new Chunks();
  let size = 0;
  let failed: ReadText | undefined;
  observer?.onFailure((failure) => {
    failed = { text: '', failure };
    cancel();
  });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (cancellation.aborted) return { text: decode(chunks), failure: cancellation.reason };
      if (done) return { ...failed, text: decode(chunks) };
      size += value.byteLength;
      if (size > maxBytes) {
        cancel();
        // The start of a long body can still be used as an error message.
        chunks.add(value.subarray(0, value.byteLength - (size - maxBytes)));
        return { text: decode(chunks), isTooLong: true };
      }
      chunks.add(value);
    }
  } catch (failure) {
    return { text: decode(chunks), failure };
  } finally {
    removeListener();
  }
}

interface Reader {
  read(): Promise<IteratorResult<Uint8Array, unknown>>;
  cancel(): Promise<unknown> | undefined;
}

/** Returns the stream's reader, or undefined if the body isn't a stream. */
function readerOf(body: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>): Reader | undefined {
  if ('getReader' in body) return body.getReader() as Reader;
  // Some fetch implementations, such as node-fetch, return Node.js streams as bodies.
  const iterator = body[Symbol.asyncIterator]?.();
  return iterator && { read: () => iterator.next(), cancel: () => iterator.return?.() };
}

/** Most bodies arrive as one chunk, which can be decoded several times faster than multiple chunks. */
function decode(chunks: Chunks): string {
  const decoder = new TextDecoder();
  const all = chunks.toArray();
  if (all.length < 2) return decoder.decode(all[0]);
  const texts = all.map((chunk) => decoder.decode(chunk, { stream: true }));
  return texts.join('') + decoder.decode();
}
