import { decodeReferences, openElements, plainText, unfinishedMarkup } from './shared/plain-text.js';
import { quote } from './shared/quote.js';

/** Says which row or key a record was created from. */
export interface Mark {
  /** The kind of the record, so that a ticket's mark isn't valid in a document. */
  kind: 'ticket' | 'document';
  /** Where the key comes from, such as `Jira`. Undefined for the keys of `findOrCreate`. */
  source?: string | undefined;
  /** The key of the row in the source, such as `APO-123`. */
  key: string;
}

/** The maximum length of a mark's source and of its key, in characters. */
export const maxMarkPart = 200;

/**
 * Adds a mark to a record's HTML as its last paragraph, such as `Imported from Jira: APO-123 [7f3k9q2d]`. The
 * mark is visible, because servers remove hidden markup. Other marks in the HTML are changed so that they never
 * count as one, and unfinished markup is closed so that it can't hide the mark.
 *
 * @throws RangeError if the mark's source or key isn't 1 to 200 characters long, or isn't well-formed Unicode
 */
export function addMark(html: string | null | undefined, mark: Mark): string {
  const text = markText(mark);
  if (html && hasMark(html, mark)) return html;
  return `${neutralizeMarks(closeMarkup(html ?? ''))}<p>${text}</p>`;
}

/**
 * Returns a mark as text. The text has the same meaning in HTML.
 *
 * @throws RangeError if the mark's source or key isn't 1 to 200 characters long
 */
export function markText({ kind, source, key }: Mark): string {
  checkPart('key', key);
  if (source !== undefined) checkPart('source', source);
  const origin = source === undefined ? withKey : `${imported}${encode(source).replaceAll(':', '%3A')}: `;
  return `${origin}${encode(key)} [${digestOf({ kind, source, key })}]`;
}

/** Returns the mark at the end of a record's HTML. Text elsewhere in the HTML never counts as a mark. */
export function readMark(html: string | null | undefined, kind: Mark['kind']): Mark | undefined {
  if (!html || !closingBracket.test(html)) return undefined;
  const text = fold(plainText(html));
  return markAtEnd(text.slice(-longestMark), kind);
}

/** Whether a record's HTML ends with this mark. */
export function hasMark(html: string | null | undefined, mark: Mark): boolean {
  const found = readMark(html, mark.kind);
  return found !== undefined && markText(found) === markText(mark);
}

/**
 * Adds the key paragraph of a record's current HTML to its new HTML, so that `findOrCreate`, `findByKey`, imports,
 * and syncs still find the record after an update. Returns the new HTML unchanged if the current HTML has no key.
 *
 * @param html the new `description_html` or `content_html`. It may contain the old paragraph, which is removed.
 * @param current the record's current `description_html` or `content_html`
 *
 * @example
 * ```ts
 * const description_html = keepKey('<p>Fixed</p>', ticket.description_html);
 * await client.tickets.update(ticket.id, { description_html });
 * ```
 */
export function keepKey(html: string, current: string | null | undefined): string {
  const mark = readMark(current, 'ticket') ?? readMark(current, 'document');
  return mark ? addMark(html.replaceAll(`<p>${markText(mark)}</p>`, ''), mark) : html;
}

/** Removes the mark from the end of a record's HTML. Returns HTML without a mark unchanged. */
export function removeMark(html: string, kind: Mark['kind']): string {
  if (!readMark(html, kind)) return html;
  const start = lastIndexOf(html, introduction);
  const end = lastIndexOf(html, bracketAndRest);
  if (start < 0 || end < start) return html;
  let before = html.slice(0, start);
  let after = html.slice(end).replace(closingBracket, '');
  // The mark's paragraph is empty now, and possibly elements around it.
  for (;;) {
    const openTag = /^<([a-z][a-z0-9]*)\b[^<>]*>\s*$/i.exec(before.slice(before.lastIndexOf('<')));
    const closeTag = /^\s*<\/([a-z][a-z0-9]*)\s*>/i.exec(after);
    if (!openTag || openTag[1]?.toLowerCase() !== closeTag?.[1]?.toLowerCase()) break;
    before = before.slice(0, openTag.index + before.lastIndexOf('<'));
    after = after.slice(closeTag?.[0].length);
  }
  return before + after;
}

/**
 * Changes every mark in HTML so that it can't be taken for one, even if the record's own mark is removed later.
 * The brackets of its digest become parentheses.
 */
function neutralizeMarks(html: string): string {
  const digests = digestsOfMarks(html);
  if (digests.size === 0) return html;
  const changed = html.replace(bracketedDigest, (text, digest) =>
    digests.has(digest) ? `(${digest})` : text,
  );
  // A mark that is still there is split by markup or written as references.
  return digestsOfMarks(changed).size > 0 ? changed.replaceAll(everyClosingBracket, ')') : changed;
}

