import { decodeReferences } from '../../../src/shared/plain-text.js';
import type { MatchResult } from './target.js';

/**
 * The maximum length of the search string, in characters. Servers that truncate titles are assumed to keep at
 * least this many characters.
 */
const longestTerm = 100;

/**
 * Returns the longest part of a title that every server stores and searches as is. Servers trim and truncate
 * titles, collapse spaces, strip markup, escape quotes, and normalize Unicode differently. Backslashes can
 * also break title searches, because they're special characters in SQL's `LIKE`.
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

/**
 * Returns the group that a title belongs to. If a search for one title can find the other, they're in the same
 * group.
 */
export const titleGroup = (title: unknown): string =>
  [...plain(`${title}`.slice(0, 1000))].slice(0, longestTerm).join('');

/** Compares a title with the title in the server's response, which may be normalized or truncated. */
export function compareTitles(sent: string, received: string): MatchResult {
  if (sent === received) return 'exact';
  const [sentText, receivedText] = [plain(sent), plain(received.slice(0, 10_000))];
  if (sentText === receivedText) return 'yes';
  const start = receivedText.replace(/\.\.\.$/, '').trimEnd();
  return start.length >= 20 && sentText.startsWith(start) ? 'maybe' : 'no';
}

/** Returns whether the server may have stored one title as the other. */
export const sameTitle = (sent: unknown, received: unknown): boolean =>
  typeof sent === 'string' && compareTitles(sent, `${received}`) !== 'no';

/** Compares only the text of two HTML strings, because servers clean up markup. */
export function sameHtml(sent: unknown, received: unknown): boolean {
  if (sent === received) return true;
  if (typeof sent !== 'string' && sent !== null) return false;
  const [one, other] = [`${sent ?? ''}`, `${received ?? ''}`];
  const length = Math.max(one.length, other.length);
  if (length > longestHtml) return false;
  // Don't use NFKC for long strings, because it can make them 18 times longer.
  const form = length > 100_000 ? 'NFC' : 'NFKC';
  return plain(one, form) === plain(other, form);
}

/**
 * The maximum length of the strings to compare, because longer ones could take too long. It's twice the
 * maximum length of a document.
 */
const longestHtml = 2_000_000;

/**
 * Returns the text of an HTML string in lowercase. Collapses whitespace and replaces each "…" with three
 * periods.
 */
function plain(html: string, form = 'NFKC'): string {
  // Neither alternative scans past the start of another match. So even unclosed comments and tags take only
  // linear time.
  const text = html.replace(/<!--(?:(?!<!--).)*?-->|<\/?[a-z][^<>]*>/gis, ' ');
  return (
    decodeReferences(text)
      // If many combining marks follow each other, normalization takes quadratic time.
      .replace(/([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu, '$1')
      .normalize(form)
      .replace(/[\p{C}\s]+/gu, ' ')
      .trim()
      .toLowerCase()
  );
}
