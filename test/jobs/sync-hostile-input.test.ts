import { expect, it } from 'vitest';
import { memoryBook } from 'worktrack/jobs';
import type { MockServer } from 'worktrack/mock-server';
import { rowsOf } from './support/import-setting.js';
import { edit, setUp, writesOf } from './support/sync-setting.js';

type Listed = Readonly<{ description_html: string | null; archived_at: string | null }>;

/** Changes what the server's lists contain. */
function overrideList(mock: MockServer, change: (items: readonly Listed[]) => Listed[]): void {
  mock.override('tickets.list', async (_, next) => {
    const items = change((await next()).items as readonly Listed[]);
    return { items, total: items.length } as never;
  });
}

const shorten = (items: readonly Listed[]) =>
  items.map((item) => ({ ...item, description_html: `${item.description_html}`.slice(0, 8) }));

it.each(['archive', 'delete'] as const)(
  'maxRemovals also counts records whose values are shortened in lists: %s',
  async (onMissing) => {
    const { sync, mock } = setUp();
    const rows = rowsOf(12).map((row) => ({ ...row, text: '<p>A long text</p>' }));
    await sync(rows);
    overrideList(mock, shorten);
    mock.requests.clear();
    const report = await sync(rows.slice(0, 5), { onMissing, maxRemovals: 6 });
    expect([report.blockedRemovals, writesOf(mock)]).toEqual([7, []]);
    const { archived, deleted } = await sync(rows.slice(0, 5), { onMissing, maxRemovals: 7 });
    expect(archived + deleted).toBe(7);
  },
);

it("a record isn't removed if it became removable after the removals were counted", async () => {
  const { sync, mock, client, idOf, tickets } = setUp();
  await sync(rowsOf(2));
  const id = await idOf('r1');
  await client.tickets.update(id, { title: 'Edited' });
  let reads = 0;
  mock.override('tickets.get', async (_, next) => {
    // The edit is reverted between the two reads of the record.
    if (++reads === 2) await client.tickets.update(id, { title: 'Step 1 of the plan' });
    return next();
  });
  const options = { onMissing: 'delete', maxRemovals: 0 } as const;
  expect(await sync(rowsOf(1), options)).toMatchObject({ deleted: 0, conflicts: 1 });
  expect([reads, tickets().length]).toEqual([2, 2]);
});

it("a record that lists leave out isn't replaced by a copy of it", async () => {
  const { sync, mock, board, client, idOf, ticketOf } = setUp();
  await sync(rowsOf(1));
  const { description_html } = await ticketOf('r0');
  await client.tickets.update(await idOf('r0'), { archived: true });
  overrideList(mock, (items) => items.filter(({ archived_at }) => archived_at === null));
  const copy = mock.add.ticket({ board: board.id, title: 'Copy', description_html });
  expect(await sync(edit(rowsOf(1), { r0: { title: 'New' } }))).toMatchObject({ updated: 1 });
  expect([(await ticketOf('r0')).title, (await client.tickets.get(copy.id)).title]).toEqual(['New', 'Copy']);
});

it("a mark that a person moved to another row's record doesn't connect two rows with one record", async () => {
  const { sync, client, idOf, ticketOf, tickets } = setUp();
  await sync(rowsOf(3));
  const { description_html } = await ticketOf('r2');
  await client.tickets.delete(await idOf('r2'));
  await client.tickets.update(await idOf('r0'), { description_html });
  const rows = edit(rowsOf(3), { r2: { title: 'New' } });
  expect(await sync(rows, { onGone: 'recreate' })).toMatchObject({ duplicates: [] });
  const titles = tickets().map(({ title }) => title);
  expect(titles.sort()).toEqual(['New', 'Step 0 of the plan', 'Step 1 of the plan']);
  expect([(await ticketOf('r0')).title, (await ticketOf('r2')).title]).toEqual(['Step 0 of the plan', 'New']);
});

it("a copy that a person made isn't changed or removed without being reported if the book is lost", async () => {
  const { sync, mock, board, client, idOf, ticketOf } = setUp();
  await sync(rowsOf(3));
  mock.add.user({ name: 'Ann' });
  for (const key of ['r1', 'r2']) {
    const { description_html, title } = await ticketOf(key);
    await client.tickets.delete(await idOf(key));
    mock.add.ticket({ board: board.id, title, description_html, creator: 'Ann' });
  }
  mock.requests.clear();
  const rows = edit(rowsOf(2), { r1: { title: 'New' } });
  expect(await sync(rows, { onMissing: 'delete', book: memoryBook() })).toMatchObject({ conflicts: 2 });
  expect(writesOf(mock)).toEqual([]);
});

it('a sync reports a row whose payload is not JSON, and continues', async () => {
  const { sync } = setUp();
  const circular = { title: 'A', board_slug: 'to-do' };
  Object.assign(circular, { circular });
  const toTicket = ({ id, title }: { id: string; title: string }) =>
    id === 'r0' ? circular : { title, board_slug: 'to-do' };
  expect(await sync(rowsOf(2), { toTicket })).toMatchObject({ created: 1, failed: 1 });
});

it('a sync can be aborted while toTicket never settles', async () => {
  const { sync, mock } = setUp();
  const stop = new AbortController();
  const toTicket = () => {
    setImmediate(() => stop.abort());
    return new Promise<never>(() => {});
  };
  const report = await sync(rowsOf(2), { toTicket, signal: stop.signal });
  expect([report.stopped, report.failed, writesOf(mock)]).toEqual([true, 0, []]);
});

it('a sync and a plan are rejected while another job uses the book', async () => {
  const { sync, plan, runImport, tickets } = setUp();
  const first = sync(rowsOf(3));
  for (const run of [sync, plan, runImport])
    await expect(run(rowsOf(3))).rejects.toThrow('the book is in use by another job');
  expect(await first).toMatchObject({ created: 3 });
  expect(await sync(rowsOf(3))).toMatchObject({ unchanged: 3 });
  expect(tickets()).toHaveLength(3);
});
