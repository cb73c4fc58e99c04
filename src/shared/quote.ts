/** Makes untrusted text safe for messages and logs by limiting it to one line of at most 300 characters. */
export function quote(text: string): string {
  return shorten(text.replace(unsafe, ' ').trim(), 300);
}

/** Shortens a string without cutting an emoji in two. */
export const shorten = (text: string, maxLength: number): string =>
  text.length > maxLength
    ? `${text
        .slice(0, maxLength - 1)
        .replace(half, '')
        .trimEnd()}…`
    : text;

/** Puts a shortened string in quotes for an error message. Generated IDs aren't shortened. */
export const inQuotes = (text: string): string => JSON.stringify(shorten(text, 60));

/** Matches whitespace, control characters, and invisible characters, such as those that change the text direction. */
const unsafe = /[\s\p{Cc}\p{Cf}]+/gu;

/** Matches the first half of a surrogate pair that was cut in two, such as half of an emoji. */
const half = /[\ud800-\udbff]$/;

/**
 * Escapes invisible characters that affect terminals or editors, such as control characters and those that
 * change the text direction. The escapes are valid in JSON and in string literals. Keeps line breaks and
 * tabs.
 */
export const escapeInvisible = (text: string): string =>
  text.replace(invisible, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );

/** Matches control and format characters, line and paragraph separators, and halves of surrogate pairs. */
export const invisible: RegExp = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
