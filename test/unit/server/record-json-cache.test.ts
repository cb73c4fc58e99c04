import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { defaultWire, Worktrack } from 'worktrack';
import { createMockServer, type MockServerOptions } from 'worktrack/mock-server';
import { RecordJsonCache } from '../../../mock-server/engine/record-json-cache.js';

const decoder = new TextDecoder();
const envelope = (items: readonly unknown[]) => ({ data: items, total: 2 });
const page = (cache: RecordJsonCache, ...records: { id: string }[]) =>
  decoder.decode(cache.page(records, envelope));
const written = (...records: object[]) => JSON.stringify(envelope(records));

/** Returns a function that lists the IDs of the records that have been serialized since its last call. */
function spyOnSerialization() {
  const stringify = vi.spyOn(JSON, 'stringify');
  onTestFinished(() => stringify.mockRestore());
  return () => {
    const ids = stringify.mock.calls.flatMap(([value]) => (value as { id?: string } | null)?.id ?? []);
    stringify.mockClear();
    return ids;
  };
}

describe('RecordJsonCache', () => {
  const one = { id: 'one', title: 'Äpfel “und” 🍐\0', tags: [{ id: 't', name: 'x' }] };
  const two = { id: 'two', title: 'Two', tags: [] };

  test('returns the same JSON whether or not a record is cached', () => {
    const cache = new RecordJsonCache();
    const serializedIds = spyOnSerialization();
    const expected = [written(), written(one), written(one, two), written(two, one)];
    serializedIds();
    expect([page(cache), page(cache, one), page(cache, one, two), page(cache, two, one)]).toEqual(expected);
    expect(serializedIds()).toEqual(['one', 'two']);
  });

  test('returns current data even if a nested field changes or another record has the same ID', () => {
    const cache = new RecordJsonCache();
    page(cache, one, two);
    const changed = [
      { ...one, title: 'Birnen' },
      { ...one, title: '' },
      { ...one, tags: [{ id: 't', name: 'y' }] },
      { id: 'one', caption: null },
      { id: 'one' },
      { ...one },
    ];
    for (const record of changed) expect(page(cache, two, record)).toBe(written(two, record));
  });

  test('caches up to 16 MiB of records that are at most 64 KiB each', () => {
    const cache = new RecordJsonCache();
    const serializedIds = spyOnSerialization();
    const long = { id: 'long', title: 'x'.repeat(2 ** 16) };
    page(cache, long);
    page(cache, long);
    expect(serializedIds()).toEqual(['long', 'long']);
    const records = Array.from({ length: 300 }, (_, index) => ({
      id: `${index}`,
      title: 'x'.repeat(60_000),
    }));
    page(cache, ...records);
    serializedIds();
    page(cache, records[299] as { id: string });
    expect(serializedIds()).toEqual([]);
    page(cache, records[0] as { id: string });
    expect(serializedIds()).toEqual(['0']);
  });

  // The cache holds exactly 512 of these records.
  const recordsOf32KiB = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => {
      const record = { id: `${from + index}`.padStart(4, '0'), title: '' };
      return { ...record, title: 'x'.repeat(2 ** 15 - JSON.stringify(record).length) };
    });
  const isCached = (cache: RecordJsonCache, ...records: { id: string }[]) => {
    const serializedIds = spyOnSerialization();
    serializedIds();
    page(cache, ...records);
    return serializedIds().length === 0;
  };

  test('counts each record once, with its current size, even after several changes', () => {
    const cache = new RecordJsonCache();
    const [first, ...others] = recordsOf32KiB(0, 512);
    page(cache, ...others);
    for (const mark of ['a', 'b', 'c']) {
      page(cache, { ...first, title: mark + first?.title.slice(1) } as { id: string });
    }
    expect(isCached(cache, ...others)).toBe(true);
  });

  test('counts the record that causes the cache to overflow', () => {
    const cache = new RecordJsonCache();
    const records = recordsOf32KiB(0, 1025);
    page(cache, ...records.slice(0, 1024));
    expect(isCached(cache, ...records.slice(512, 1024))).toBe(true);
    page(cache, ...records.slice(1024));
    expect(isCached(cache, ...records.slice(512, 513))).toBe(false);
  });

  test('starts counting from zero after clear()', () => {
    const cache = new RecordJsonCache();
    page(cache, ...recordsOf32KiB(0, 256));
    cache.clear();
    const records = recordsOf32KiB(256, 512);
    page(cache, ...records);
    expect(isCached(cache, ...records)).toBe(true);
  });
});

