import { describe, expect, test } from 'vitest';
import { checkEach } from '../support/check-each.js';
import { recordFields } from '../support/operations.js';
import { expectError } from './expectations.js';
import { type Json, origin, rawApi } from './requests.js';
import { serve } from './world.js';

const lists = [
  ['tickets.list', '/projects/prj_apollo/tickets'],
  ['documents.list', '/organizations/org_acme/documents'],
] as const;

/** Creates a server with `count` tickets in `prj_apollo` and `count` documents. */
function serveRecords(count: number) {
  const records = (kind: string) =>
    Array.from({ length: count }, (_, index) => ({ id: `${kind}_${index}`, title: `Item ${index}` }));
  const boards = [{ id: 'brd_todo', name: 'To do', tickets: records('tkt') }];
  return serve({ boards }, { documents: records('doc') });
}

const titles = (page: Json) => page.data.map(({ title }: Json) => title);

describe.each(lists)('%s', (_, path) => {
  const url = (page: number, rest: string) => `${origin}/api/v1${path}?${rest}&page=${page}`;

  test('C-4, C-5 a page in the middle of the list contains all page info fields', async () => {
    const { status, body } = await rawApi(serveRecords(7)).get(`${path}?per_page=2&page=2`);
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['data']);
    const { data, links, ...numbers } = body.data;
    expect(Object.keys(body.data).sort()).toEqual(recordFields.page);
    expect(titles(body.data)).toEqual(['Item 2', 'Item 3']);
    expect(numbers).toEqual({
      current_page: 2,
      per_page: 2,
      last_page: 4,
      total: 7,
      from: 3,
      to: 4,
      path: `${origin}/api/v1${path}`,
      first_page_url: url(1, 'per_page=2'),
      last_page_url: url(4, 'per_page=2'),
      next_page_url: url(3, 'per_page=2'),
      prev_page_url: url(1, 'per_page=2'),
    });
    for (const link of links) expect(Object.keys(link).sort()).toEqual(recordFields.pageLink);
    expect(links.map(({ label }: Json) => label).slice(1, -1)).toEqual(['1', '2', '3', '4']);
    expect(links.filter(({ active }: Json) => active).map(({ label }: Json) => label)).toEqual(['2']);
    expect([links.at(0).url, links.at(-1).url]).toEqual([numbers.prev_page_url, numbers.next_page_url]);
  });

  test('C-5 the first page has no previous URL, and the last page has no next URL', async () => {
    const api = rawApi(serveRecords(3));
    const first = (await api.get(`${path}?per_page=2`)).data;
    expect(first).toMatchObject({ current_page: 1, from: 1, to: 2, prev_page_url: null });
    const last = (await api.get(first.next_page_url.slice(`${origin}/api/v1`.length))).data;
    expect(last).toMatchObject({ current_page: 2, from: 3, to: 3, next_page_url: null });
    expect([...titles(first), ...titles(last)]).toEqual(['Item 0', 'Item 1', 'Item 2']);
  });

  test('C-5 an empty list has a single empty page', async () => {
    const { data } = await rawApi(serveRecords(0)).get(path);
    expect(data).toMatchObject({
      data: [],
      current_page: 1,
      last_page: 1,
      total: 0,
      from: null,
      to: null,
      next_page_url: null,
      prev_page_url: null,
    });
  });

  test('C-4 a page after the last one is empty but still includes the total', async () => {
    const { status, data } = await rawApi(serveRecords(3)).get(`${path}?per_page=2&page=9`);
    expect(status).toBe(200);
    expect(data).toMatchObject({ data: [], current_page: 9, last_page: 2, total: 3, from: null, to: null });
    expect(data.next_page_url).toBeNull();
  });

  test('F-9 `per_page` defaults to 50 and is at most 200', async () => {
    const api = rawApi(serveRecords(201));
    const byDefault = (await api.get(path)).data;
    expect([byDefault.per_page, byDefault.data.length, byDefault.last_page]).toEqual([50, 50, 5]);
    const smallest = (await api.get(`${path}?per_page=1`)).data;
    expect([smallest.per_page, smallest.data.length, smallest.last_page]).toEqual([1, 1, 201]);
    const largest = (await api.get(`${path}?per_page=200`)).data;
    expect([largest.per_page, largest.data.length, largest.last_page]).toEqual([200, 200, 2]);
  });

  test('F-9, C-4 an invalid `per_page` or `page` is rejected', async () => {
    await checkEach(['201', '0', '-1', 'abc', '1.5', '', '1e2', 'NaN', '0x10', '2;3'], async (value) => {
      const api = rawApi(serveRecords(1));
      const perPage = await api.get(`${path}?per_page=${encodeURIComponent(value)}`);
      expectError(perPage, 'validation_failed', 'per_page');
      if (value === '201') return;
      expectError(await api.get(`${path}?page=${encodeURIComponent(value)}`), 'validation_failed', 'page');
    });
  });

  test('F-9 a `page` greater than the largest integer is reported only once', async () => {
    const { body } = await rawApi(serveRecords(1)).get(`${path}?page=9007199254740992`);
    const message = 'page must be at most 9,007,199,254,740,991 (got 9007199254740992)';
    expect(body).toMatchObject({ message, errors: { page: [message] } });
  });

  test('C-5 every link includes `per_page` and the filters', async () => {
    const api = rawApi(serveRecords(23));
    const query = `q=${encodeURIComponent('item & ?#+')}`;
    const firstPage = (await api.get(`${path}?${query}&per_page=2`)).data;
    expect(new URL(firstPage.first_page_url).searchParams.get('q')).toBe('item & ?#+');

    const { data } = await api.get(`${path}?q=item+1&per_page=2&page=3`);
    const urls = [data.first_page_url, data.last_page_url, data.next_page_url, data.prev_page_url];
    for (const link of [...urls, ...data.links.map(({ url }: Json) => url)]) {
      const { searchParams } = new URL(link);
      expect([searchParams.get('q'), searchParams.get('per_page')]).toEqual(['item 1', '2']);
      const followed = await api.get(link.slice(`${origin}/api/v1`.length));
      expect(followed.data.total).toBe(data.total);
      expect(String(followed.data.current_page)).toBe(searchParams.get('page'));
    }
  });

  test('C-8 if a query parameter occurs more than once, the last value wins', async () => {
    const { data } = await rawApi(serveRecords(5)).get(`${path}?per_page=1&per_page=3&page=1&page=2`);
    expect([data.per_page, data.current_page]).toEqual([3, 2]);
  });
});

