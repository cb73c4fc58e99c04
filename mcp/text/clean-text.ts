/**
 * Removes characters that people can't see but that affect a model or a terminal: control characters, ANSI
 * sequences, bidirectional overrides, zero-width and tag characters, and lone surrogates. Line breaks are
 * kept.
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

/** {@link cleanText} on one line, for table cells and names. */
export const cleanLine = (text: string): string => cleanText(text).replace(/\s+/g, ' ').trim();

/** Escape sequences of terminals: CSI, OSC and the two-character ones. */
const ansiSequence =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are removed
  /[\u001B\u009B](?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B\n]*(?:\u0007|\u001B\\)?|[@-Z\\-_])?/g;

/**
 * Control and format characters (which include bidirectional overrides and tag characters) except line
 * breaks and the two joiners that emoji and several scripts need; invisible fillers and variation selectors
 * that carry hidden data.
 */
const invisible =
  /(?![\n\u200C\u200D])(?:[\p{Cc}\p{Cf}]|[\u115F\u1160\u2800\u3164\uFFA0]|[\uFE00-\uFE0E]|[\u{E0100}-\u{E01EF}])/gu;

/** A single joiner joins two characters. Several in a row can hide data. */
const joinerRun = /[\u200C\u200D]{2,}|\uFE0F{2,}/g;

/** A tag that looks like one of our fences, see `fence`. */
const fenceTag = /<(\/?\s*untrusted)/gi;
