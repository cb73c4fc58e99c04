import { shorten } from '../../../src/internal.js';
import { cleanText } from '../text/clean-text.js';

/** A tool result before formatting. */
export interface Reply {
  /** This server's summary of what was done or found. */
  heading: string;
  /** Content that users may have written. The formatted text puts it in a fenced block. */
  data?: readonly Part[] | undefined;
  /**
   * Long text that users may have written. It has its own fence, so that its content can't be mistaken for a
   * field.
   */
  text?: { name: string; value: string } | undefined;
  /** This server's hint about what to do next. */
  hint?: string | undefined;
  isError?: boolean | undefined;
  /** Whether the error is unexpected and must be logged. */
  isUnexpected?: boolean | undefined;
}

/** Creates the reply to a call that failed. */
export const failure = (heading: string): Reply => ({ isError: true, heading });

/** A part of a result, such as a table, as text and as JSON. Both have the same content. */
export interface Part {
  text: string;
  value: Readonly<Record<string, unknown>>;
}

/** The schema of a structured result. It's short because it's part of every tool definition. */
export const outputSchema = { type: 'object', required: ['summary'] };

/**
 * Formats a reply as text and as JSON, each of at most `maxResultBytes` bytes. Clients may pass either to the
 * model. In the JSON, `untrusted` is the content that users may have written.
 */
export function renderReply({ heading, data = [], text, hint }: Reply) {
  const summary = shorten(cleanText(heading), ownLength);
  const parts = fitting(data);
  const cut =
    parts.length < data.length
      ? 'The result was cut off at the size limit. Request fewer rows or fields.'
      : undefined;
  const hints = [hint && shorten(cleanText(hint), ownLength), cut].filter(Boolean).join('\n');
  const fenced = parts.length > 0 && fence(parts.map((part) => part.text).join('\n\n'));
  const long = text && `${text.name}:\n${fence(text.value)}`;
  const values = [...parts.map(({ value }) => value), ...(text ? [{ [text.name]: text.value }] : [])];
  return {
    text: [summary, fenced, long, hints].filter(Boolean).join('\n'),
    structured: { summary, ...(values.length > 0 && { untrusted: values }), ...(hints && { hint: hints }) },
  };
}

/**
 * Returns the parts that fit into a result, in order. Omits the first part that doesn't fit and all parts
 * after it.
 */
function fitting(parts: readonly Part[]): readonly Part[] {
  let bytes = 0;
  const end = parts.findIndex(({ text, value }) => {
    bytes += Math.max(byteLength(text), byteLength(JSON.stringify(value)));
    return bytes > maxDataBytes;
  });
  return end < 0 ? parts : parts.slice(0, end);
}

/** Creates a part from lines that have no structure of their own. */
export function textPart(text: string): Part {
  const shown = cutToBytes(text, maxDataBytes / 2);
  return { text: shown, value: { text: shown } };
}

/** Adds a heading to a section of the reply. */
export const headed = (heading: string, part?: Part): Part => ({
  text: part ? `${heading}\n${part.text}` : heading,
  value: { heading, ...part?.value },
});

/**
 * The maximum length of a heading or hint, in characters. Only unusually long arguments exceed this limit.
 */
const ownLength = 300;

/** Thrown if the model's arguments are invalid, before any request is sent. */
export class ToolInputError extends Error {}

/**
 * Encloses user-provided text in tags with an unguessable name, so that the text can't close the tag and
 * imitate the server's own text.
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
function cutToBytes(text: string, limit: number): string {
  if (text.length * 3 <= limit) return text;
  const bytes = encoder.encode(text.slice(0, limit));
  if (bytes.length <= limit) return text.slice(0, limit);
  let end = limit;
  // Don't split a multi-byte character, whose later bytes have the form 10xxxxxx.
  while (((bytes[end] ?? 0) & 0b1100_0000) === 0b1000_0000) end -= 1;
  return new TextDecoder().decode(bytes.subarray(0, end));
}

/**
 * Truncates a string so that it fits into a number of bytes as JSON, which can be longer than the string
 * itself.
 */
export function cutToJsonBytes(text: string, limit: number): string {
  let shown = cutToBytes(text, limit);
  for (;;) {
    const size = byteLength(JSON.stringify(shown));
    if (size <= limit) return shown;
    shown = cutToBytes(shown, Math.floor((byteLength(shown) * limit) / size));
  }
}
