import { shorten } from '../../src/shared/quote.js';
import { cleanText } from '../text/clean-text.js';

/** A tool result before formatting. */
export interface Reply {
  /** This server's summary of what was done or found. */
  heading: string;
  /** Content that users may have written. It's fenced in the result. */
  data?: string | undefined;
  /** A long text that users may have written. It has a fence of its own, so nothing in it looks like a field. */
  text?: { name: string; value: string } | undefined;
  /** This server's hint about what to do next. */
  hint?: string | undefined;
  isError?: boolean | undefined;
  /** Whether the error is unexpected and must be logged. */
  isUnexpected?: boolean | undefined;
}

/** Formats a reply as at most `maxResultBytes` bytes of text. */
export function renderReply({ heading, data, text, hint }: Reply): string {
  const own = [shorten(cleanText(heading), ownLength), hint && shorten(cleanText(hint), ownLength)];
  const fenced = data && cutToBytes(data, maxDataBytes);
  const cut =
    fenced === data ? undefined : 'The result was cut off at the size limit. Request fewer rows or fields.';
  const long = text && `${text.name}:\n${fence(text.value)}`;
  return [own[0], fenced && fence(fenced), long, own[1], cut].filter(Boolean).join('\n');
}

/** The maximum length of a heading or hint, in characters. Only unusually long arguments exceed it. */
const ownLength = 300;

/** Thrown if the model's arguments are invalid, before any request is sent. */
export class ToolInputError extends Error {}

/**
 * Encloses user-provided text in tags with an unguessable name, so the text can't close the tag and pass
 * itself off as the server's own.
 */
function fence(text: string): string {
  const name = `untrusted-${nonce()}`;
  return `<${name}>\n${text}\n</${name}>`;
}

function nonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(6));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * The maximum size of a result in UTF-8 bytes. A tokenizer produces at most one token per byte, so every
 * result stays below 25,000 tokens, a common client limit.
 */
const maxResultBytes = 24_000;

/** The part of {@link maxResultBytes} available for records. The rest is for the fence, heading, and hint. */
export const maxDataBytes = maxResultBytes - 1500;

const encoder = new TextEncoder();

export const byteLength = (text: string): number => encoder.encode(text).length;

/** Truncates a string to a number of bytes without splitting a character. */
export function cutToBytes(text: string, limit: number): string {
  if (text.length * 3 <= limit) return text;
  const bytes = encoder.encode(text.slice(0, limit));
  if (bytes.length <= limit) return text.slice(0, limit);
  let end = limit;
  // Bytes of the form 10xxxxxx continue a character.
  while (((bytes[end] ?? 0) & 0b1100_0000) === 0b1000_0000) end -= 1;
  return new TextDecoder().decode(bytes.subarray(0, end));
}
