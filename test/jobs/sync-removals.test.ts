import { describe, expect, it } from 'vitest';
import type { Worktrack } from 'worktrack';
import { memoryBook, type SyncStoppedError } from 'worktrack/jobs';
import { connect } from '../support/clients.js';
import { rowsOf } from './support/import-setting.js';
import { edit, type Row, setUp, writesOf } from './support/sync-setting.js';

describe('records whose rows are missing from the source', () => {
  it.each(['keep', 'archive', 'delete'] as const)(
    'are handled as onMissing specifies: %s',
    async (onMissing) => {
      const { sync, tickets, idOf } = setUp();
      await sync(rowsOf(5));
      const id = await idOf('r4');
      expect(await sync(rowsOf(4), { onMissing })).toMatchObject({
        unchanged: 4,
        archived: onMissing === 'archive' ? 1 : 0,
        deleted: onMissing === 'delete' ? 1 : 0,
      });
      const ticket = tickets().find((one) => one.id === id);
      expect(ticket?.archived_at ?? null).toEqual(onMissing === 'archive' ? expect.any(String) : null);
      expect(tickets()).toHaveLength(onMissing === 'delete' ? 4 : 5);
      expect(await sync(rowsOf(4), { onMissing })).toMatchObject({ archived: 0, deleted: 0 });
      expect(await sync(edit(rowsOf(5), { r4: { title: 'Back' } }), { onMissing })).toMatchObject({
        updated: onMissing === 'delete' ? 0 : 1,
        created: onMissing === 'delete' ? 1 : 0,
      });
      const { archived_at, title } = tickets().find((one) => one.title === 'Back') ?? {};
      expect([archived_at, title]).toEqual([null, 'Back']);
      expect(tickets()).toHaveLength(5);
    },
  );

  it.each<[string, (rows: Row[], stop: AbortController) => Iterable<Row>]>([
    ['source is empty', () => []],
    [
      'source throws',
      function* (rows) {
        yield* rows.slice(0, 25);
        throw new Error('the file ends in the middle of a row');
      },
    ],
    [
      'sync is aborted',
      function* (rows, stop) {
        yield* rows.slice(0, 25);
        stop.abort();
      },
    ],
  ])('are kept if the %s', async (_, sourceOf) => {
    const { sync, tickets, mock } = setUp();
    await sync(rowsOf(30));
    mock.requests.clear();
    const stop = new AbortController();
    const options = { onMissing: 'delete', maxRemovals: 30, signal: stop.signal } as const;
    const report = await sync(sourceOf(rowsOf(30), stop), options).catch(
      (error: SyncStoppedError) => error.report,
    );
    expect([report.deleted, tickets().length, writesOf(mock)]).toEqual([0, 30, []]);
  });

  it('are kept if there are too many, unless maxRemovals allows that many', async () => {
    const { sync, plan, tickets } = setUp();
    await sync(rowsOf(20));
    const more = { onMissing: 'delete' } as const;
    expect(await plan(rowsOf(9), more)).toMatchObject({ blockedRemovals: 11, counts: { delete: 0 } });
    expect(await sync(rowsOf(9), more)).toMatchObject({ deleted: 0, blockedRemovals: 11 });
    expect(await sync(rowsOf(9), { ...more, maxRemovals: 11 })).toMatchObject({
      ...{ deleted: 11, blockedRemovals: 0 },
    });
    expect(tickets()).toHaveLength(9);
  });

  it.each(['archive', 'delete'] as const)(
    "don't raise the default maxRemovals after they were removed (onMissing: %s)",
    async (onMissing) => {
      const { sync } = setUp();
      await sync(rowsOf(130));
      await sync(rowsOf(30), { onMissing, maxRemovals: 100 });
      expect(await sync(rowsOf(19), { onMissing })).toMatchObject({
        ...{ archived: 0, deleted: 0, blockedRemovals: 11 },
      });
    },
  );

  it('are left alone if people have unarchived them, and count toward maxRemovals if the source wins', async () => {
    const { sync, client, idOf, tickets } = setUp();
    await sync(rowsOf(100));
    const live = () => tickets().filter(({ archived_at }) => archived_at === null).length;
    // Twelve runs archive 60 tickets, and each stays within its limit.
    for (let count = 95; count >= 40; count -= 5)
      expect(await sync(rowsOf(count), { onMissing: 'archive' })).toMatchObject({ archived: 5 });
    expect(live()).toBe(40);
    for (let index = 40; index < 100; index++)
      await client.tickets.update(await idOf(`r${index}`), { archived: false });
    const more = { onMissing: 'archive' } as const;
    expect(await sync(rowsOf(40), more)).toMatchObject({ archived: 0, conflicts: 60, blockedRemovals: 0 });
    expect(await sync(rowsOf(40), { ...more, onConflict: 'target' })).toMatchObject({
      ...{ archived: 0, conflicts: 0 },
    });
    expect(await sync(rowsOf(40), { ...more, onConflict: 'source' })).toMatchObject({
      ...{ archived: 0, blockedRemovals: 60 },
    });
    expect(live()).toBe(100);
    expect(await sync(rowsOf(40), { ...more, onConflict: 'source', maxRemovals: 60 })).toMatchObject({
      archived: 60,
    });
    expect(live()).toBe(40);
  });

  it.each<[string, (client: Worktrack, id: string) => Promise<unknown>]>([
    ['changed', (client, id) => client.tickets.update(id, { title: 'Edited' })],
    ['archived', (client, id) => client.tickets.update(id, { archived: true })],
  ])("don't count toward maxRemovals if people have %s them", async (_, change) => {
    const { sync, client, idOf } = setUp();
    await sync(rowsOf(30));
    for (let index = 22; index < 30; index++) await change(client, await idOf(`r${index}`));
    const options = { onMissing: 'archive' } as const;
    expect(await sync(rowsOf(22), options)).toMatchObject({ archived: 0, blockedRemovals: 0 });
    expect(await sync(rowsOf(14), options)).toMatchObject({ archived: 8, blockedRemovals: 0 });
    expect(await sync(rowsOf(3), options)).toMatchObject({ archived: 0, blockedRemovals: 11 });
  });

  it('are unarchived when their rows return, even if the sync was killed after archiving them', async () => {
    const { sync, mock, ticketOf } = setUp();
    await sync(rowsOf(3));
    mock.faults.add({ operation: 'tickets.update', error: 'response_lost', times: 1 });
    const fault = mock.faults.add({ operation: 'tickets.get', status: 401, after: 1 });
    await expect(sync(rowsOf(2), { onMissing: 'archive' })).rejects.toThrow('stopped');
    fault.remove();
    expect((await ticketOf('r2')).archived_at).not.toBeNull();
    expect(await sync(rowsOf(2), { onMissing: 'archive' })).toMatchObject({ archived: 0, conflicts: 0 });
    expect(await sync(rowsOf(3), { onMissing: 'archive' })).toMatchObject({ updated: 1, conflicts: 0 });
    expect((await ticketOf('r2')).archived_at).toBeNull();
  });

  it('are created again when their rows return, even if the sync was killed after deleting them', async () => {
    const { sync, mock } = setUp();
    await sync(rowsOf(3));
    mock.faults.add({ operation: 'tickets.delete', error: 'response_lost', times: 1 });
    const fault = mock.faults.add({ operation: 'tickets.get', status: 401, after: 1 });
    await expect(sync(rowsOf(2), { onMissing: 'delete' })).rejects.toThrow('stopped');
    fault.remove();
    expect(await sync(rowsOf(3))).toMatchObject({ gone: 0, created: 1 });
  });

  it('are kept if people have changed them, unless the source wins', async () => {
    const { sync, client, idOf, tickets } = setUp();
    await sync(rowsOf(3));
    await client.tickets.update(await idOf('r2'), { title: 'Edited' });
    const more = { onMissing: 'delete' } as const;
    for (let run = 0; run < 2; run++)
      expect(await sync(rowsOf(2), more)).toMatchObject({
        deleted: 0,
        conflictRows: [{ key: 'r2', conflicts: [{ field: 'title', source: undefined, target: 'Edited' }] }],
      });
    expect(await sync(rowsOf(2), { ...more, onConflict: 'target' })).toMatchObject({
      ...{ deleted: 0, conflicts: 0 },
    });
    expect(tickets()).toHaveLength(3);
    expect(await sync(rowsOf(2), { ...more, onConflict: 'source' })).toMatchObject({ deleted: 1 });
    expect(tickets()).toHaveLength(2);
  });

  it.each(['report', 'target'] as const)(
    'are kept if a person changes them between two removal attempts (onConflict: %s)',
    async (onConflict) => {
      const { sync, mock, client, idOf, tickets } = setUp();
      await sync(rowsOf(3));
      const id = await idOf('r2');
      mock.faults.add({ operation: 'tickets.delete', error: 'connection', times: 1 });
      const editing = connect(mock, {
        retry: { limit: 0 },
        fetch: (input, init) =>
          mock.fetch(input, init).catch(async (error) => {
            await client.tickets.update(id, { title: 'Edited' });
            throw error;
          }),
      });
      const conflicts = [{ key: 'r2', conflicts: [{ field: 'title' }] }];
      expect(await sync(rowsOf(2), { client: editing, onMissing: 'delete', onConflict })).toMatchObject({
        deleted: 0,
        conflictRows: onConflict === 'report' ? conflicts : [],
      });
      expect(tickets()).toHaveLength(3);
      // The record that wasn't deleted is updated as usual when its row returns.
      const rows = edit(rowsOf(3), { r2: { text: 'New' } });
      expect(await sync(rows)).toMatchObject({ created: 0, updated: 1 });
    },
  );

  it.each([
    ['archive', 'tickets.update', 'archived'],
    ['delete', 'tickets.delete', 'deleted'],
  ] as const)('are counted if the response to the removal was lost (onMissing: %s)', async (...parts) => {
    const [onMissing, operation, removed] = parts;
    const { sync, mock } = setUp();
    await sync(rowsOf(3));
    mock.faults.add({ operation, error: 'response_lost', times: 1 });
    expect(await sync(rowsOf(2), { onMissing })).toMatchObject({ [removed]: 1, failed: 0 });
  });

  it.each([422, 401])("aren't touched again if the API rejects the removal with %d", async (status) => {
    const { sync, mock, client, idOf, ticketOf } = setUp();
    await sync(rowsOf(4));
    const faults = [
      mock.faults.add({ operation: 'tickets.update', status }),
      mock.faults.add({ operation: 'tickets.delete', status }),
    ];
    await sync([...rowsOf(2), ...rowsOf(4).slice(3)], { onMissing: 'archive' }).catch(() => {});
    await sync(rowsOf(3), { onMissing: 'delete' }).catch(() => {});
    for (const fault of faults) fault.remove();
    // What people do with these records doesn't count as the sync's removal.
    await client.tickets.update(await idOf('r2'), { archived: true });
    await client.tickets.delete(await idOf('r3'));
    expect(await sync(rowsOf(4))).toMatchObject({ gone: 1, created: 0, updated: 0, unchanged: 3 });
    expect((await ticketOf('r2')).archived_at).not.toBeNull();
  });

  it("don't include rows that couldn't be converted", async () => {
    const { sync, tickets, options } = setUp();
    await sync(rowsOf(3));
    const { toTicket } = options([]);
    const report = await sync(rowsOf(3), {
      onMissing: 'delete',
      toTicket: (row) => {
        if (row.id === 'r1') throw new Error('no status');
        return toTicket(row);
      },
    });
    expect(report).toMatchObject({ failed: 1, deleted: 0 });
    expect(tickets()).toHaveLength(3);
  });

  it('are reported as ignored once if the server ignores that they are archived', async () => {
    const { sync, mock } = setUp();
    await sync(rowsOf(3));
    mock.override('tickets.update', ({ params }) => mock.state.tickets.get(params.ticket) as never);
    const more = { onMissing: 'archive' } as const;
    expect(await sync(rowsOf(2), more)).toMatchObject({
      ...{ archived: 0, ignoredRows: [{ key: 'r2', fields: ['archived'] }] },
    });
    mock.requests.clear();
    expect(await sync(rowsOf(2), more)).toMatchObject({ archived: 0, ignored: 0, conflicts: 0 });
    expect(writesOf(mock)).toEqual([]);
  });

  it('are found by their marks without a book, but never records of other sources', async () => {
    const { sync, client, project, board, tickets } = setUp();
    await sync(rowsOf(3));
    await sync(rowsOf(3), { source: 'Trello', book: memoryBook() });
    await client.tickets.create(project.id, { board_id: board.id, title: 'By hand' });
    const more = { book: memoryBook(), onMissing: 'delete' } as const;
    expect(await sync(rowsOf(1), more)).toMatchObject({ deleted: 2, unchanged: 1 });
    expect(tickets()).toHaveLength(5);
  });
});
