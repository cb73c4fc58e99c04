/** Returns a short digest of a string, which jobs store and compare instead of the string. */
export function digestOf(text: string): string {
  const crypto = globalThis.process?.getBuiltinModule?.('node:crypto');
  return crypto ? crypto.hash('sha256', text, 'base64url').slice(0, 16) : digestInBrowser(text);
}

/** Browsers have no synchronous digests. This one detects changes, but isn't cryptographic. */
function digestInBrowser(text: string): string {
  let [one, two, three] = [0x9e3779b9, 0x243f6a88, 0xb7e15162];
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    one = Math.imul(one ^ code, 0x85ebca6b) ^ (two >>> 15);
    two = Math.imul(two ^ code, 0xc2b2ae35) ^ (three >>> 13);
    three = Math.imul(three ^ code, 0x27d4eb2f) ^ (one >>> 16);
  }
  return [one, two, three].map((word) => (word >>> 0).toString(36).padStart(7, '0')).join('');
}
