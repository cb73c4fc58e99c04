import { describe, expect, it } from 'vitest';
import { defaultWire } from 'worktrack';

const { page } = defaultWire;

interface Sent {
  data: {
    next_page_url: string | null;
    prev_page_url: string | null;
    first_page_url: string;
    last_page_url: string;
    path: string;
    links: { url: string | null; label: string; active: boolean }[];
  };
}

/** Encodes a page with two items. */
const send = (current_page: number, last_page: number, query = '') =>
  (
    page.encode(
      ['a', 'b'],
      { current_page, last_page, per_page: 2, total: 2 * last_page, from: 1, to: 2 },
      new URL(`https://work.example:8443/api/v1/things${query}`),
    ) as Sent
  ).data;

const labels = (current: number, last: number) => send(current, last).links.map(({ label }) => label);
const active = (current: number, last: number) =>
  send(current, last)
    .links.filter((link) => link.active)
    .map(({ label }) => label);

describe('an encoded page', () => {
  it('links to the pages before and after it with absolute URLs that include the filters and one page parameter', () => {
    const path = 'https://work.example:8443/api/v1/things';
    expect(send(2, 3, '?q=a%26b&page=2&per_page=9')).toMatchObject({
      path,
      first_page_url: `${path}?q=a%26b&page=1&per_page=2`,
      prev_page_url: `${path}?q=a%26b&page=1&per_page=2`,
      next_page_url: `${path}?q=a%26b&page=3&per_page=2`,
      last_page_url: `${path}?q=a%26b&page=3&per_page=2`,
    });
  });

  it("doesn't link to pages before the first one or after the last one", () => {
    const neighbors = (current: number, last: number) => {
      const { prev_page_url, next_page_url } = send(current, last);
      return [prev_page_url, next_page_url].map((url) => url && new URL(url).searchParams.get('page'));
    };
    expect(neighbors(1, 1)).toEqual([null, null]);
    expect(neighbors(1, 2)).toEqual([null, '2']);
    expect(neighbors(2, 2)).toEqual(['1', null]);
    expect(neighbors(3, 2)).toEqual(['2', null]);
    expect(neighbors(9, 2)).toEqual([null, null]);
  });

  it('lists the link to the previous page first and the link to the next page last', () => {
    const { links, prev_page_url, next_page_url } = send(2, 3);
    expect(links.at(0)).toEqual({ url: prev_page_url, label: 'Previous', active: false });
    expect(links.at(-1)).toEqual({ url: next_page_url, label: 'Next', active: false });
    expect(links.slice(1, -1).map(({ url }) => new URL(url ?? '').searchParams.get('page'))).toEqual([
      '1',
      '2',
      '3',
    ]);
  });

  it('marks only the link to the current page as active', () => {
    expect(active(2, 3)).toEqual(['2']);
    expect(active(9, 3)).toEqual([]);
  });

  it('links to the first page, the last page, and five pages on either side of the current page', () => {
    const between = (current: number, last: number) => labels(current, last).slice(1, -1).map(Number);
    expect(between(1, 1)).toEqual([1]);
    expect(between(1, 20)).toEqual([1, 2, 3, 4, 5, 6, 20]);
    expect(between(10, 20)).toEqual([1, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 20]);
    expect(between(20, 20)).toEqual([1, 15, 16, 17, 18, 19, 20]);
    expect(between(1_000_000, 20)).toEqual([1, 15, 16, 17, 18, 19, 20]);
  });
});

describe('decoding a page', () => {
  const pageInfo = { current_page: 1, per_page: 2, last_page: 3, total: 5, from: 1, to: 2 };

  it('returns the items and the page info without the links', () => {
    const sent = page.encode(['a'], pageInfo, new URL('https://work.example/api/v1/things'));
    expect(page.decode(sent)).toEqual({ data: ['a'], pageInfo, hasNext: true });
  });

  it('accepts a page at the top level of the body', () => {
    expect(page.decode({ data: ['a'], ...pageInfo })).toEqual({ data: ['a'], pageInfo, hasNext: true });
  });

  it('accepts page info in `meta` that has no links or path', () => {
    const meta = { ...pageInfo, path: '/things', links: [], next_page_url: 'x', extra: 1 };
    expect(page.decode({ data: ['a'], meta })).toEqual({
      data: ['a'],
      pageInfo: { ...pageInfo, extra: 1 },
      hasNext: true,
    });
  });

  it('preserves a field whose name starts with the name of a link', () => {
    expect(page.decode({ data: [], next_page_url_count: 1 })?.pageInfo).toEqual({ next_page_url_count: 1 });
  });

  it.each([
    ['the page info', { current_page: 1, last_page: 2 }, true],
    ['page numbers sent as strings', { current_page: '9', last_page: '10' }, true],
    ['the last page', { current_page: 2, last_page: 2 }, false],
    ['a page after the last', { current_page: 3, last_page: 2 }, false],
    ['no page info', {}, undefined],
    ['next_page_url', { next_page_url: '/x' }, true],
    ['a next_page_url that is null', { next_page_url: null }, false],
    ['links.next', { links: { next: '/x' } }, true],
    ['a links.next that is null', { links: { next: null } }, false],
    ['a list of links', { links: [{ url: '/x', label: 'Next', active: false }] }, undefined],
    ['links that are null', { links: null }, undefined],
    [
      'next_page_url, which takes precedence over the page info',
      { next_page_url: '/x', current_page: 2, last_page: 2 },
      true,
    ],
  ])('determines hasNext from %s', (_, rest, hasNext) => {
    expect(page.decode({ data: { data: [], ...rest } })?.hasNext).toBe(hasNext);
    expect(page.decode({ data: [], ...rest })?.hasNext).toBe(hasNext);
  });

  it.each([
    undefined,
    null,
    'text',
    1,
    [],
    [[]],
    {},
    { data: null },
    { data: 'text' },
    { data: {} },
    { data: { data: {} } },
    { data: { data: null } },
    { meta: { data: [] } },
  ])('returns undefined for %j', (body) => {
    expect(page.decode(body)).toBeUndefined();
  });
});
