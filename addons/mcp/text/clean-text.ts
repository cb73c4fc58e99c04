/**
 * Removes invisible characters that affect models or terminals: control characters, ANSI sequences,
 * bidirectional overrides, and zero-width and tag characters. Replaces lone surrogates. Preserves line
 * breaks.
 */
export function cleanText(text: string): string {
  return text
    .replace(ansiSequence, '')
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(/\t/g, ' ')
    .replace(/\p{Surrogate}/gu, '\uFFFD')
    .replace(invisible, '')
    .replace(joinerRun, '')
    .replace(fenceTag, '‹$1');
}

/** Like {@link cleanText}, but returns a single line for use in table cells and names. */
export const cleanLine = (text: string): string => cleanText(text).replace(/\s+/g, ' ').trim();

/** Terminal escape sequences: CSI, OSC, and two-character sequences. */
const ansiSequence =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are removed
  /[\u001B\u009B](?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B\n]*(?:\u0007|\u001B\\)?|[@-Z\\-_])?/g;

/**
 * Control and format characters, invisible fillers, and variation selectors that can hide data. Format
 * characters include bidirectional overrides and tag characters. Excludes line breaks and the two joiners
 * required by emoji and several scripts.
 */
const invisible =
  /(?![\n\u200C\u200D])(?:[\p{Cc}\p{Cf}]|[\u115F\u1160\u2800\u3164\uFFA0]|[\uFE00-\uFE0E]|[\u{E0100}-\u{E01EF}])/gu;

/** A single joiner joins two characters, but several in a row can hide data. */
const joinerRun = /[\u200C\u200D]{2,}|\uFE0F{2,}/g;

/** A tag that looks like one added by `fence()`. */
const fenceTag = /<(\/?\s*untrusted)/gi;
