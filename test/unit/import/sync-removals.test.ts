import { describe, expect, it } from 'vitest';
import type { Worktrack } from 'worktrack';
import type { SyncTicketsOptions } from '../../../addons/jobs/import/index.js';
import { connect } from '../../support/clients.js';
import { rowsOf } from './setting.js';
import { edit, type Row, setUp, writesOf } from './sync-setting.js';

describe('rows that are missing from the source', () => {
  it.each(['keep', 'archive', 'delete'] as const)(
    'are handled as onMissing specifies: %s',
    async (onMissing) => {
      const { sync, tickets, idOf } = setUp();
      await sync(rowsOf(5));
      const id = await idOf('r4');
      const report = await sync(rowsOf(4), { onMissing });
      expect(report).toMatchObject({
        skipped: 4,
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
  ])('keep their records if the %s', async (_, sourceOf) => {
    const { sync, tickets, mock } = setUp();
    await sync(rowsOf(30));
    mock.requests.clear();
    const stop = new AbortController();
    const options = { onMissing: 'delete', signal: stop.signal } as const;
    const report = await sync(sourceOf(rowsOf(30), stop), options).catch((error) => error.report);
    expect([report.deleted, tickets().length, writesOf(mock)]).toEqual([0, 30, []]);
  });

  it('keep their records if too many rows are missing, unless maxRemovals allows that many', async () => {
    const { sync, tickets } = setUp();
    await sync(rowsOf(20));
    expect(await sync(rowsOf(9), { onMissing: 'delete' })).toMatchObject({ deleted: 0, blockedRemovals: 11 });
    expect(await sync(rowsOf(9), { onMissing: 'delete', maxRemovals: 11 })).toMatchObject({
      deleted: 11,
      blockedRemovals: 0,
    });
    expect(tickets()).toHaveLength(9);
  });

  it.each(['archive', 'delete'] as const)(
    "don't raise the default maxRemovals after a sync has removed their records (onMissing: %s)",
    async (onMissing) => {
      const { sync } = setUp();
      await sync(rowsOf(130));
      await sync(rowsOf(30), { onMissing, maxRemovals: 100 });
      expect(await sync(rowsOf(19), { onMissing })).toMatchObject({
        archived: 0,
        deleted: 0,
        blockedRemovals: 11,
      });
    },
  );

  it.each<[string, (client: Worktrack, id: string) => Promise<unknown>]>([
    ['changed', (client, id) => client.tickets.update(id, { title: 'Edited' })],
    ['archived', (client, id) => client.tickets.update(id, { archived: true })],
  ])(
    "don't count toward maxRemovals if an earlier sync kept their records because users had %s them",
    async (_, edit) => {
      const { sync, client, idOf } = setUp();
      await sync(rowsOf(30));
      for (let index = 22; index < 30; index++) await edit(client, await idOf(`r${index}`));
      const options = { onMissing: 'archive' } as const;
      expect(await sync(rowsOf(22), options)).toMatchObject({ archived: 0, blockedRemovals: 0 });
      expect(await sync(rowsOf(14), options)).toMatchObject({ archived: 8, blockedRemovals: 0 });
      expect(await sync(rowsOf(3), options)).toMatchObject({ archived: 0, blockedRemovals: 19 });
    },
  );

  it("don't count toward maxRemovals if the sync was killed after archiving their records", async () => {
    const { sync, client, ledger, idOf, ticketOf } = setUp();
    await sync(rowsOf(30));
    for (let index = 22; index < 30; index++) {
      const recordId = await idOf(`r${index}`);
      await client.tickets.update(recordId, { archived: true });
      const entry = {
        ...(await ledger.get(`r${index}`)),
        key: `r${index}`,
        state: 'done',
        recordId,
      } as const;
      await ledger.claim({ ...entry, removed: 'archived', pending: { archived: 'b5bea41b' } });
    }
    const options = { onMissing: 'archive' } as const;
    expect(await sync(rowsOf(22), options)).toMatchObject({ archived: 0, blockedRemovals: 0 });
    expect(await sync(rowsOf(14), options)).toMatchObject({ archived: 8, blockedRemovals: 0 });
    await sync(rowsOf(30), options);
    expect((await ticketOf('r29')).archived_at).toBeNull();
  });

  it('keep their records if users have changed them, unless conflicts are resolved in favor of the source', async () => {
    const { sync, client, idOf, tickets } = setUp();
    await sync(rowsOf(3));
    await client.tickets.update(await idOf('r2'), { title: 'Edited' });
    const report = await sync(rowsOf(2), { onMissing: 'delete' });
    expect(report).toMatchObject({
      deleted: 0,
      conflictRows: [{ key: 'r2', conflicts: [{ field: 'title' }] }],
    });
    expect(tickets()).toHaveLength(3);
    expect(await sync(rowsOf(2), { onMissing: 'delete', onConflict: 'source' })).toMatchObject({
      deleted: 1,
    });
    expect(tickets()).toHaveLength(2);
  });

  it.each<[string, SyncTicketsOptions<Row>['onConflict'], string[]]>([
    ['the target wins', 'target', []],
    [
      'a function decides that the target wins one field',
      ({ field }) => (field === 'title' ? 'target' : 'report'),
      ['priority'],
    ],
  ])(
    'keep their records if %s, and only the remaining conflicts are reported',
    async (_, onConflict, reported) => {
      const { sync, plan, client, idOf, tickets } = setUp();
      await sync(rowsOf(3));
      await client.tickets.update(await idOf('r2'), { title: 'Edited', priority: 'high' });
      const more = { onMissing: 'delete', onConflict } as const;
      expect((await plan(rowsOf(2), more)).counts).toMatchObject({ conflict: reported.length, delete: 0 });
      for (let run = 0; run < 2; run++) {
        const { conflictRows, deleted } = await sync(rowsOf(2), more);
        expect(conflictRows.flatMap(({ conflicts }) => conflicts.map(({ field }) => field))).toEqual(
          reported,
        );
        expect(deleted).toBe(0);
      }
      expect(tickets()).toHaveLength(3);
    },
  );

  it.each(['report', 'target'] as const)(
    'keep their records if a user changes the records between two removal attempts (onConflict: %s)',
    async (onConflict) => {
      const { sync, mock, client, idOf, tickets, ledger } = setUp();
      await sync(rowsOf(3));
      const id = await idOf('r2');
      mock.faults.add({ operation: 'tickets.delete', status: 429, retryAfter: 0, times: 1 });
      const editing = connect(mock, {
        retry: { limit: 0 },
        fetch: async (input, init) => {
          const response = await mock.fetch(input, init);
          if (response.status === 429) await client.tickets.update(id, { title: 'Edited' });
          return response;
        },
      });
      const conflicts = [{ key: 'r2', conflicts: [{ field: 'title' }] }];
      expect(await sync(rowsOf(2), { client: editing, onMissing: 'delete', onConflict })).toMatchObject({
        deleted: 0,
        conflictRows: onConflict === 'report' ? conflicts : [],
      });
      expect(tickets()).toHaveLength(3);
      expect(await ledger.get('r2')).toMatchObject({ removed: 'kept' });
    },
  );

  it.each([
    ['archive', 'tickets.update', 'archived'],
    ['delete', 'tickets.delete', 'deleted'],
  ] as const)(
    'are stored as removed if the response to the removal was lost (onMissing: %s)',
    async (onMissing, operation, removed) => {
      const { sync, mock, ledger } = setUp();
      await sync(rowsOf(3));
      mock.faults.add({ operation, error: 'response_lost', times: 1 });
      expect(await sync(rowsOf(2), { onMissing })).toMatchObject({ [removed]: 1 });
      expect(await ledger.get('r2')).toMatchObject({ removed });
    },
  );

  it.each([422, 401])('are counted as not removed if the API rejects the removal with %d', async (status) => {
    const { sync, mock, client, idOf, ticketOf } = setUp();
    await sync(rowsOf(4));
    const before = await Promise.all(['r2', 'r3'].map(idOf));
    const faults = [
      mock.faults.add({ operation: 'tickets.update', status }),
      mock.faults.add({ operation: 'tickets.delete', status }),
    ];
    await sync([...rowsOf(2), ...rowsOf(4).slice(3)], { onMissing: 'archive' }).catch(() => {});
    await sync(rowsOf(3), { onMissing: 'delete' }).catch(() => {});
    for (const fault of faults) fault.remove();
    await client.tickets.update(await idOf('r2'), { archived: true });
    await client.tickets.delete(await idOf('r3'));
    expect(await sync(rowsOf(4))).toMatchObject({ gone: 1, created: 0, updated: 0, skipped: 3 });
    expect((await ticketOf('r2')).archived_at).not.toBeNull();
    expect(await Promise.all(['r2', 'r3'].map(idOf))).toEqual(before);
  });

  it('count as removed if the sync stops after a removal whose response was lost', async () => {
    const { sync, mock } = setUp();
    await sync(rowsOf(3));
    mock.faults.add({ operation: 'tickets.delete', error: 'response_lost', times: 1 });
    const fault = mock.faults.add({ operation: 'tickets.get', status: 401 });
    await expect(sync(rowsOf(2), { onMissing: 'delete' })).rejects.toThrow('stopped');
    fault.remove();
    expect(await sync(rowsOf(3))).toMatchObject({ gone: 0, created: 1 });
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
});
