import { concat } from '../../src/shared/chunks.js';
import { maxBodySize } from '../journal/entry.js';

/**
 * Records a response's body while the client reads it, so that a streamed body isn't delayed or read ahead.
 *
 * @param onEnd called after the last byte has been read, unless the body is too large for the journal
 * @returns a response with the same properties, to be sent instead
 */
export function recordBody(response: Response, onEnd: (body: Uint8Array) => void): Response {
  const { body, status, statusText, headers } = response;
  // If an override has already read the body, return the response unchanged, so that recording doesn't change
  // the error that the client gets.
  if (!body || response.bodyUsed) return response;
  const recording = new Recording();
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  const recorded = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        reader ??= body.getReader();
        const { done, value } = await reader.read();
        if (!done) {
          recording.add(value);
          return controller.enqueue(value);
        }
        // If the client has canceled the body, this throws an error, so that an incomplete body isn't
        // recorded.
        controller.close();
        const bytes = recording.bytes();
        if (bytes) onEnd(bytes);
      },
      cancel: (reason) => (reader ?? body).cancel(reason),
    },
    // Don't read ahead of the client.
    { highWaterMark: 0 },
  );
  const copy = new Response(recorded, { status, statusText, headers });
  // The constructor doesn't accept these properties, which an override's response has if it comes from
  // `fetch`.
  for (const name of ['url', 'redirected', 'type'] as const) {
    Object.defineProperty(copy, name, { value: response[name], configurable: true });
  }
  return copy;
}

/** The chunks of a body, up to the size that the journal stores. */
class Recording {
  #chunks: Uint8Array[] | undefined = [];
  #size = 0;

  add(chunk: unknown): void {
    // Skip chunks of other types, because they make the client's read fail.
    if (!this.#chunks || !(chunk instanceof Uint8Array)) return;
    this.#size += chunk.length;
    if (this.#size > maxBodySize) this.#chunks = undefined;
    // Copy the chunk, because the client may modify it.
    else this.#chunks.push(chunk.slice());
  }

  /** @returns undefined if the body is too large */
  bytes(): Uint8Array | undefined {
    return this.#chunks && concat(this.#chunks);
  }
}
