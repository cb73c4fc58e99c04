import type { MatchResult } from './target.js';

/**
 * The maximum length of the search string, in characters. Servers that truncate titles are assumed to keep at
 * least this many characters.
 */
const longestTerm = 100;

/**
 * Returns the longest part of a title that every server stores and searches as it is. Servers trim and
 * truncate titles, collapse spaces, strip markup, escape quotes, and change the normalization of Unicode; a
 * backslash is a special character of SQL's `LIKE`.
 */
export function searchTerm(title: string): string {
  const parts = title
    .slice(0, 1000)
    .replace(changeable, '\n')
    .replace(/[^\x20-\x7e]/gu, (character) => (character.normalize('NFKC') === character ? character : '\n'))
    .split(/\s{2,}|[^\S ]|\p{C}/u)
    .map((part) => [...part.trim()].slice(0, longestTerm).join('').trim());
  return parts.reduce((longest, part) => (part.length > longest.length ? part : longest), '');
}

/** Matches markup, entities, punctuation that servers escape or replace, and letters with combining marks. */
const changeable =
  /<[^<>]*>|&(?:\w+|#\w+);|[<>&"'`\\‘’‚‛“”„‟«»…]|\.{2,}|[^\p{M}]\p{M}+|\p{M}|[\u{10000}-\u{10ffff}]|\p{So}/gu;

/** Returns the group of a title. All titles that a search can confuse are in the same group. */
export const titleGroup = (title: unknown): string =>
  [...plain(`${title}`.slice(0, 1000))].slice(0, longestTerm).join('');

/** Compares a title with the one the server returned, which may be normalized or truncated. */
export function compareTitles(sent: string, received: string): MatchResult {
  if (sent === received) return 'exact';
  const [sentText, receivedText] = [plain(sent), plain(received.slice(0, 10_000))];
  if (sentText === receivedText) return 'yes';
  const start = receivedText.replace(/\.\.\.$/, '').trimEnd();
  return start.length >= 20 && sentText.startsWith(start) ? 'maybe' : 'no';
}

/** Compares the fields that were sent: dates by time, strings by their text, and everything else by value. */
export const sameContent = <Content extends object>(
  sent: Content,
  received: { [Field in keyof Content]-?: unknown },
): boolean =>
  Object.entries(sent).every(([field, value]) => {
    const other = received[field as keyof Content];
    if (field.endsWith('_at')) return sameInstant(value, other as string | null);
    if (typeof value !== 'string' && typeof other !== 'string')
      return (value ?? other ?? null) === (other ?? null);
    return sameHtml(value, other as string | null);
  });

/**
 * Compares only the text of two HTML strings, because servers clean up markup. If the field wasn't sent, it
 * isn't compared.
 */
export function sameHtml(sent: string | null | undefined, received: string | null | undefined): boolean {
  if (sent === undefined || sent === received) return true;
  const length = Math.max(sent?.length ?? 0, received?.length ?? 0);
  if (length > longestHtml) return false;
  // NFKC can make a string 18 times longer.
  const form = length > 100_000 ? 'NFC' : 'NFKC';
  return plain(sent ?? '', form) === plain(received ?? '', form);
}

/** Twice the maximum length of a document. Longer strings aren't compared, so that a comparison always ends soon. */
const longestHtml = 2_000_000;

/** Compares date-times, regardless of their format. Servers may store them without milliseconds. */
function sameInstant(sent: string | Date | null | undefined, received: string | null): boolean {
  if (sent === undefined) return true;
  if (sent === null || received === null) return (sent ?? null) === received;
  const seconds = (date: string | Date) => Math.floor(new Date(date).getTime() / 1000);
  return seconds(sent) === seconds(received);
}

/** Compares the sent IDs with the received references, ignoring their order. */
export function sameIds(
  sent: readonly string[] | undefined,
  received: readonly { id: string }[] | undefined,
): boolean {
  return (
    sent === undefined ||
    sameSet(
      sent,
      (received ?? []).map(({ id }) => id),
    )
  );
}

export function sameSet(one: readonly string[], other: readonly string[]): boolean {
  const [first, second] = [new Set(one), new Set(other)];
  return first.size === second.size && [...first].every((item) => second.has(item));
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** Returns an HTML string's text in lowercase, with whitespace collapsed and "…" as three periods. */
function plain(html: string, form = 'NFKC'): string {
  return (
    html
      // Neither pattern crosses the start of another match, so unclosed comments and tags take linear time.
      .replace(/<!--(?:(?!<!--).)*?-->|<\/?[a-z][^<>]*>/gis, ' ')
      .replace(/&(?:(\w+)|#(\d+)|#x([\da-f]+));/gi, (whole, name?: string, decimal?: string, hex = '') => {
        if (name) return entities[name.toLowerCase()] ?? whole;
        const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
        return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
      })
      // The time that normalization takes is quadratic in the number of consecutive combining marks.
      .replace(/([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu, '$1')
      .normalize(form)
      .replace(/[\p{C}\s]+/gu, ' ')
      .trim()
      .toLowerCase()
  );
}
