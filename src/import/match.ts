import type { Match } from './target.js';

/**
 * The maximum length of the search string, in characters. It is shorter than any length to which servers
 * truncate titles.
 */
const longestTerm = 100;

/**
 * The string to search for to find a record by its title. It is the longest part that stays unchanged even if
 * the server trims the title, collapses spaces, strips markup or truncates it.
 */
export function searchTerm(title: string): string {
  const parts = title
    .slice(0, 1000)
    .normalize('NFC')
    .replace(/<[^<>]*>|[<>&]/g, '\n')
    .split(/\s{2,}|[^\S ]|\p{C}/u)
    .map((part) => [...part.trim()].slice(0, longestTerm).join('').trim());
  return parts.reduce((longest, part) => (part.length > longest.length ? part : longest), '');
}

/** Compares a title with the one that the server returned, which may be normalized or truncated. */
export function compareTitles(sent: string, received: string): Match {
  if (sent === received) return 'yes';
  const [mine, theirs] = [plain(sent), plain(received)];
  if (mine === theirs) return 'yes';
  const start = theirs.replace(/(…|\.\.\.)$/, '').trimEnd();
  return start.length >= 20 && mine.startsWith(start) ? 'maybe' : 'no';
}

/**
 * Compares HTML by its text, because servers clean up markup. Undefined wasn't sent, so it isn't compared.
 */
export function sameHtml(sent: string | null | undefined, received: string | null | undefined): boolean {
  if (sent === undefined || sent === received) return true;
  return plain(sent ?? '') === plain(received ?? '');
}

/** Compares instants, regardless of their format. */
export function sameInstant(sent: string | Date | null | undefined, received: string | null): boolean {
  if (sent === undefined) return true;
  if (sent === null || received === null) return (sent ?? null) === received;
  return new Date(sent).getTime() === new Date(received).getTime();
}

/** Compares the IDs that were sent with the references that were received, in any order. */
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

/** The text of HTML in lower case, with single spaces. */
function plain(html: string): string {
  return html
    .replace(/<!--.*?-->|<\/?[a-z][^>]*>/gis, ' ')
    .replace(/&(#x?[\da-f]+|\w+);/gi, (whole, name: string) => {
      if (!name.startsWith('#')) return entities[name.toLowerCase()] ?? whole;
      const code =
        name[1]?.toLowerCase() === 'x' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    })
    .normalize('NFKC')
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .toLowerCase();
}
