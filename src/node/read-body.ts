import type { IncomingMessage } from 'node:http';
import type { Readable, Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { Chunks } from '../shared/chunks.js';
import type { ReadText } from '../transport.js';

/**
 * Decompresses a response body and reads it as UTF-8. If the body is cut off, returns the part that was read.
 */
export function readBody(message: IncomingMessage, maxBytes = Number.POSITIVE_INFINITY): Promise<ReadText> {
  return new Promise((resolve) => {
    const chunks = new Chunks();
    let size = 0;
    const finish = (ending: Omit<ReadText, 'text'> = {}) => resolve({ ...decode(chunks), ...ending });
    const fail = (failure: unknown) => finish({ failure });
    const body = decompressed(message, fail);
    body.on('data', (chunk: Buffer) => {
      if (size > maxBytes) return;
      size += chunk.byteLength;
      chunks.add(size > maxBytes ? chunk.subarray(0, chunk.byteLength - (size - maxBytes)) : chunk);
      if (size <= maxBytes) return;
      message.destroy();
      // Destroy the decoder. Otherwise, it would continue to decompress the data in its buffer.
      body.destroy();
      finish({ isTooLong: true });
    });
    body.on('end', () => finish());
    body.on('error', (cause) => {
      message.destroy();
      fail(cause);
    });
    // A stream that has already ended doesn't emit any more events.
    if (body.readableEnded) finish();
    else if (body.destroyed) fail(body.errored ?? new Error('the connection was closed'));
  });
}

/**
 * Catches the error for a string that's too long, because an error in an event handler would crash the
 * process.
 */
function decode(chunks: Chunks): ReadText {
  try {
    const [first = Buffer.alloc(0), ...others] = chunks.toArray() as readonly Buffer[];
    const bytes = others.length ? Buffer.concat([first, ...others]) : first;
    return { text: bytes.toString().replace(/^\ufeff/, '') };
  } catch (failure) {
    return { text: '', failure };
  }
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

function decompressed(message: IncomingMessage, fail: (cause: unknown) => void): Readable {
  const named = message.headers['content-encoding'];
  if (!named) return message;
  const codings = named
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding && coding !== 'identity');
  if (codings.length > maxEncodings || !codings.every((coding) => Object.hasOwn(decoders, coding))) {
    fail(new Error(`unsupported content-encoding "${named}"`));
    message.destroy();
    return message;
  }
  // The header lists encodings in the order they were applied, so the last one is decoded first.
  return codings.reduceRight<Readable>((source, coding) => {
    const decoder = (decoders[coding] as () => Transform)();
    // `pipe` doesn't forward errors. Without this listener, the body would never end.
    source.on('error', (cause) => decoder.destroy(cause));
    return source.pipe(decoder);
  }, message);
}
