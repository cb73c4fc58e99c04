/**
 * Extracts the visible text from HTML. Removes tags, comments, scripts, and styles, inserts line breaks for
 * block elements and `<br>`, and decodes character references. Runs in linear time, even for malicious input,
 * because it reads the HTML only once.
 */
export function plainText(html: string): string {
  if (!html.includes('<')) return decodeReferences(html);
  let text = '';
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    if (open < 0) return text + decodeReferences(html.slice(at));
    text += decodeReferences(html.slice(at, open));
    const markup = readMarkup(html, open);
    text += markup.text;
    at = markup.end;
  }
  return text;
}

/** Parses the markup at a `<` and returns its replacement text. */
function readMarkup(html: string, open: number): { text: string; end: number } {
  if (html.startsWith('<!--', open)) return { text: '', end: after(html, '-->', open + 4) };
  const [, closing, name] = /^<(\/?)([a-z][a-z0-9-]*)/i.exec(html.slice(open, open + 32)) ?? [];
  if (!name) {
    return /^<[!?/]/.test(html.slice(open, open + 2))
      ? { text: '', end: after(html, '>', open) }
      : { text: '<', end: open + 1 };
  }
  const end = endOfTag(html, open + 1);
  if (!closing && /^(script|style)$/i.test(name)) {
    return { text: '', end: endOfRawText(html, name, end) };
  }
  return { text: blocks.has(name.toLowerCase()) ? '\n' : '', end };
}

/** Returns the index after the tag's `>`. A `>` in a quoted attribute doesn't end the tag. */
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
  return html.length;
}

function endOfRawText(html: string, name: string, from: number): number {
  const end = new RegExp(`</${name}[\\s/>]`, 'gi');
  end.lastIndex = from;
  const match = end.exec(html);
  return match ? endOfTag(html, match.index + 2) : html.length;
}

function after(html: string, mark: string, from: number): number {
  const at = html.indexOf(mark, from);
  return at < 0 ? html.length : at + mark.length;
}

const blocks = new Set(
  (
    'address article aside blockquote br dd div dl dt fieldset figcaption figure footer form ' +
    'h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tbody td tfoot th thead tr ul'
  ).split(' '),
);

const references = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
]);

/** Decodes common character references. A non-breaking space becomes a regular space. */
export function decodeReferences(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]+));/gi, (reference, decimal, hex, name) => {
    if (name) return references.get(name.toLowerCase()) ?? reference;
    const point = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    if (point === 0xa0) return ' ';
    return point <= 0x10ffff ? String.fromCodePoint(point) : reference;
  });
}
