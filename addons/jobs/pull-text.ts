import { createHash } from 'node:crypto';

/** What {@link redactText} reads. HTML keeps its elements, but not their attributes. */
export type TextFormat = 'plain' | 'html';

/**
 * Replaces every letter and digit, and keeps spaces, punctuation, emoji, and capitalization. The same text
 * always has the same replacement, and nobody can check a guess at the original text without the key.
 *
 * In HTML, standard elements are kept. Attributes and other elements are removed.
 */
export function redactText(key: string, text: string, format: TextFormat = 'plain', attempt = 0): string {
  const letters = new Letters(`${key}\0${attempt}\0${text}`);
  const redacted = text.replace(format === 'html' ? htmlToken : plainToken, (token, name?: string) => {
    if (typeof name === 'string') return elements.has(name.toLowerCase()) ? tag(token, name) : '';
    if (token.startsWith('&')) return isKeptReference(token) ? token : letters.replace('a');
    // A test might send a request or an email to a made-up host, so use one that is reserved for examples.
    if (token.includes('.')) return 'example.com';
    return isKept(token) ? token : letters.replace(token);
  });
  // A short text may be unchanged if its letters were replaced with the same letters.
  const isUnchanged = redacted === text && letters.count > 0;
  return isUnchanged ? redactText(key, text, format, attempt + 1) : redacted;
}

/** Matches the host of a URL or an email address, or a character. */
const plainToken = /(?<=@|\/\/)[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+|[^\0-\x7f]|[a-z\d]/giu;

/**
 * Matches a tag with its name, a character reference, or what {@link plainToken} matches. A tag never extends
 * past the next `<`, so that an unfinished tag is redacted like text.
 */
const htmlToken = new RegExp(
  `</?([a-z][^\\s<>/]*)[^<>]*>|&(?:#\\d{1,7}|#x[\\da-f]{1,6}|[a-z][a-z\\d]{1,30});|${plainToken.source}`,
  plainToken.flags,
);

/** Whether a character reference, such as `&nbsp;` or `&#128512;`, stands for a character that is kept. */
function isKeptReference(reference: string): boolean {
  const [, hexadecimal, digits] = /^&#(x?)([\da-f]+);$/i.exec(reference) ?? [];
  if (digits === undefined) return references.has(reference.slice(1, -1));
  const codePoint = Number.parseInt(digits, hexadecimal ? 16 : 10);
  return codePoint <= 0x10ffff && isKept(String.fromCodePoint(codePoint));
}

const tag = (token: string, name: string): string => `<${token.startsWith('</') ? '/' : ''}${name}>`;

/**
 * Whether a character can't be part of a word. Everything that isn't known to be a space, a punctuation mark,
 * an accent, or an emoji is replaced, such as circled letters and private-use characters.
 */
const isKept = (character: string): boolean =>
  character < '\x80' ? !/[a-z\d]/i.test(character) : keptCharacter.test(character);

const keptCharacter =
  /[\p{P}\p{Z}\p{Sc}\p{Sm}\p{Sk}\p{Cc}\p{Extended_Pictographic}\p{Emoji_Modifier}\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]|(?![\u0363-\u036f\u{e0100}-\u{e01ef}])\p{M}/u;

/** Chooses the replacements for the letters and digits of one text. */
class Letters {
  readonly #bytes: Uint8Array;
  /** The number of characters replaced so far. */
  count = 0;

  constructor(seed: string) {
    // In long text, the replacements repeat. They reveal nothing, because they depend only on the position.
    this.#bytes = createHash('shake256', { outputLength: Math.min(seed.length, 1024) })
      .update(seed)
      .digest();
  }

  replace(character: string): string {
    const byte = this.#bytes[this.count % this.#bytes.length] as number;
    const letters = this.count++ % 2 === 0 ? consonants : vowels;
    const choices = /\p{N}/u.test(character) ? digits : letters;
    const letter = choices[byte % choices.length] as string;
    return character === character.toLowerCase() ? letter : letter.toUpperCase();
  }
}

/**
 * Replacements are pronounceable but use only a few letters, so they hardly ever spell a real name. Otherwise,
 * a search for real names could find them by chance.
 */
const consonants = [...'bdgklnrtvz'];
const vowels = [...'ou'];
const digits = [...'0123456789'];

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** The HTML elements that are kept. */
const elements = words(
  'a abbr address article aside audio b blockquote body br button caption center cite code col colgroup dd del ' +
    'details dfn div dl dt em embed fieldset figcaption figure font footer form g h1 h2 h3 h4 h5 h6 head header hr ' +
    'html i iframe img input ins kbd label legend li link main mark meta nav object ol option p path picture pre q ' +
    's samp script section select small source span strike strong style sub summary sup svg table tbody td ' +
    'textarea tfoot th thead time title tr track tt u ul var video wbr',
);

/** The named character references that stand for punctuation, spaces, and symbols. */
const references = words(
  'amp apos bull copy deg emsp ensp gt hellip laquo ldquo lrm lsquo lt mdash middot nbsp ndash quot raquo rdquo ' +
    'reg rlm rsquo shy thinsp times trade zwj zwnj',
);
