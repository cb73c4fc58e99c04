/**
 * The maximum size of a result in UTF-8 bytes. A tokenizer produces at most one token per byte, so every
 * result stays below 25,000 tokens, a common client limit.
 */
export const maxResultBytes = 24_000;

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

/** Truncates a string to a number of characters, including an ellipsis. */
export function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, '');
  return `${end.trimEnd()}…`;
}
