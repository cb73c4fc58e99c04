import { createHash } from 'node:crypto';

/**
 * Replaces the letters and digits in a string but keeps its shape: its length in code points, capitals,
 * spaces, punctuation, emoji, and HTML tags. Works for plain text, HTML, URLs, and email addresses, because
 * everything is replaced except known markup.
 *
 * The same text always has the same replacement. Without the key, nobody can check a guess at the original
 * text. If two strings differ only in capitalization, spaces, hyphens, underscores, or dots, their
 * replacements are similar. So a redacted slug still resembles the redacted name.
 *
 * @param attempt the number of the attempt. Each attempt results in a different replacement.
 */
export function redactText(key: string, text: string, attempt = 0): string {
  const letters = new Letters(key, text, attempt);
  const pattern = new RegExp(token);
  let redacted = '';
  let end = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const place: Place = { key, text, start: match.index, end: pattern.lastIndex };
    redacted += text.slice(end, place.start) + replaceToken(match[0], place, letters);
    pattern.lastIndex = end = place.end;
  }
  redacted += text.slice(end);
  // A short text may be unchanged if its letters were replaced with the same letters.
  return redacted === text && letters.hasReplaced ? redactText(key, text, attempt + 1) : redacted;
}

/**
 * Matches everything that might have to be replaced: character references, percent-encoded bytes, and words.
 */
const token =
  /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,30});|%[\da-f]{2}|[a-z\d]+(?:-[a-z\d]+)*|[^\0-\x7f]+/gi;

/** A token's position. A function that replaces more than the token also updates `end`. */
interface Place {
  key: string;
  text: string;
  start: number;
  end: number;
}

