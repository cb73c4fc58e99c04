/** Shortens untrusted text to one line of at most 300 characters, which is safe in messages and logs. */
export function quote(text: string): string {
  const line = text.replace(unsafe, ' ').trim();
  return line.length > 300 ? `${line.slice(0, 299)}…` : line;
}

/** Whitespace, control characters, and characters that are invisible or change the direction of text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly those must not reach a log
const unsafe = /[\s\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]+/g;
