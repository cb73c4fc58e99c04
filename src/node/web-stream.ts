import type { IncomingMessage } from 'node:http';
import type { Readable, Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

/**
 * Converts a response's body to a web stream of decompressed bytes. It's several times cheaper than
 * `Readable.toWeb`.
 */
export function toWebStream(message: IncomingMessage): ReadableStream<Uint8Array> {
  const body = decompressed(message);
  let isCanceled = false;
  return new ReadableStream({
    start(controller) {
      body.on('data', (chunk: Buffer) => {
        if (isCanceled) return;
        controller.enqueue(chunk);
        if ((controller.desiredSize ?? 0) <= 0) body.pause();
      });
      body.on('end', () => {
        if (!isCanceled) controller.close();
      });
      body.on('error', (cause) => {
        message.destroy();
        controller.error(cause);
      });
    },
    pull() {
      body.resume();
    },
    cancel() {
      isCanceled = true;
      // Also destroy the decoder. Otherwise, it would continue to decompress the data in its buffer.
      body.destroy();
      message.destroy();
    },
  });
}

/** Accepts truncated compressed bodies, as fetch does. Parsing the JSON then fails. */
const lenient = { finishFlush: constants.Z_SYNC_FLUSH };
const gzip = () => createGunzip(lenient);

const decoders: Record<string, () => Transform> = {
  gzip,
  'x-gzip': gzip,
  deflate: () => createInflate(lenient),
  br: () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH }),
};

/** The maximum number of encodings. Servers rarely apply more than one, and each decoder allocates memory. */
const maxEncodings = 5;

/** @returns a stream that fails if the encoding is unsupported */
function decompressed(message: IncomingMessage): Readable {
  const named = message.headers['content-encoding'];
  if (!named) return message;
  const codings = named
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding && coding !== 'identity');
  if (codings.length > maxEncodings || !codings.every((coding) => Object.hasOwn(decoders, coding))) {
    return message.destroy(new Error(`unsupported content-encoding "${named}"`));
  }
  // The header lists encodings in the order they were applied, so the last one is decoded first.
  return codings.reduceRight<Readable>((source, coding) => {
    const decoder = (decoders[coding] as () => Transform)();
    // `pipe` doesn't forward errors. Without this listener, the body would never end.
    source.on('error', (cause) => decoder.destroy(cause));
    return source.pipe(decoder);
  }, message);
}
