/** Quotes a string for a message and shortens it to keep the response small. */
export function quote(text: string): string {
  return JSON.stringify(text.length > maxLength ? `${text.slice(0, maxLength).replace(half, '')}…` : text);
}

/** The maximum length in characters. Generated IDs are shorter. */
const maxLength = 60;

/** Matches the first half of a surrogate pair, such as an emoji, that was cut in two. */
const half = /[\ud800-\udbff]$/;
