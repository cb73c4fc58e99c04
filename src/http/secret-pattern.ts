/**
 * Creates a pattern that matches a secret in any encoding: percent-encoding, JSON or JavaScript escapes, or
 * HTML entities. The digits of a code can be in either case, so the pattern ignores case.
 */
export function secretPattern(secret: string): RegExp {
  return new RegExp([...secret].map(anyEncodingOf).join(''), 'gi');
}

function anyEncodingOf(character: string): string {
  const codePoint = character.codePointAt(0) as number;
  const hex = codePoint.toString(16);
  const units = character.split('').map((unit) => `\\\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `(?:${[
    `\\\\?${escapeForPattern(character)}`,
    units.join(''),
    `\\\\x${hex.padStart(2, '0')}`,
    `\\\\u\\{0*${hex}\\}`,
    percentEncode(character),
    `&#0*${codePoint};?`,
    `&#x0*${hex};?`,
    ...(entities[character] ?? []),
  ].join('|')})`;
}

const entities: Record<string, string[]> = {
  '&': ['&amp;?'],
  '<': ['&lt;?'],
  '>': ['&gt;?'],
  '"': ['&quot;?'],
  "'": ['&apos;?'],
};

const escapeForPattern = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

const percentEncode = (character: string) =>
  [...new TextEncoder().encode(character)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
