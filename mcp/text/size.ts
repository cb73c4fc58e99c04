/**
 * The most bytes (UTF-8) a result may have. A tokenizer makes at most one token of a byte, so a result stays
 * below 25,000 tokens, which common clients accept, whatever is written in it.
 */
export const maxResultBytes = 24_000;

/** What remains of {@link maxResultBytes} for records, next to the fence, the heading and the hint. */
export const maxDataBytes = maxResultBytes - 1500;

const encoder = new TextEncoder();

export const byteLength = (text: string): number => encoder.encode(text).length;

/** The longest beginning of a string that has at most so many bytes, never half a character. */
export function cutToBytes(text: string, limit: number): string {
  if (text.length * 3 <= limit) return text;
  const bytes = encoder.encode(text.slice(0, limit));
  if (bytes.length <= limit) return text.slice(0, limit);
  let end = limit;
  // The bytes 10xxxxxx continue a character.
  while (((bytes[end] ?? 0) & 0b1100_0000) === 0b1000_0000) end -= 1;
  return new TextDecoder().decode(bytes.subarray(0, end));
}

/** Shortens a string to so many characters, with an ellipsis. */
export function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, '');
  return `${end.trimEnd()}…`;
}
