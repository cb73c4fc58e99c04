/** Quotes a string for a message and shortens it to keep the response small. */
export function quote(text: string): string {
  return JSON.stringify(text.length > maxLength ? `${text.slice(0, maxLength)}…` : text);
}

/** The maximum length in characters. Generated IDs are shorter. */
const maxLength = 60;
