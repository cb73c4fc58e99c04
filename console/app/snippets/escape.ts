import { invisible } from '../../../src/shared/quote.js';

export { escapeInvisible } from '../../../src/shared/quote.js';

/**
 * Quotes text for a shell. The result contains no line breaks or invisible characters, because a terminal would
 * act on them even inside a bracketed paste. For such text, it uses `$'…'`, which bash, zsh, and ksh support.
 */
export function shellQuoted(text: string): string {
  if (text.search(/[\n\t]/) < 0 && text.search(invisible) < 0) return `'${text.replaceAll("'", "'\\''")}'`;
  // In interactive shells, `!` can recall an earlier command.
  return `$'${text.replace(/['\\!\n\t]/g, toByteEscapes).replace(invisible, toByteEscapes)}'`;
}

/** Formats bytes as a `printf` format. Unlike an argument, it can contain NUL characters. */
export const printfFormat = (text: string): string =>
  `'${[...new TextEncoder().encode(text)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')}'`;

const toByteEscapes = (character: string): string =>
  [...new TextEncoder().encode(character)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