const imported = 'Imported from ';
const withKey = 'Created with key: ';
const grammar = /^(?:Imported from ([^:]+?) ?|Created with key): (.+) \[([0-9a-z]{8})\]$/;
const bracketedDigest = /\[([0-9a-z]{8})\]/g;
const introductionOrDigest = /Imported from |Created with key: |\[([0-9a-z]{8})\]/g;
const closingBracket = /\]|&(?:#0*93|#x0*5d|rsqb|rbrack);?/i;
const everyClosingBracket = /\]|&(?:amp;)*(?:#0*93|#x0*5d|rsqb|rbrack);?/gi;
const introduction = /(?:Imported(?:\s|&nbsp;|&#160;)+from|Created(?:\s|&nbsp;|&#160;)+with)/g;
const bracketAndRest = new RegExp(closingBracket, 'gi');

/** The maximum length of a mark as text: up to nine characters for each character of its source and key. */
const longestMark = 2 * 9 * maxMarkPart + 100;

/** Replaces white space, including line breaks and characters of no width, by single spaces. */
const fold = (text: string) => text.replace(/[\s\u200b\u2060]+/g, ' ').trim();

function markAtEnd(text: string, kind: Mark['kind']): Mark | undefined {
  const start = Math.max(text.lastIndexOf(imported), text.lastIndexOf(withKey));
  const [, source, key = '', digest] = (start < 0 ? null : grammar.exec(text.slice(start))) ?? [];
  const mark = { kind, source: source && decode(source), key: decode(key) };
  const isValid = isPart(mark.key) && isPart(mark.source ?? 'none');
  return isValid && digest === digestOf(mark) ? mark : undefined;
}

/** Returns the digests of all marks in HTML, also of those that appear if a server removes or escapes tags. */
function digestsOfMarks(html: string): Set<string> {
  const digests = new Set<string>();
  if (!closingBracket.test(html)) return digests;
  for (const view of [plainText(html), plainText(html.replace(/<[^<>]*>/g, '')), decodeReferences(html)]) {
    const text = fold(view);
    let start = -1;
    for (const { index, 0: part, 1: digest } of text.matchAll(introductionOrDigest)) {
      if (digest === undefined) start = index;
      else if (start >= 0 && index - start < longestMark) {
        const candidate = text.slice(start, index + part.length);
        if (markAtEnd(candidate, 'ticket') || markAtEnd(candidate, 'document')) digests.add(digest);
      }
    }
  }
  return digests;
}

function lastIndexOf(text: string, pattern: RegExp): number {
  let last = -1;
  for (const { index } of text.matchAll(pattern)) last = index;
  return last;
}

function checkPart(name: 'source' | 'key', value: string): void {
  if (isPart(value)) return;
  throw new RangeError(
    /\p{Surrogate}/u.test(value)
      ? `a mark's ${name} must be well-formed Unicode (got ${quote(value)})`
      : `a mark's ${name} must be 1 to ${maxMarkPart} characters long (got ${value.length}: ${quote(value)})`,
  );
}

/** Keys that aren't well-formed Unicode would have the same mark if they differ only in invalid characters. */
const isPart = (value: string): boolean =>
  value.length >= 1 && value.length <= maxMarkPart && !/\p{Surrogate}/u.test(value);

/**
 * Encodes what a server might change: control characters, quotation marks, brackets, characters outside of ASCII, and
 * spaces other than single ones within the text. The result never contains the beginning of a mark.
 */
const encode = (text: string) =>
  encodeURIComponent(wellFormed(text))
    .replace(/%(2F|3A|40|23|2B|2C|3D|24)/g, (code) => decodeURIComponent(code))
    .replaceAll("'", '%27')
    .replace(/(?<!%20|Imported|Created|^)%20(?!%20|$)/g, ' ');

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Replaces lone surrogates, which can't be encoded. */
const wellFormed = (text: string) => text.replace(/\p{Surrogate}/gu, '\ufffd');

const digestLetters = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * Binds a mark's parts to each other: 40 bits of a hash (two multiplicative 32-bit hashes that are mixed into each
 * other). The digest keeps ordinary text from counting as a mark by accident. It isn't a secret: anyone who may write a
 * record can also write a valid mark.
 */
function digestOf({ kind, source, key }: Mark): string {
  const text = [kind, encode(source ?? ''), encode(key)].join('\n');
  let low = 0xdeadbeef;
  let high = 0x41c6ce57;
  for (let index = 0; index < text.length; index++) {
    low = Math.imul(low ^ text.charCodeAt(index), 0x9e3779b1);
    high = Math.imul(high ^ text.charCodeAt(index), 0x5f356495);
  }
  const mix = (hash: number) => Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  const bits = ((mix(low) ^ (high >>> 13)) >>> 0) + ((mix(high) ^ (low >>> 13)) & 0xff) * 2 ** 32;
  return Array.from({ length: 8 }, (_, index) =>
    digestLetters.charAt(Math.floor(bits / 32 ** index) % 32),
  ).join('');
}

/**
 * Closes what would hide or move a paragraph that follows. CDATA sections exist only in SVG and MathML. A `<` before a
 * tag would start another tag if a server removes that tag.
 */
function closeMarkup(html: string): string {
  const text = html.replace(/<(?=<|!\[CDATA\[|$)/g, '&lt;');
  const at = unfinishedMarkup(text);
  const finished = at === undefined ? text : text.slice(0, at) + text.slice(at).replaceAll('<', '&lt;');
  const endTags = openElements(finished, containers).map((name) => `</${name}>`);
  return finished + endTags.reverse().join('');
}

const containers = new Set(
  'audio button canvas details dialog math noscript object select svg table template video'.split(' '),
);