describe('a list response', () => {
  const world: MockServerOptions['world'] = {
    organizations: [
      {
        id: 'org',
        name: 'Acme',
        credentials: [{ token: 'token', scopes: ['*'] }],
        users: [{ id: 'ada', name: 'Ada' }],
        projects: [
          {
            id: 'project',
            name: 'P',
            key: 'P',
            members: ['Ada'],
            labels: [{ id: 'bug', name: 'Bug' }],
            boards: [
              {
                id: 'todo',
                name: 'Todo',
                tickets: [
                  { id: 'a', title: 'A' },
                  { id: 'b', title: 'B' },
                ],
              },
            ],
          },
        ],
        documents: [{ id: 'a', title: 'Document' }],
      },
    ],
  };

  test('reflects every change to its records and every restore', async () => {
    const mock = createMockServer({ world });
    const client = new Worktrack({ ...mock.clientOptions(), fetch: mock.fetch });
    const same = async () => {
      const { data } = await client.tickets.list('project');
      expect(data).toEqual(await Promise.all(data.map(({ id }) => client.tickets.get(id))));
      const documents = await client.documents.list();
      expect(documents.data).toEqual(
        await Promise.all(documents.data.map(({ id }) => client.documents.get(id))),
      );
      return data.map(({ id }) => id);
    };
    expect(await same()).toEqual(['a', 'b']);
    const before = mock.snapshot();
    await client.tickets.update('a', { title: 'Ä', assignee_ids: ['ada'], label_ids: ['bug'] });
    await same();
    await client.tickets.move('b', { board_id: 'todo', position: 0 });
    expect(await same()).toEqual(['b', 'a']);
    await client.documents.update('a', { tag_names: ['x'], status: 'published' });
    await same();
    await client.tickets.delete('b');
    expect(await same()).toEqual(['a']);
    mock.restore(before);
    expect(await same()).toEqual(['a', 'b']);
    expect((await client.tickets.list('project')).data[0]).toMatchObject({ title: 'A', assignees: [] });
    mock.reset();
    expect(await same()).toEqual(['a', 'b']);
  });

  test("isn't cached if an operation is overridden or the page envelope is custom", async () => {
    const encode: typeof defaultWire.page.encode = (items, pageInfo) => ({
      items: items.map((item) => ({ ...(item as object), seen: true })),
      pageInfo,
    });
    const mock = createMockServer({ world, wire: { page: { ...defaultWire.page, encode } } });
    const { token } = mock.clientOptions();
    const list = async () => {
      const url = 'http://worktrack.test/api/v1/projects/project/tickets';
      const response = await mock.fetch(url, { headers: { authorization: `Bearer ${token}` } });
      return ((await response.json()) as { items: { title: string; seen: boolean }[] }).items;
    };
    expect(await list()).toMatchObject([
      { title: 'A', seen: true },
      { title: 'B', seen: true },
    ]);
    let calls = 0;
    mock.override('tickets.list', async (_, next) => {
      const { items, total } = await next();
      for (const item of items) item.title += ++calls;
      return { items, total };
    });
    expect((await list()).map(({ title }) => title)).toEqual(['A1', 'B2']);
    expect((await list()).map(({ title }) => title)).toEqual(['A3', 'B4']);
  });
});
