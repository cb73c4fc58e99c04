import type { IncomingMessage } from 'node:http';
import type { Readable, Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { ReadText } from '../transport.js';

/** Reads the body of an answer as UTF-8, decompressed, keeping what came when it is cut off. */
export function readBody(message: IncomingMessage, most = Number.POSITIVE_INFINITY): Promise<ReadText> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const end = (failure?: unknown) => {
      const [only = Buffer.alloc(0)] = chunks;
      const bytes = chunks.length > 1 ? Buffer.concat(chunks) : only;
      const text = bytes.toString().replace(/^\ufeff/, '');
      resolve(failure === undefined ? { text } : { text, failure });
    };
    const body = decompressed(message, end);
    body.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.byteLength;
      if (size < most) return;
      message.destroy();
      // Nor is what it has in stock decompressed.
      body.destroy();
      end();
    });
    body.on('end', end.bind(undefined, undefined));
    body.on('error', (cause) => {
      // What cannot be decompressed is not worth the rest of it.
      message.destroy();
      end(cause);
    });
    // Over before anybody listened, it tells nothing.
    if (body.readableEnded) end();
    else if (body.destroyed) end(body.errored ?? new Error('the connection was closed'));
  });
}

/** As the platform's fetch has it: what a compressed body lacks at its end shows in its JSON. */
const lenient = { finishFlush: constants.Z_SYNC_FLUSH };
const gzip = () => createGunzip(lenient);

const decoders: Record<string, () => Transform> = {
  gzip,
  'x-gzip': gzip,
  deflate: () => createInflate(lenient),
  br: () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH }),
};

/** More than any server applies; each costs memory. */
const mostCodings = 5;

function decompressed(message: IncomingMessage, fail: (cause: unknown) => void): Readable {
  const named = message.headers['content-encoding'];
  if (!named) return message;
  const codings = named
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding && coding !== 'identity');
  if (codings.length > mostCodings || !codings.every((coding) => Object.hasOwn(decoders, coding))) {
    fail(new Error(`the answer is encoded as "${named}", which this transport cannot read`));
    message.destroy();
    return message;
  }
  // In the order in which the server applied them.
  return codings.reduceRight<Readable>((source, coding) => {
    const decoder = (decoders[coding] as () => Transform)();
    // What is cut off on its way in must not leave the reader waiting.
    source.on('error', (cause) => decoder.destroy(cause));
    return source.pipe(decoder);
  }, message);
}
