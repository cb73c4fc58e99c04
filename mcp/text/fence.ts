/**
 * Encloses user-provided text in tags with an unguessable name, so the text can't close the tag and pass
 * itself off as the server's own.
 */
export function fence(text: string): string {
  const name = `untrusted-${nonce()}`;
  return `<${name}>\n${text}\n</${name}>`;
}

function nonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(6));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
