/**
 * Extracts the visible text from HTML. Removes tags, comments, scripts, and styles, inserts line breaks for
 * block elements and `<br>`, and decodes character references. Runs in linear time, even for malicious input,
 * because it reads the HTML only once.
 */
export function plainText(html: string): string {
  if (!html.includes('<')) return decodeReferences(html);
  let text = '';
  for (const part of partsOf(html)) {
    if (part.kind === 'text') text += decodeReferences(part.text);
    else if (part.kind === 'tag' && blocks.has(part.name)) text += '\n';
  }
  return text;
}

/**
 * Returns the index of the first comment, tag, or raw-text element that never ends. Everything after it would
 * be hidden. Returns undefined if there is none.
 */
export function unfinishedMarkup(html: string): number | undefined {
  for (const part of partsOf(html)) if (part.isUnfinished) return part.start;
  return undefined;
}

/** Returns those of the named elements that are open at the end of the HTML, outermost first. */
export function openElements(html: string, names: ReadonlySet<string>): string[] {
  const open: string[] = [];
  const counts = new Map<string, number>();
  const change = (name: string, by: number) => counts.set(name, (counts.get(name) ?? 0) + by);
  for (const part of partsOf(html)) {
    if (part.kind !== 'tag' || !names.has(part.name)) continue;
    if (!part.isClosing) {
      open.push(part.name);
      change(part.name, 1);
      continue;
    }
    // An end tag also ends the elements in it. Without a matching start tag, it has no effect.
    while (counts.get(part.name)) {
      const name = open.pop() as string;
      change(name, -1);
      if (name === part.name) break;
    }
  }
  return open;
}

type Part = { start: number; end: number; isUnfinished?: boolean } & (
  | { kind: 'text'; text: string }
  | { kind: 'tag'; name: string; isClosing: boolean }
  | { kind: 'hidden' }
);

/** Splits HTML into text, tags, and hidden parts: comments, declarations, scripts, and styles. */
function* partsOf(html: string): Generator<Part> {
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    const textEnd = open < 0 ? html.length : open;
    if (textEnd > at) yield { kind: 'text', start: at, end: textEnd, text: html.slice(at, textEnd) };
    if (open < 0) return;
    const part = markupAt(html, open);
    yield part;
    at = part.end;
    if (part.kind === 'tag' && !part.isClosing && rawText.has(part.name)) {
      const content = rawTextAt(html, part);
      yield content;
      at = content.end;
    }
  }
}

/** Parses the markup at a `<`. */
function markupAt(html: string, start: number): Part {
  if (html.startsWith('<!--', start)) return hidden(html, start, html.indexOf('-->', start + 4), 3);
  const [, slash, name] = /^<(\/?)([a-z][a-z0-9-]*)/i.exec(html.slice(start, start + 32)) ?? [];
  if (name) {
    const end = endOfTag(html, start + 1);
    const isUnfinished = end < 0;
    return {
      kind: 'tag',
      name: name.toLowerCase(),
      isClosing: slash === '/',
      start,
      end: isUnfinished ? html.length : end,
      isUnfinished,
    };
  }
  return /^<[!?/]/.test(html.slice(start, start + 2))
    ? hidden(html, start, html.indexOf('>', start), 1)
    : { kind: 'text', text: '<', start, end: start + 1 };
}

function hidden(html: string, start: number, at: number, length: number): Part {
  return at < 0
    ? { kind: 'hidden', start, end: html.length, isUnfinished: true }
    : { kind: 'hidden', start, end: at + length };
}

/** Returns the index after the tag's `>`, or -1. A `>` in a quoted attribute doesn't end the tag. */
function endOfTag(html: string, from: number): number {
  let quote = '';
  // Keep track of the last non-space character, because a quotation mark starts a value only after an equals
  // sign.
  let before = '';
  for (let at = from; at < html.length; at += 1) {
    const character = html.charAt(at);
    if (quote) {
      if (character === quote) quote = '';
    } else if (character === '>') return at + 1;
    else if ((character === '"' || character === "'") && before === '=') quote = character;
    if (!/\s/.test(character)) before = character;
  }
  return -1;
}

/** Returns the content of an element that can't contain tags. Its end tag follows as a separate part. */
function rawTextAt(html: string, tag: Part & { name: string }): Part {
  const { name, end: start } = tag;
  const endTag = new RegExp(`</${name}[\\s/>]`, 'gi');
  endTag.lastIndex = start;
  const match = name === 'plaintext' ? null : endTag.exec(html);
  const end = match?.index ?? html.length;
  const position = { start: match ? start : tag.start, end, isUnfinished: !match };
  return hiddenText.has(name)
    ? { kind: 'hidden', ...position }
    : { kind: 'text', text: html.slice(start, end), ...position };
}

const setOf = (names: string) => new Set(names.split(' '));

const blocks = setOf(
  'address article aside blockquote br dd div dl dt fieldset figcaption figure footer form ' +
    'h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tbody td tfoot th thead tr ul',
);

const hiddenText = setOf('script style');

const rawText = setOf('script style textarea title xmp iframe noembed noframes plaintext');

/** Decodes common character references. A non-breaking space becomes a regular space. */
export function decodeReferences(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]+[1-4]*));/gi,
    (reference, decimal, hex, name) => {
      if (name) return references.get(name) ?? references.get(name.toLowerCase()) ?? reference;
      const point = decimal ? Number(decimal) : Number.parseInt(hex, 16);
      if (point === 0xa0) return ' ';
      return point <= 0x10ffff ? String.fromCodePoint(point) : reference;
    },
  );
}

/** The names of U+00A1 to U+00FF. */
const latin1 =
  'iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute ' +
  'micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring ' +
  'AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml ' +
  'times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ' +
  'ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide ' +
  'oslash ugrave uacute ucirc uuml yacute thorn yuml';

/** Names of characters that servers may encode, each followed by its character. */
const others =
  'amp & lt < gt > quot " apos \' colon : semi ; comma , period . excl ! num # dollar $ percnt % lpar ( rpar ) ' +
  'ast * plus + equals = sol / commat @ lowbar _ lsqb [ lbrack [ rsqb ] rbrack ] ndash \u2013 mdash \u2014 ' +
  'lsquo \u2018 rsquo \u2019 ldquo \u201c rdquo \u201d hellip \u2026 bull \u2022 euro \u20ac';

const references = new Map<string, string>([
  ['nbsp', ' '],
  ['Tab', '\t'],
  ['NewLine', '\n'],
  ...latin1.split(' ').map((name, index) => [name, String.fromCharCode(0xa1 + index)] as const),
  ...Array.from(
    others.matchAll(/(\S+) (\S+)/g),
    ([, name = '', character = '']) => [name, character] as const,
  ),
]);