describe('tickets.list with several boards', () => {
  /** Creates four boards with 3, 0, 1, and 4 tickets. Every other title ends with "odd". */
  const spread = () => {
    let count = 0;
    return serve({
      boards: [3, 0, 1, 4].map((tickets, board) => ({
        id: `brd_${board}`,
        name: `Board ${board}`,
        tickets: Array.from({ length: tickets }, () => ({
          title: `Item ${count}${count++ % 2 ? ' odd' : ''}`,
        })),
      })),
    });
  };
  const all = [
    ['Item 0', 'brd_0', 0],
    ['Item 1 odd', 'brd_0', 1],
    ['Item 2', 'brd_0', 2],
    ['Item 3 odd', 'brd_2', 0],
    ['Item 4', 'brd_3', 0],
    ['Item 5 odd', 'brd_3', 1],
    ['Item 6', 'brd_3', 2],
    ['Item 7 odd', 'brd_3', 3],
  ];

  test('C-4, C-25 tickets.list returns the correct tickets on each page of a filtered list', async () => {
    await checkEach(
      [
        ['', all],
        ['q=item', all],
        ['q=odd', all.filter(([title]) => String(title).endsWith('odd'))],
        ['board_id=brd_3', all.slice(4)],
        ['board_id=brd_3&q=odd', [all[5], all[7]]],
      ],
      async ([filter, expected]) => {
        const api = rawApi(spread());
        for (const perPage of [1, 2, 3, 5, 8, 9]) {
          const last = Math.ceil(expected.length / perPage);
          for (let page = 1; page <= last + 1; page += 1) {
            const { data } = await api.get(
              `/projects/prj_apollo/tickets?${filter}&per_page=${perPage}&page=${page}`,
            );
            expect(data).toMatchObject({ total: expected.length, last_page: last });
            expect(
              data.data.map(({ title, board_id, position }: Json) => [title, board_id, position]),
            ).toEqual(expected.slice((page - 1) * perPage, page * perPage));
          }
        }
      },
    );
  });
});

test('C-4, F-11 documents.list returns the correct documents on each page of search results', async () => {
  const titles = ['Plan a', 'Notes', 'Plan b', 'Plan c', 'Other', 'Plan d'];
  const api = rawApi(serve({}, { documents: titles.map((title) => ({ title, tags: ['x'] })) }));
  for (const filter of ['q=plan', 'q=plan&tags=x']) {
    const page = async (number: number) => {
      const { data } = await api.get(`/organizations/org_acme/documents?${filter}&per_page=3&page=${number}`);
      return [data.total, ...data.data.map(({ title }: Json) => title)];
    };
    expect(await page(1)).toEqual([4, 'Plan a', 'Plan b', 'Plan c']);
    expect(await page(2)).toEqual([4, 'Plan d']);
    expect(await page(3)).toEqual([4]);
  }
});
