import { describe, expect, it } from 'vitest';
import { collect } from '../../support/collect.js';
import { rowsOf } from './setting.js';
import { edit, type Row, setUp, writesOf } from './sync-setting.js';

describe('a plan', () => {
  it("lists operations with the old and new values, and doesn't write anything until it's applied", async () => {
    const { sync, plan, mock, client, idOf, tickets } = setUp();
    await sync(rowsOf(5));
    await client.tickets.update(await idOf('r1'), { title: 'Edited' });
    await client.tickets.delete(await idOf('r2'));
    const rows = [
      ...edit(rowsOf(4), { r0: { title: 'Other' }, r1: { title: 'Else' } }),
      { id: 'new', title: 'New' },
    ];
    mock.requests.clear();
    const found = await plan(rows, { onMissing: 'archive' });
    expect(writesOf(mock)).toEqual([]);
    expect((await collect(found)).sort((one, other) => (one.key < other.key ? -1 : 1))).toMatchObject([
      { type: 'create', key: 'new', title: 'New', after: { title: 'New' } },
      {
        type: 'update',
        key: 'r0',
        changes: { title: { before: 'Step 0 of the plan', after: 'Other' } },
        conflicts: [],
      },
      { type: 'conflict', key: 'r1', conflicts: [{ field: 'title', source: 'Else', target: 'Edited' }] },
      { type: 'gone', key: 'r2' },
      { type: 'archive', key: 'r4', title: 'Step 4 of the plan' },
    ]);
    expect(found.counts).toMatchObject({
      create: 1,
      update: 1,
      conflict: 1,
      gone: 1,
      archive: 1,
      unchanged: 1,
    });
    expect(found.isEmpty).toBe(false);
    expect(await found.apply()).toMatchObject({
      created: 1,
      updated: 1,
      archived: 1,
      conflicts: 1,
      gone: 1,
      skipped: 2,
    });
    expect(tickets().map(({ title }) => title)).toEqual(expect.arrayContaining(['New', 'Other', 'Edited']));
    expect((await plan(rows, { onMissing: 'archive' })).isEmpty).toBe(true);
  });

  it('rejects rows whose records have changed since the plan was made', async () => {
    const { sync, review, client, idOf, ticketOf } = setUp();
    await sync(rowsOf(3));
    const rows = edit(rowsOf(3), { r0: { title: 'Other' }, r1: { title: 'Else' } });
    const saved = await review(rows);
    await client.tickets.update(await idOf('r0'), { title: 'Edited' });
    const report = await sync(edit(rows, { r2: { title: 'Not reviewed' } }), { reviewedPlan: saved });
    expect(report).toMatchObject({ updated: 1, stale: 1, staleRows: [{ key: 'r2' }], conflicts: 1 });
    expect([
      (await ticketOf('r0')).title,
      (await ticketOf('r1')).title,
      (await ticketOf('r2')).title,
    ]).toEqual(['Edited', 'Else', 'Step 2 of the plan']);
  });

  it('reports its operations that no longer apply, unless they have already been performed', async () => {
    const { sync, plan, ledger, tickets } = setUp();
    const pick = (rows: Row[], ...keys: string[]) => rows.filter(({ id }) => keys.includes(id));
    const rows = rowsOf(7);
    const edited = edit(rows, { r0: { title: 'A' }, r1: { title: 'B' }, r2: { title: 'C' } });
    await sync(pick(rows, 'r0', 'r1', 'r2', 'r3', 'r4', 'r5'));
    const reviewed = await plan(pick(edited, 'r0', 'r1', 'r2', 'r6'), { onMissing: 'archive' });
    expect(reviewed.counts).toMatchObject({ create: 1, update: 3, archive: 3 });
    await ledger.forget('r5');
    // This sync updates r0 and archives r3, as planned.
    await sync([...pick(edited, 'r0'), ...pick(rows, 'r1', 'r2', 'r4')], { onMissing: 'archive' });
    const report = await sync([...pick(edited, 'r0'), ...pick(rows, 'r1', 'r4')], {
      reviewedPlan: JSON.parse(JSON.stringify(reviewed)),
    });
    expect(report).toMatchObject({ created: 0, updated: 0, archived: 0, skipped: 3, stale: 5 });
    expect(Object.fromEntries(report.staleRows.map(({ key, error }) => [key, error?.message]))).toEqual({
      r1: 'the row or its record has changed since the review',
      r2: 'the row is no longer in the source',
      r4: 'the row is in the source again',
      r5: 'the sync no longer removes the record',
      r6: 'the row is no longer in the source',
    });
    expect(tickets()).toHaveLength(6);
  });

  it("doesn't report removals that have already been performed, but does report updates to records that users have deleted", async () => {
    const { sync, review, client, idOf } = setUp();
    await sync(rowsOf(4));
    const edited = edit(rowsOf(3), { r0: { title: 'Other' } });
    const reviewedPlan = await review(edited, { onMissing: 'delete' });
    await sync(rowsOf(3), { onMissing: 'delete' });
    await client.tickets.delete(await idOf('r0'));
    expect(await sync(rowsOf(3).slice(1), { reviewedPlan })).toMatchObject({
      deleted: 0,
      stale: 1,
      staleRows: [{ key: 'r0', error: { message: 'the row is no longer in the source' } }],
    });
  });

  it("doesn't write rows whose records change before the plan is applied", async () => {
    const { sync, plan, client, idOf } = setUp();
    await sync(rowsOf(2));
    const found = await plan(edit(rowsOf(2), { r0: { title: 'Other' } }));
    await client.tickets.update(await idOf('r0'), { title: 'Edited' });
    expect(await found.apply()).toMatchObject({ updated: 0, conflicts: 0, staleRows: [{ key: 'r0' }] });
  });

  it("doesn't write anything when applied a second time or after another sync", async () => {
    const { sync, plan, client, idOf, tickets } = setUp();
    await sync(rowsOf(2));
    await client.tickets.delete(await idOf('r1'));
    const found = await plan(edit(rowsOf(4), { r0: { title: 'Other' } }), { onGone: 'recreate' });
    expect(await found.apply()).toMatchObject({ created: 3, updated: 1, stale: 0 });
    expect(await found.apply()).toMatchObject({ created: 0, updated: 0, stale: 4 });
    expect(tickets()).toHaveLength(4);
  });

  it("lists rows that reuse a key, and reports them as failed when it's applied", async () => {
    const { sync, plan, tickets } = setUp();
    const rows = [...rowsOf(2), { id: 'r0', title: 'Other' }];
    const found = await plan(rows);
    expect(found.counts).toMatchObject({ create: 2, failed: 1 });
    expect(await collect(found)).toContainEqual({
      type: 'failed',
      key: 'r0',
      error: { code: 'duplicate_key', message: 'an earlier row has the same key but different content' },
    });
    const reviewedPlan = JSON.parse(JSON.stringify(found));
    expect(await sync(rows, { reviewedPlan })).toMatchObject({
      created: 2,
      stale: 0,
      failed: 1,
      failedRows: [{ key: 'r0', row: { title: 'Other' } }],
    });
    expect(tickets().map(({ title }) => title)).not.toContain('Other');
  });

  it("lists in-doubt rows that are missing from the source, and reports those that are still in doubt when it's applied", async () => {
    const { plan, ledger } = setUp();
    const candidates = [{ id: 'tkt_1' }];
    await ledger.put({ key: 'gone', state: 'unknown', candidates });
    await ledger.put({ key: 'r0', state: 'started' });
    const found = await plan(rowsOf(1));
    expect(found.counts).toMatchObject({ create: 1, unknown: 1 });
    expect(await collect(found)).toContainEqual({
      type: 'unknown',
      key: 'gone',
      error: { message: 'its record may exist, but the row is no longer in the input' },
    });
    const report = await found.apply();
    expect(report.unknownRows.find(({ key }) => key === 'gone')).toMatchObject({ candidates });
    await ledger.claim({ key: 'gone', state: 'done', recordId: 'tkt_1' });
    const { unknownRows, staleRows } = await found.apply();
    expect([...unknownRows, ...staleRows].map(({ key }) => key)).not.toContain('gone');
  });

  it('can be applied again after an interruption', async () => {
    const { sync, review, plan, mock, tickets } = setUp();
    await sync(rowsOf(3));
    const rows = edit(rowsOf(6), { r0: { title: 'A' }, r1: { title: 'B' } });
    const reviewedPlan = await review(rows);
    const fault = mock.faults.add({ operation: 'tickets.create', status: 401, after: 1 });
    await expect(sync(rows, { reviewedPlan, concurrency: 1 })).rejects.toThrow('stopped');
    fault.remove();
    expect(await sync(rows, { reviewedPlan })).toMatchObject({ stale: 0, failed: 0 });
    expect(tickets()).toHaveLength(6);
    expect((await plan(rows)).isEmpty).toBe(true);
  });

  it.each([
    [{ onMissing: 'remove' }, 'option "onMissing" must be one of'],
    [{ maxRemovals: -1 }, 'option "maxRemovals" must be a non-negative integer or Infinity'],
    [{ reviewedPlan: {} }, 'option "reviewedPlan" must be a plan saved with JSON.stringify(plan)'],
    [
      { reviewedPlan: { version: 1, scope: 'tickets:other', operations: [] } },
      'the reviewed plan is for "tickets:other"',
    ],
    [{ onConflct: 'source' }, 'unknown option "onConflct"'],
  ])('rejects the options %j', async (options, message) => {
    await expect(setUp().plan([], options as object)).rejects.toThrow(message);
  });
});
