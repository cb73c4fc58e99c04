import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { defaultWire, Worktrack } from 'worktrack';
import { RecordJsonCache } from '../../../mock-server/engine/record-json-cache.js';
import { send, serverOf } from './support/server.js';

type Row = { id: string };

const decoder = new TextDecoder();
const envelope = (items: readonly unknown[]) => ({ data: items, total: 2 });
const page = (cache: RecordJsonCache, ...records: Row[]) => decoder.decode(cache.page(records, envelope));
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

  test('caches records of at most 64 KiB each', () => {
    const cache = new RecordJsonCache();
    const serializedIds = spyOnSerialization();
    const records = [2 ** 16 - 25, 2 ** 16].map((length) => ({ id: `${length}`, title: 'x'.repeat(length) }));
    for (const _ of [1, 2]) page(cache, ...records);

    expect(serializedIds()).toEqual(['65511', '65536', '65536']);
  });

  test('caches up to 16 MiB, counting each record once, and starts over when it overflows or is cleared', () => {
    const cache = new RecordJsonCache();
    const serializedIds = spyOnSerialization();
    // The cache holds exactly 512 of these records, which are 32 KiB each.
    const records = Array.from({ length: 1025 }, (_, index) => {
      const id = `${index}`.padStart(4, '0');
      return { id, title: 'x'.repeat(2 ** 15 - '{"id":"0000","title":""}'.length) };
    });
    const isCached = (from: number, to: number) => {
      serializedIds();
      page(cache, ...records.slice(from, to));
      return serializedIds().length === 0;
    };
    const [first, ...others] = records.slice(0, 512);
    page(cache, ...others);
    for (const mark of ['a', 'b', 'c']) page(cache, { ...first, title: mark + first?.title.slice(1) } as Row);
    expect(isCached(1, 512)).toBe(true);

    cache.clear();
    // These records don't fill the cache, so it overflows too early below unless `clear` resets its size.
    page(cache, ...records.slice(0, 256));
    cache.clear();
    page(cache, ...records.slice(0, 1024));
    expect(isCached(512, 1024)).toBe(true);
    page(cache, ...records.slice(1024));
    expect(isCached(512, 513)).toBe(false);
  });
});

describe('a list response', () => {
  test('reflects every change to its records and every restore', async () => {
    const mock = serverOf();
    mock.add.label({ id: 'bug', project: 'Apollo' });
    mock.add.document({ id: 'doc', organization: 'Acme' });
    const client = new Worktrack({ ...mock.clientOptions(), fetch: mock.fetch });
    const same = async () => {
      const { data } = await client.tickets.list('prj_apollo');
      expect(data).toEqual(await Promise.all(data.map(({ id }) => client.tickets.get(id))));
      const documents = await client.documents.list();
      expect(documents.data).toEqual(
        await Promise.all(documents.data.map(({ id }) => client.documents.get(id))),
      );
      return data.map(({ id }) => id);
    };
    expect(await same()).toEqual(['tkt_1', 'tkt_2']);
    const before = mock.snapshot();
    await client.tickets.update('tkt_1', { title: 'Ä', assignee_ids: ['usr_ada'], label_ids: ['bug'] });
    await same();
    await client.tickets.move('tkt_2', { board_id: 'brd_todo', position: 0 });
    expect(await same()).toEqual(['tkt_2', 'tkt_1']);
    await client.documents.update('doc', { tag_names: ['x'], status: 'published' });
    await same();
    await client.tickets.delete('tkt_2');
    expect(await same()).toEqual(['tkt_1']);
    mock.restore(before);
    expect(await same()).toEqual(['tkt_1', 'tkt_2']);
    expect((await client.tickets.list('prj_apollo')).data[0]).toMatchObject({
      title: 'Launch',
      assignees: [],
    });
    mock.reset();
    expect(await same()).toEqual(['tkt_1', 'tkt_2']);
  });

  test("isn't cached if an operation is overridden or the page envelope is custom", async () => {
    const encode: typeof defaultWire.page.encode = (items, pageInfo) => ({
      items: items.map((item) => ({ ...(item as object), seen: true })),
      pageInfo,
    });
    const mock = serverOf({ wire: { page: { ...defaultWire.page, encode } } });
    const list = async () => {
      const { json } = await send(mock, 'GET', '/projects/prj_apollo/tickets');
      return json.items as { title: string; seen: boolean }[];
    };
    expect(await list()).toMatchObject([
      { title: 'Launch', seen: true },
      { title: 'Build', seen: true },
    ]);
    let calls = 0;
    mock.override('tickets.list', async (_, next) => {
      const { items, total } = await next();
      for (const item of items) item.title += ++calls;
      return { items, total };
    });
    expect((await list()).map(({ title }) => title)).toEqual(['Launch1', 'Build2']);
    expect((await list()).map(({ title }) => title)).toEqual(['Launch3', 'Build4']);
  });
});
