/** Makes untrusted text safe for messages and logs by limiting it to one line of at most 300 characters. */
export function quote(text: string): string {
  const line = text.replace(unsafe, ' ').trim();
  return line.length > 300 ? `${line.slice(0, 299).replace(half, '')}…` : line;
}

/**
 * Matches whitespace, control characters, invisible characters, and characters that change the text
 * direction.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it removes
const unsafe = /[\s\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]+/g;

/** Matches the first half of a surrogate pair, such as an emoji, that was cut in two. */
const half = /[\ud800-\udbff]$/;
