/** A string in a message, in quotes and shortened, so that a response stays small whatever the request holds. */
export function quote(text: string): string {
  return JSON.stringify(text.length > maxLength ? `${text.slice(0, maxLength)}…` : text);
}

/** Characters; longer than any id that the server generates. */
const maxLength = 60;
