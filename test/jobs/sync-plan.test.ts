import { describe, expect, it } from 'vitest';
import { collect } from '../support/collect.js';
import { rowsOf } from './support/import-setting.js';
import { edit, type Row, setUp, writesOf } from './support/sync-setting.js';

const byKey = (one: { key: string }, other: { key: string }) => (one.key < other.key ? -1 : 1);

describe('a plan', () => {
  it('lists operations with the values before and after, and writes nothing', async () => {
    const { sync, plan, mock, client, idOf, tickets, book } = setUp();
    await sync(rowsOf(5));
    await client.tickets.update(await idOf('r1'), { title: 'Edited' });
    await client.tickets.delete(await idOf('r2'));
    const edits = { r0: { title: 'Vec<T> & co' }, r1: { title: 'Else' } };
    const rows = [...edit(rowsOf(4), edits), { id: 'new', title: 'New' }];
    const more = { onMissing: 'archive' } as const;
    mock.requests.clear();
    const entries = await collect(book.entries());
    const saved = await plan(rows, more);
    expect(writesOf(mock)).toEqual([]);
    expect(await collect(book.entries())).toEqual(entries);
    expect([...saved.operations].sort(byKey)).toMatchObject([
      { type: 'create', key: 'new', title: 'New', changes: { title: { after: 'New' } } },
      {
        type: 'update',
        key: 'r0',
        title: 'Vec<T> & co',
        changes: { title: { before: 'Step 0 of the plan', after: 'Vec<T> & co' } },
        conflicts: [],
      },
      { type: 'conflict', key: 'r1', conflicts: [{ field: 'title', source: 'Else', target: 'Edited' }] },
      { type: 'gone', key: 'r2' },
      { type: 'archive', key: 'r4', title: 'Step 4 of the plan' },
    ]);
    expect(saved.counts).toMatchObject({
      ...{ create: 1, update: 1, conflict: 1, gone: 1, archive: 1, unchanged: 1 },
    });
    expect(await sync(rows, { ...more, plan: saved })).toMatchObject({
      ...{ created: 1, updated: 1, archived: 1, conflicts: 1, gone: 1, unchanged: 1, stale: 0 },
    });
    expect(tickets().map(({ title }) => title)).toEqual(
      expect.arrayContaining(['New', 'Vec<T> & co', 'Edited']),
    );
    expect((await plan(rows, more)).counts).toMatchObject({ create: 0, update: 0, archive: 0 });
  });

  it('only allows the operations in it', async () => {
    const { sync, plan, client, idOf, ticketOf } = setUp();
    await sync(rowsOf(3));
    const rows = edit(rowsOf(3), { r0: { title: 'Other' }, r1: { title: 'Else' } });
    const saved = await plan(rows);
    await client.tickets.update(await idOf('r0'), { title: 'Edited' });
    const report = await sync(edit(rows, { r2: { title: 'Not reviewed' } }), { plan: saved });
    expect(report).toMatchObject({ updated: 1, stale: 1, staleRows: [{ key: 'r2' }], conflicts: 1 });
    const titles = await Promise.all(['r0', 'r1', 'r2'].map(ticketOf));
    expect(titles.map(({ title }) => title)).toEqual(['Edited', 'Else', 'Step 2 of the plan']);
  });

  it.each<[string, Row[], object]>([
    ['a row changes', [{ id: 'r0', title: 'Newest' }], {}],
    ['another policy applies', [{ id: 'r0', title: 'Other', text: 'New' }], { onConflict: 'source' }],
  ])('is stale if %s', async (_, rows, more) => {
    const { sync, plan, client, idOf, ticketOf } = setUp();
    await sync([{ id: 'r0', title: 'Old', text: 'Old' }]);
    await client.tickets.update(await idOf('r0'), { description_html: '<p>Edited</p>' });
    const saved = await plan([{ id: 'r0', title: 'Other', text: 'New' }]);
    expect(saved.operations).toMatchObject([{ type: 'update', conflicts: [{ field: 'description_html' }] }]);
    expect(await sync(rows, { ...more, plan: saved })).toMatchObject({ updated: 0, stale: 1 });
    expect(await ticketOf('r0')).toMatchObject({ title: 'Old', description_html: '<p>Edited</p>' });
  });

  it('is stale for a record that a person edits while it is performed', async () => {
    const { sync, plan, client, idOf, ticketOf } = setUp();
    await sync(rowsOf(1));
    const rows = edit(rowsOf(1), { r0: { title: 'Other' } });
    const saved = await plan(rows);
    async function* slowly() {
      await client.tickets.update(await idOf('r0'), { title: 'Edited' });
      yield* rows;
    }
    expect(await sync(slowly(), { plan: saved })).toMatchObject({ updated: 0, staleRows: [{ key: 'r0' }] });
    expect((await ticketOf('r0')).title).toBe('Edited');
  });

  it("doesn't depend on fields that it doesn't write", async () => {
    const { sync, plan, client, idOf } = setUp();
    await sync(rowsOf(1));
    const rows = edit(rowsOf(1), { r0: { text: 'New' } });
    const saved = await plan(rows);
    await client.tickets.update(await idOf('r0'), { title: 'Edited', priority: 'high' });
    expect(await sync(rows, { plan: saved })).toMatchObject({ updated: 1, stale: 0 });
  });

  it('reports its operations that no longer apply, unless they have already been performed', async () => {
    const { sync, plan, tickets } = setUp();
    const pick = (rows: Row[], ...keys: string[]) => rows.filter(({ id }) => keys.includes(id));
    const rows = rowsOf(6);
    const edited = edit(rows, { r0: { title: 'A' }, r1: { title: 'B' }, r2: { title: 'C' } });
    const more = { onMissing: 'archive' } as const;
    await sync(pick(rows, 'r0', 'r1', 'r2', 'r3', 'r4'));
    const saved = await plan(pick(edited, 'r0', 'r1', 'r2', 'r5'), more);
    expect(saved.counts).toMatchObject({ create: 1, update: 3, archive: 2 });
    // This sync updates r0 and archives r3, as planned.
    await sync([...pick(edited, 'r0'), ...pick(rows, 'r1', 'r2', 'r4')], more);
    const report = await sync([...pick(edited, 'r0'), ...pick(rows, 'r1', 'r4')], { plan: saved });
    expect(report).toMatchObject({ created: 0, updated: 0, archived: 0, unchanged: 1, stale: 4 });
    expect(Object.fromEntries(report.staleRows.map(({ key, error }) => [key, error.message]))).toEqual({
      r1: 'the row has changed since the plan was made',
      r2: 'the row is no longer in the source',
      r4: 'the row is in the source again',
      r5: 'the row is no longer in the source',
    });
    expect(tickets()).toHaveLength(5);
  });

  it("doesn't write anything if it's performed a second time", async () => {
    const { sync, plan, client, mock, idOf, tickets } = setUp();
    await sync(rowsOf(3));
    await client.tickets.delete(await idOf('r1'));
    const rows = edit([...rowsOf(2), { id: 'r9', title: 'New' }], { r0: { title: 'Other' } });
    const more = { onGone: 'recreate', onMissing: 'delete' } as const;
    const saved = await plan(rows, more);
    const options = { ...more, plan: saved };
    expect(await sync(rows, options)).toMatchObject({ created: 2, updated: 1, deleted: 1, stale: 0 });
    mock.requests.clear();
    expect(await sync(rows, options)).toMatchObject({ created: 0, updated: 0, deleted: 0, stale: 0 });
    expect(writesOf(mock)).toEqual([]);
    expect(tickets()).toHaveLength(3);
  });

  it('can be performed again after an interruption', async () => {
    const { sync, plan, mock, tickets } = setUp();
    await sync(rowsOf(3));
    const rows = edit(rowsOf(6), { r0: { title: 'A' }, r1: { title: 'B' } });
    const saved = await plan(rows);
    const fault = mock.faults.add({ operation: 'tickets.create', status: 401, after: 1 });
    await expect(sync(rows, { plan: saved, concurrency: 1 })).rejects.toThrow('stopped');
    fault.remove();
    expect(await sync(rows, { plan: saved })).toMatchObject({ stale: 0, failed: 0 });
    expect(tickets()).toHaveLength(6);
    expect((await plan(rows)).counts).toMatchObject({ create: 0, update: 0, unchanged: 6 });
  });

  it('retries a row that the API rejected, even if some of its fields have been written', async () => {
    const { sync, plan, mock, client, project, ticketOf } = setUp();
    const full = mock.add.board({ project: project.id, name: 'Full' });
    await sync([...rowsOf(1), { id: 'f', title: 'In the way', board: 'full' }]);
    await client.boards.update(full.id, { wip_limit: 1 });
    const rows = [
      { id: 'r0', title: 'New', board: 'full' },
      { id: 'f', title: 'In the way', board: 'done' },
    ];
    const report = await sync(rows, { concurrency: 1, plan: await plan(rows) });
    expect(report).toMatchObject({ updated: 2, stale: 0, failed: 0 });
    expect(await ticketOf('r0')).toMatchObject({ title: 'New', board_id: full.id });
  });

  it('is an error if the source or the records cannot be read completely', async () => {
    const { sync, plan } = setUp();
    await sync(rowsOf(3));
    function* broken() {
      yield* rowsOf(2);
      throw new Error('the file is cut off');
    }
    await expect(plan(broken())).rejects.toThrow('the file is cut off');
    await expect(plan(rowsOf(3), { signal: AbortSignal.abort() })).rejects.toThrow('the sync stopped');
  });

  it('lists in-doubt rows only if the source contains them, and reports the others', async () => {
    const { sync, plan, book } = setUp();
    await book.put([
      { key: 'row:r0', state: 'started' },
      { key: 'row:gone', state: 'started' },
    ]);
    expect((await plan(rowsOf(1))).counts).toMatchObject({ create: 1 });
    expect(await sync(rowsOf(1))).toMatchObject({ created: 1, unknownRows: [{ key: 'gone' }] });
  });
});
