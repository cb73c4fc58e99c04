/**
 * Quotes and shortens a string for a message, so that the response stays small whatever the request contains.
 */
export function quote(text: string): string {
  return JSON.stringify(text.length > maxLength ? `${text.slice(0, maxLength)}…` : text);
}

/** The maximum length in characters. IDs that the server generates are shorter. */
const maxLength = 60;
