/**
 * Creates a pattern that matches a secret in any encoding: percent-encoding, JSON or JavaScript escapes, or
 * HTML entities.
 */
export function secretPattern(secret: string): RegExp {
  return new RegExp([...secret].map(anyEncodingOf).join(''), 'g');
}

function anyEncodingOf(character: string): string {
  const codePoint = character.codePointAt(0) as number;
  const hex = codePoint.toString(16);
  const units = character
    .split('')
    .map((unit) => `\\\\u${anyCase(unit.charCodeAt(0).toString(16).padStart(4, '0'))}`);
  return `(?:${[
    `\\\\?${escapeForPattern(character)}`,
    units.join(''),
    `\\\\x${anyCase(hex.padStart(2, '0'))}`,
    `\\\\u\\{0*${anyCase(hex)}\\}`,
    anyCase(percentEncode(character)),
    `&#0*${codePoint};?`,
    `&#[xX]0*${anyCase(hex)};?`,
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

const anyCase = (hex: string) =>
  hex.replace(/[a-f]/gi, (digit) => `[${digit.toLowerCase()}${digit.toUpperCase()}]`);

const percentEncode = (character: string) =>
  [...new TextEncoder().encode(character)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