function replaceToken(token: string, place: Place, letters: Letters): string {
  if (token.startsWith('&')) return replaceReference(token, letters);
  if (token.startsWith('%')) return replaceEncoded(token, letters);
  const before = place.text.slice(Math.max(0, place.start - 12), place.start);
  if (/:\/\/$|@$/.test(before)) return replaceHost(token, place, letters);
  const name = token.toLowerCase();
  if (/<\/?$/.test(before)) {
    // Redact the name by itself so that a custom element's opening and closing tags get the same replacement.
    return elements.has(name) ? token : redactText(place.key, name);
  }
  const after = place.text[place.end];
  const isMarkup =
    (after === '=' && attributes.has(name)) ||
    (after === ':' && schemes.has(name)) ||
    (/=["']?_?$/.test(before) && values.has(name)) ||
    (/^\d{1,4}$/.test(token) && /\b(?:colspan|rowspan|width|height|start)=["']?$/i.test(before));
  return isMarkup ? token : letters.replaceAll(token);
}

/** Returns a host that can't exist, in case a test sends a request to it. */
function replaceHost(token: string, place: Place, letters: Letters): string {
  const pattern = place.text[place.start - 1] === '@' ? emailHost : host;
  pattern.lastIndex = place.start;
  const [name] = pattern.exec(place.text) ?? [];
  if (name === undefined) return letters.replaceAll(token);
  place.end = place.start + name.length;
  const length = [...name].length;
  const suffix = length > 8 ? '.invalid' : '';
  return letters.replaceAll('a'.repeat(length - suffix.length)) + suffix;
}

const host = /[\p{L}\p{N}.-]+/uy;
const emailHost = /[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/uy;

function replaceReference(token: string, letters: Letters): string {
  const name = token.slice(1, -1);
  if (references.has(name)) return token;
  const [, base, digits = ''] = /^#(x?)(.+)/i.exec(name) ?? [];
  const codePoint = digits && Number.parseInt(digits, base ? 16 : 10);
  if (codePoint && codePoint <= 0x10ffff && isKept(String.fromCodePoint(codePoint))) return token;
  // Keep references such as `&pi;`. Any numeric reference to a letter would be longer.
  if (token.length < 5) return token;
  const letter = letters.replaceAll(token.length === 5 ? 'A' : 'a').charCodeAt(0);
  return `&#${String(letter).padStart(token.length - 3, '0')};`;
}

function replaceEncoded(token: string, letters: Letters): string {
  const code = Number.parseInt(token.slice(1), 16);
  if (code < 0x80 && isKept(String.fromCharCode(code))) return token;
  return `%${letters.replaceAll('a').charCodeAt(0).toString(16)}`;
}

/** Chooses the replacements for the letters and digits of one text. */
class Letters {
  readonly #bytes: Uint8Array;
  #next = 0;
  #isVowelNext: boolean;
  hasReplaced = false;

  constructor(key: string, text: string, attempt: number) {
    const content = text.toLowerCase().replace(/[\s_.-]+/g, '');
    // In long text, the sequence of replacement letters may repeat. They reveal nothing, because they don't
    // depend on the letters that they replace.
    const outputLength = Math.min(text.length + 1, 1024);
    this.#bytes = createHash('shake256', { outputLength }).update(`${key}\0${attempt}\0${content}`).digest();
    this.#isVowelNext = this.#byte() % 3 === 0;
  }

  replaceAll(text: string): string {
    let replaced = '';
    for (const character of text) replaced += isKept(character) ? character : this.#replace(character);
    return replaced;
  }

  #replace(character: string): string {
    this.hasReplaced = true;
    const isAscii = character < '\x80';
    if (isAscii ? character <= '9' : /\p{N}/u.test(character)) return pick(digits, this.#byte());
    const isCapital = isAscii ? character <= 'Z' : character !== character.toLowerCase();
    const other = isAscii ? undefined : alphabets.find(([script]) => script.test(character))?.[1];
    if (!other) this.#isVowelNext = !this.#isVowelNext;
    const letter = pick(other ?? (this.#isVowelNext ? vowels : consonants), this.#byte());
    return isCapital ? letter.toUpperCase() : letter;
  }

  #byte(): number {
    const byte = this.#bytes[this.#next] as number;
    this.#next = (this.#next + 1) % this.#bytes.length;
    return byte;
  }
}

const pick = (choices: readonly string[], byte: number) => choices[byte % choices.length] as string;

/**
 * Replacements are pronounceable but use only a few letters, so they hardly ever spell a real name or word.
 * Otherwise, a search for real names could find them in the redacted data by chance.
 */
const consonants = [...'bdgklnrtvz'];
const vowels = [...'ou'];
const digits = [...'0123456789'];

/**
 * Letters in these scripts are replaced with letters of the same width and direction. All other letters
 * become Latin letters.
 */
const alphabets: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\p{Script=Cyrillic}/u, [...'бвгдзклмнопрст']],
  [/\p{Script=Greek}/u, [...'βγδζκλμνοπρστ']],
  [/\p{Script=Hebrew}/u, [...'בגדזכלמנפקרשת']],
  [/\p{Script=Arabic}/u, [...'بتدرزسشصطعفقكلمنه']],
  [/\p{Script=Han}/u, [...'天地山水火木金土日月石竹米田']],
  [/\p{Script=Hiragana}/u, [...'かきくけこさしすせそたちつてと']],
  [/\p{Script=Katakana}/u, [...'カキクケコサシスセソタチツテト']],
  [/\p{Script=Hangul}/u, [...'가나다라마바사아자차카타파하']],
  [/\p{Script=Devanagari}/u, [...'कखगघचछजझटठडढणतथदधन']],
  [/\p{Script=Thai}/u, [...'กขคงจชซญดตถทนบปผพมยรลว']],
];

/**
 * Whether a character can't be part of a word, such as a space, punctuation mark, accent, emoji, or control
 * character.
 */
function isKept(character: string): boolean {
  const code = character.codePointAt(0) as number;
  return code < 0x80 ? keptAscii[code] === true : keptCharacter.test(character);
}

const keptAscii = Array.from({ length: 0x80 }, (_, code) => !/[a-z\d]/i.test(String.fromCharCode(code)));

const keptCharacter =
  /[\p{P}\p{Z}\p{Sc}\p{Sm}\p{Sk}\p{Cc}\p{Extended_Pictographic}\p{Emoji_Modifier}\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]|(?![\u0363-\u036f\u{e0100}-\u{e01ef}])\p{M}/u;

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** The names of HTML elements that are kept. */
const elements = words(
  'a abbr address article aside audio b blockquote body br button caption center cite code col colgroup dd del ' +
    'details dfn div dl dt em embed fieldset figcaption figure font footer form g h1 h2 h3 h4 h5 h6 head header hr ' +
    'html i iframe img input ins kbd label legend li link main mark meta nav object ol option p path picture pre q ' +
    's samp script section select small source span strike strong style sub summary sup svg table tbody td ' +
    'textarea tfoot th thead time title tr track tt u ul var video wbr',
);

/** The names of attributes that are kept. Their values are replaced. */
const attributes = words(
  'alt aria-label checked cite class color colspan data-checked data-id data-type datetime dir disabled face for ' +
    'height href id lang name rel rowspan scope size span src srcset start style target title type value width',
);

/** URL schemes that are kept. */
const schemes = words('http https mailto tel');

/** Attribute values that are kept. */
const values = words(
  'auto blank center checkbox false left ltr noopener nofollow noreferrer right rtl text true',
);

/** The names of the character references that stand for non-letters, such as `&nbsp;`. */
const references = words(
  'amp apos bull copy deg emsp ensp gt hellip laquo ldquo lrm lsquo lt mdash middot nbsp ndash quot raquo rdquo ' +
    'reg rlm rsquo shy thinsp times trade zwj zwnj',
);
