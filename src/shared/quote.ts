/** Makes untrusted text safe for messages and logs by limiting it to one line of at most 300 characters. */
export function quote(text: string): string {
  const line = text.replace(unsafe, ' ').trim();
  return line.length > 300 ? `${line.slice(0, 299).replace(half, '')}…` : line;
}

/** Matches whitespace, control characters, and invisible characters, such as those that change the text direction. */
const unsafe = /[\s\p{Cc}\p{Cf}]+/gu;

/** Matches the first half of a surrogate pair, such as an emoji, that was cut in two. */
const half = /[\ud800-\udbff]$/;
