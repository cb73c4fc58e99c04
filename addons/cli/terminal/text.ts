import stringWidth from 'string-width';

/** Returns the number of columns that a string takes up in a terminal. */
export const widthOf = (text: string): number =>
  // Don't call `stringWidth` for ASCII strings, because it's 50 times slower.
  /^[\x20-\x7e]*$/.test(text) ? text.length : stringWidth(text);

/** Truncates text to the given number of columns and appends `…`. Never splits a character. */
export function truncate(text: string, columns: number): string {
  // Measure only the start, because measuring a long string can take seconds. An ordinary character has at
  // most 16 code units per terminal column.
  const start = text.slice(0, 16 * columns);
  if (start === text && widthOf(text) <= columns) return text;
  let width = 0;
  let truncated = '';
  for (const { segment } of segmenter.segment(start)) {
    width += stringWidth(segment);
    if (width >= columns) break;
    truncated += segment;
  }
  return `${truncated}…`;
}

/** Pads text with spaces to the given number of columns. */
export const pad = (text: string, columns: number) => text + ' '.repeat(Math.max(0, columns - widthOf(text)));

/**
 * Strips characters that could move the cursor, change the terminal state, or reorder text: C0 and C1 control
 * characters, and bidirectional overrides. Keeps line breaks and tabs.
 */
export const stripControlCharacters = (text: string) =>
  text.replace(controls, ' ').replace(bidirectional, '');

/** Like {@link stripControlCharacters}, but also replaces line breaks and tabs, for table cells. */
export const toOneLine = (text: string) => stripControlCharacters(text).replace(/\s+/g, ' ');

/**
 * Formats a value as JSON that is safe to print. Unsafe characters become `\u` escapes, so no data is lost.
 */
export const toSafeJson = (value: unknown, indent: number) =>
  JSON.stringify(value, null, indent)
    // `JSON.stringify` already escapes the other control characters.
    .replace(/[\x7f-\x9f]/g, escapeCharacter)
    .replace(bidirectional, escapeCharacter);

/** Lists the counts that aren't 0, such as `2 created, 1 failed`. */
export const listCounts = (counts: readonly (readonly [count: number, what: string])[]): string =>
  counts
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${count.toLocaleString('en-US')} ${what}`)
    .join(', ');

const escapeCharacter = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to replace
const controls = /[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]/g;
const bidirectional = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

const segmenter = new Intl.Segmenter();
