import { isObject } from '../../src/internal.js';

/** An entry in an HTTP Archive. All fields are optional, because recorders omit some. */
export interface HarEntry {
  request?: HarMessage & { method?: unknown; url?: unknown; postData?: HarContent };
  response?: HarMessage & { status?: unknown; content?: HarContent };
}

export interface HarMessage {
  headers?: readonly { name?: unknown; value?: unknown }[];
  content?: HarContent;
}

interface HarContent {
  text?: unknown;
  encoding?: unknown;
}

/**
 * Returns a recorded body as text. Some recorders store bodies in base64, and some don't decompress them.
 *
 * @returns undefined if the body wasn't recorded or can't be decoded
 */
export async function bodyOf(
  content: HarContent | undefined,
  headers: HarMessage['headers'],
): Promise<string | undefined> {
  if (typeof content?.text !== 'string') return undefined;
  if (content.encoding !== 'base64') return content.text;
  try {
    const characters = atob(content.text.replace(/\s/g, ''));
    const bytes = Uint8Array.from(characters, (character) => character.charCodeAt(0));
    const format = compressionOf(bytes, headers);
    if (!format) return new TextDecoder().decode(bytes);
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream(format));
    return await new Response(stream).text();
  } catch {
    return undefined;
  }
}

/**
 * Detects compression from the bytes, because most recorders keep the header even if they store the
 * decompressed body.
 */
function compressionOf(bytes: Uint8Array, headers: HarMessage['headers']): CompressionFormat | undefined {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return 'gzip';
  const list = Array.isArray(headers) ? headers.filter(isObject) : [];
  const encoding = list.find(({ name }) => `${name}`.toLowerCase() === 'content-encoding');
  const isText = bytes[0] === 0x7b || bytes[0] === 0x5b || bytes.length === 0;
  return encoding?.value === 'deflate' && !isText ? 'deflate' : undefined;
}
