import type { Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';

/**
 * Reads a file as text in constant memory. A byte order mark determines the encoding and isn't part of the
 * text.
 *
 * @param encoding a label of the WHATWG Encoding Standard, such as `windows-1252`. Defaults to UTF-8.
 * @param hash updated with the bytes of the file
 * @throws Error with the line number if the file contains invalid bytes for its encoding, or a NUL character
 */
export async function* readText(
  file: string,
  encoding: string | undefined,
  hash?: Hash,
): AsyncGenerator<string, void, undefined> {
  let format: TextFormat | undefined;
  let decode: Decode | undefined;
  let offset = 0;
  for await (const chunk of chunksOf(file)) {
    format ??= formatOf(chunk, encoding);
    decode ??= decoderOf(format.encoding);
    hash?.update(chunk);
    const text = tryDecode(decode, chunk);
    if (text === undefined || text.includes('\0')) throw await describeInvalid(file, format, offset);
    offset += chunk.length;
    if (text) yield text;
  }
  if (format && decode && tryDecode(decode) === undefined) throw await describeInvalid(file, format, offset);
}

interface TextFormat {
  encoding: string;
  /** Whether a byte order mark specifies the encoding. */
  isMarked: boolean;
  /** The UTF-16 variant that the first bytes resemble, if any. */
  similar: string | undefined;
}

/** Decodes the next bytes. If called without an argument, checks that the last character is complete. */
type Decode = (bytes?: Uint8Array) => string;

const chunksOf = (file: string): AsyncIterable<Buffer> => createReadStream(file, { highWaterMark: 1 << 18 });

/** @throws Error if the byte order mark contradicts the given encoding */
function formatOf(start: Buffer, encoding: string | undefined): TextFormat {
  const mark = byteOrderMarks.find(({ bytes }) => start.subarray(0, bytes.length).equals(bytes));
  if (mark && encoding !== undefined && mark.encoding !== encoding) {
    throw new Error(`its byte order mark indicates ${mark.encoding}; omit --encoding`);
  }
  // In UTF-16, every other byte of English text is zero.
  const similar = start[0] === 0 ? 'utf-16be' : start[1] === 0 ? 'utf-16le' : undefined;
  return { encoding: mark?.encoding ?? encoding ?? 'utf-8', isMarked: mark !== undefined, similar };
}

const byteOrderMarks = [
  { encoding: 'utf-8', bytes: Buffer.from([0xef, 0xbb, 0xbf]) },
  { encoding: 'utf-16le', bytes: Buffer.from([0xff, 0xfe]) },
  { encoding: 'utf-16be', bytes: Buffer.from([0xfe, 0xff]) },
];

function decoderOf(encoding: string): Decode {
  if (encoding === 'windows-1252') return decodeWindows1252;
  const decoder = new TextDecoder(encoding, { fatal: true });
  return (bytes) => (bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode());
}

/** Some versions of Node.js decode the bytes from 0x80 to 0x9F as control characters, as in ISO 8859-1. */
const decodeWindows1252: Decode = (bytes = Buffer.alloc(0)) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    .toString('latin1')
    .replace(/[\x80-\x9f]/g, (character) => from0x80[character.charCodeAt(0) - 0x80] ?? character);

const from0x80 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

function tryDecode(decode: Decode, bytes?: Uint8Array): string | undefined {
  try {
    return decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * Reads the file again to find the line of its first invalid character.
 *
 * @param start where the chunk with the invalid character starts, in bytes
 */
async function describeInvalid(
  file: string,
  { encoding, isMarked, similar }: TextFormat,
  start: number,
): Promise<Error> {
  const decode = decoderOf(encoding);
  const counter = new LineCounter();
  const describe = (problem: string, likely: string | undefined) => {
    const isHelpful = likely !== undefined && likely !== encoding && !isMarked;
    const hint = isHelpful ? `; if it's encoded in ${likely}, pass --encoding ${likely}` : '';
    return new Error(`line ${counter.line} ${problem}${hint}`);
  };
  const invalid = () => describe(`isn't valid ${encoding.toUpperCase()}`, similar ?? 'windows-1252');
  let offset = 0;
  for await (const chunk of chunksOf(file)) {
    const valid = Math.min(Math.max(start - offset, 0), chunk.length);
    counter.add(decode(chunk.subarray(0, valid)));
    for (let at = valid; at < chunk.length; at++) {
      const character = tryDecode(decode, chunk.subarray(at, at + 1));
      if (character === undefined) return invalid();
      if (character === '\0') return describe('contains a NUL character', similar);
      counter.add(character);
    }
    offset += chunk.length;
  }
  return invalid();
}

/** Counts line breaks: `\n`, `\r\n`, and `\r`. A line break can be split across two chunks. */
class LineCounter {
  /** The number of the current line. */
  line = 1;
  #endsWithReturn = false;

  add(text: string): void {
    if (!text) return;
    const breaks = text.match(/\r\n?|\n/g)?.length ?? 0;
    this.line += this.#endsWithReturn && text.startsWith('\n') ? breaks - 1 : breaks;
    this.#endsWithReturn = text.endsWith('\r');
  }
}

/** The maximum length of a row, in characters. It limits memory use for files without line breaks. */
export const maxRowLength = 10_000_000;

/**
 * Splits chunks of text into non-blank lines.
 *
 * @throws Error if a line is too long
 */
export async function* linesOf(
  texts: AsyncIterable<string>,
): AsyncGenerator<{ line: number; text: string }, void, undefined> {
  let line = 1;
  let rest = '';
  for await (const text of texts) {
    // Keep `\r\n` together, because the two characters may arrive in separate chunks.
    const isSplit = text.endsWith('\r');
    const lines = (rest + (isSplit ? text.slice(0, -1) : text)).split(/\r\n?|\n/);
    rest = (lines.pop() ?? '') + (isSplit ? '\r' : '');
    for (const text of lines) {
      if (text.trim()) yield { line, text };
      line++;
    }
    if (rest.length > maxRowLength)
      throw new Error(`line ${line} is longer than ${maxRowLength.toLocaleString('en-US')} characters`);
  }
  for (const text of rest.split('\r')) {
    if (text.trim()) yield { line, text };
    line++;
  }
}
