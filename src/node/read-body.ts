import type { IncomingMessage } from 'node:http';
import type { Readable, Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { ReadText } from '../transport.js';

/** Reads the body of a response as UTF-8, decompressed, and keeps what was read if it's cut off. */
export function readBody(message: IncomingMessage, maxBytes = Number.POSITIVE_INFINITY): Promise<ReadText> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = (ending: Omit<ReadText, 'text'> = {}) => resolve({ ...decode(chunks), ...ending });
    const fail = (failure: unknown) => finish({ failure });
    const body = decompressed(message, fail);
    body.on('data', (chunk: Buffer) => {
      if (size > maxBytes) return;
      size += chunk.byteLength;
      chunks.push(size > maxBytes ? chunk.subarray(0, chunk.byteLength - (size - maxBytes)) : chunk);
      if (size <= maxBytes) return;
      message.destroy();
      // Otherwise it would still decompress the data that it has buffered.
      body.destroy();
      finish({ isTooLong: true });
    });
    body.on('end', () => finish());
    body.on('error', (cause) => {
      // If decompression fails, the rest of the body is useless.
      message.destroy();
      fail(cause);
    });
    // A stream that has already ended emits no events.
    if (body.readableEnded) finish();
    else if (body.destroyed) fail(body.errored ?? new Error('the connection was closed'));
  });
}

/** Creating a string throws above its maximum length, and nothing may throw in an event handler. */
function decode(chunks: readonly Buffer[]): ReadText {
  try {
    const [first = Buffer.alloc(0)] = chunks;
    const bytes = chunks.length > 1 ? Buffer.concat(chunks) : first;
    return { text: bytes.toString().replace(/^\ufeff/, '') };
  } catch (failure) {
    return { text: '', failure };
  }
}

/** Like the platform's fetch, accepts a compressed body that is cut off. Parsing its JSON then fails. */
const lenient = { finishFlush: constants.Z_SYNC_FLUSH };
const gzip = () => createGunzip(lenient);

const decoders: Record<string, () => Transform> = {
  gzip,
  'x-gzip': gzip,
  deflate: () => createInflate(lenient),
  br: () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH }),
};

/** More than any server applies. Each decoder takes memory. */
const maxEncodings = 5;

function decompressed(message: IncomingMessage, fail: (cause: unknown) => void): Readable {
  const named = message.headers['content-encoding'];
  if (!named) return message;
  const codings = named
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding && coding !== 'identity');
  if (codings.length > maxEncodings || !codings.every((coding) => Object.hasOwn(decoders, coding))) {
    fail(new Error(`the response is encoded as "${named}", which this transport can't read`));
    message.destroy();
    return message;
  }
  // In the order in which the server applied them.
  return codings.reduceRight<Readable>((source, coding) => {
    const decoder = (decoders[coding] as () => Transform)();
    // If the source is cut off, the reader must not keep waiting.
    source.on('error', (cause) => decoder.destroy(cause));
    return source.pipe(decoder);
  }, message);
}
