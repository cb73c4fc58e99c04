import { describe, expect, it, vi } from 'vitest';
import type { Ticket } from 'worktrack';
import { importTickets, memoryLedger, type SyncTicketsOptions, syncDocuments } from '../../../addons/jobs/import/index.js';
import { connect, connectRewriting, omitFromList } from '../../support/clients.js';
import { collect } from '../../support/collect.js';
import { useFakeTimers } from '../../support/timers.js';
import { rowsOf } from './setting.js';
import { edit, type Row, setUp, suspend, writesOf } from './sync-setting.js';

describe('a sync', () => {
  it('creates missing records, updates only changed fields, and moves records to the boards that their rows specify', async () => {
    const { sync, mock, ticketOf, done } = setUp();
    expect(await sync(rowsOf(5))).toMatchObject({ created: 5, updated: 0 });
    mock.requests.clear();
    const rows = edit(rowsOf(6), { r1: { title: 'Other', text: '<p>New</p>' }, r2: { board: 'done' } });
    const report = await sync(rows);
    expect(report).toMatchObject({
      created: 1,
      updated: 2,
      skipped: 3,
      finished: 6,
      failed: 0,
      conflicts: 0,
    });
    expect(report.changedRows).toMatchObject([
      { key: 'r1', fields: ['title', 'description_html'] },
      { key: 'r2', fields: ['board_id'] },
    ]);
    expect(await ticketOf('r1')).toMatchObject({ title: 'Other', description_html: '<p>New</p>' });
    expect(await ticketOf('r2')).toMatchObject({ title: 'Step 2 of the plan', board_id: done.id });
    expect(writesOf(mock).map(({ operation, body }) => [operation, body])).toEqual(
      expect.arrayContaining([
        ['tickets.update', { title: 'Other', description_html: '<p>New</p>' }],
        ['tickets.move', { board_id: done.id }],
      ]),
    );
    expect(writesOf(mock)).toHaveLength(3);
  });

  it('sends no writes and only one request per 200 records if nothing has changed', async () => {
    const { sync, mock, ledger } = setUp();
    await sync(rowsOf(210));
    mock.requests.clear();
    const claim = vi.spyOn(ledger, 'claim');
    expect(await sync(rowsOf(210))).toMatchObject({ skipped: 210, updated: 0, requests: 3 });
    expect(mock.requests.all().map(({ operation }) => operation)).toEqual([
      'tickets.list',
      'tickets.list',
      'boards.list',
    ]);
    expect(claim).not.toHaveBeenCalled();
  });

  it("doesn't change fields that only users have changed or that the row doesn't contain", async () => {
    const { sync, client, idOf, ticketOf } = setUp();
    await sync(rowsOf(2));
    await client.tickets.update(await idOf('r0'), { title: 'Edited', priority: 'high' });
    expect(await sync(edit(rowsOf(2), { r0: { text: 'Body' } }))).toMatchObject({ updated: 1, conflicts: 0 });
    expect(await ticketOf('r0')).toMatchObject({
      title: 'Edited',
      priority: 'high',
      description_html: 'Body',
    });
    expect(await sync(edit(rowsOf(2), { r0: { text: 'Body' } }))).toMatchObject({ updated: 0, skipped: 2 });
  });

  it.each<[string, () => unknown]>([
    ['is asynchronous', async () => 'source'],
    ["doesn't return a winner", () => undefined],
  ])('stops without losing the change if onConflict %s', async (_, onConflict) => {
    const { sync, client, idOf, ticketOf } = setUp();
    await sync(rowsOf(1));
    await client.tickets.update(await idOf('r0'), { title: 'Edited' });
    const rows = edit(rowsOf(1), { r0: { title: 'Other' } });
    await expect(sync(rows, { onConflict: onConflict as never })).rejects.toThrow(
      'sync: option "onConflict" must return one of: report, source, target',
    );
    await sync(rows, { onConflict: 'source' });
    expect(await ticketOf('r0')).toMatchObject({ title: 'Other' });
  });

  it.each([
    ['report', 'Edited', [1, 1, 1]],
    ['source', 'Other', [0, 0, 0]],
    ['target', 'Edited', [0, 0, 0]],
    [({ target }: { target: unknown }) => (target === 'Edited' ? 'source' : 'target'), 'Other', [0, 0, 0]],
  ] as const)('resolves a conflict according to onConflict: %s', async (onConflict, title, conflicts) => {
    const { sync, client, idOf, ticketOf } = setUp();
    await sync(rowsOf(2));
    await client.tickets.update(await idOf('r0'), { title: 'Edited' });
    const rows = edit(rowsOf(2), { r0: { title: 'Other', priority: 'low' } });
    const counts: number[] = [];
    for (let run = 0; run < 3; run++) {
      const report = await sync(rows, { onConflict });
      counts.push(report.conflicts);
      if (report.conflicts)
        expect(report.conflictRows).toMatchObject([
          { key: 'r0', conflicts: [{ field: 'title', source: 'Other', target: 'Edited' }] },
        ]);
    }
    expect(counts).toEqual(conflicts);
    expect(await ticketOf('r0')).toMatchObject({ title, priority: 'low' });
  });

  it('reads a record again before overwriting it if the machine has been suspended since the last read', async () => {
    const { sync, client, idOf, ticketOf } = setUp();
    await sync(rowsOf(1));
    useFakeTimers('Date');
    async function* rows() {
      await client.tickets.update(await idOf('r0'), { title: 'Edited' });
      suspend();
      yield { id: 'r0', title: 'Other' };
    }
    expect(await sync(rows())).toMatchObject({ conflicts: 1, updated: 0 });
    expect((await ticketOf('r0')).title).toBe('Edited');
  });

  it('reads a record again before overwriting it if the machine was suspended while it was being listed', async () => {
    const { sync, mock, client, idOf, ticketOf } = setUp();
    await sync(rowsOf(1));
    useFakeTimers('Date');
    const id = await idOf('r0');
    mock.override('tickets.list', async (_, next) => {
      const page = await next();
      await client.tickets.update(id, { title: 'Edited' });
      suspend();
      return page;
    });
    expect(await sync([{ id: 'r0', title: 'Other' }])).toMatchObject({ conflicts: 1, updated: 0 });
    expect((await ticketOf('r0')).title).toBe('Edited');
  });

  it('finds a board that was created while the machine was suspended', async () => {
    const { sync, mock, project } = setUp();
    useFakeTimers('Date');
    async function* rows() {
      yield { id: 'r0', title: 'First' };
      mock.add.board({ project: project.id, name: 'Later' });
      suspend();
      yield { id: 'r1', title: 'Second', board: 'later' };
    }
    expect(await sync(rows(), { concurrency: 1 })).toMatchObject({ created: 2, failed: 0 });
  });

  it('writes later changes from the source after a conflict is resolved in favor of the target', async () => {
    const { sync, client, idOf, ticketOf } = setUp();
    await sync(rowsOf(1));
    await client.tickets.update(await idOf('r0'), { title: 'Edited' });
    await sync(edit(rowsOf(1), { r0: { title: 'Other' } }), { onConflict: 'target' });
    expect(await sync(edit(rowsOf(1), { r0: { title: 'Edited' } }))).toMatchObject({
      updated: 0,
      skipped: 1,
    });
    await sync(edit(rowsOf(1), { r0: { title: 'Newest' } }));
    expect((await ticketOf('r0')).title).toBe('Newest');
  });

  it("continues an import even if its ledger has no field digests, and doesn't overwrite users' edits", async () => {
    const { sync, plan, ledger, client, idOf, ticketOf } = setUp();
    await sync(rowsOf(4));
    for await (const { key, recordId, fingerprint } of ledger.entries('done'))
      await ledger.claim({ key, recordId: `${recordId}`, fingerprint, state: 'done' });
    const { counts, toJSON } = await plan(rowsOf(4));
    expect([counts.unchanged, toJSON()]).toMatchObject([4, { operations: [] }]);
    await client.tickets.update(await idOf('r1'), { title: 'Edited' });
    await client.tickets.update(await idOf('r2'), { title: 'Edited' });
    expect(await sync(edit(rowsOf(4), { r2: { title: 'Other' } }))).toMatchObject({
      updated: 0,
      conflicts: 1,
    });
    expect((await ticketOf('r1')).title).toBe('Edited');
    const rows = edit(rowsOf(4), { r0: { title: 'Other' }, r1: { title: 'Other' }, r2: { title: 'Other' } });
    expect(await sync(rows)).toMatchObject({ updated: 1, conflicts: 2 });
    expect([(await ticketOf('r0')).title, (await ticketOf('r1')).title]).toEqual(['Other', 'Edited']);
  });

  it('continues an import and detects the fields that users have changed since then', async () => {
    const { sync, options, client, idOf, done } = setUp();
    await importTickets(options(rowsOf(3)));
    await client.tickets.update(await idOf('r0'), { title: 'Edited' });
    await client.tickets.move(await idOf('r1'), { board_id: done.id });
    expect(await sync(edit(rowsOf(3), { r0: { title: 'Other' }, r2: { title: 'Other' } }))).toMatchObject({
      updated: 1,
      conflicts: 1,
      skipped: 2,
    });
  });

  it("writes a field that earlier rows didn't contain", async () => {
    const { sync, client, idOf, ticketOf } = setUp();
    await sync(rowsOf(2));
    await client.tickets.update(await idOf('r1'), { priority: 'low' });
    const rows = edit(rowsOf(2), { r0: { priority: 'high' }, r1: { priority: 'high' } });
    expect(await sync(rows)).toMatchObject({ updated: 1, conflicts: 1 });
    expect((await ticketOf('r0')).priority).toBe('high');
  });

  it('archives and unarchives records, including new ones, to match the rows', async () => {
    const { sync, mock, ticketOf } = setUp();
    mock.faults.add({ operation: 'tickets.create', error: 'response_lost', times: 1 });
    const first = await sync([{ id: 'r0', title: 'Old', archived: true }]);
    expect(first).toMatchObject({ recovered: 1, updated: 0, finished: 1 });
    expect((await ticketOf('r0')).archived_at).not.toBeNull();
    expect(await sync([{ id: 'r0', title: 'Old', archived: true }])).toMatchObject({ skipped: 1 });
    await sync([{ id: 'r0', title: 'Old', archived: false }]);
    expect((await ticketOf('r0')).archived_at).toBeNull();
  });

  it("reports a new record as failed if it can't be archived", async () => {
    const { sync, mock } = setUp();
    mock.faults.add({ operation: 'tickets.update', status: 422 });
    expect(await sync([{ id: 'r0', title: 'Old', archived: true }])).toMatchObject({
      failed: 1,
      failedRows: [{ key: 'r0', error: { status: 422 } }],
    });
  });

  it('archives a record even if the server omits fields that have no value', async () => {
    const { sync, mock, ticketOf } = setUp();
    const client = connectRewriting(mock, (text) => text.replaceAll('"archived_at":null,', ''));
    await sync([{ id: 'r0', title: 'Old', archived: false }], { client });
    await sync([{ id: 'r0', title: 'Old', archived: true }], { client });
    expect((await ticketOf('r0')).archived_at).not.toBeNull();
  });

  it('reads a record individually if the server omits fields from lists and the row has changed', async () => {
    const { sync, mock, client } = setUp();
    omitFromList(mock, 'tickets.list', 'description_html');
    const rows = rowsOf(4).map((row) => ({ ...row, text: '<p>Old</p>' }));
    const more = { client: client.withOptions({ responseValidation: 'off' }), onMissing: 'archive' } as const;
    await sync(rows, more);
    expect(await sync(rows, more)).toMatchObject({ skipped: 4, requests: 2 });
    const edited = edit(rows.slice(1), { r1: { text: '<p>New</p>' } });
    expect(await sync(edited, more)).toMatchObject({ updated: 1, archived: 1, conflicts: 0, requests: 6 });
    expect(mock.state.tickets.all().map(({ description_html }) => description_html)).toContain('<p>New</p>');
  });

  it.each(['response_lost', 'connection'] as const)(
    'reaches the same state even if a %s fault affects each request once',
    async (error) => {
      const { sync, mock, tickets } = setUp();
      await sync(rowsOf(8));
      for (const operation of ['tickets.update', 'tickets.move', 'tickets.delete'] as const)
        mock.faults.add({ operation, error, times: 3 });
      const rows = edit(rowsOf(7), {
        r1: { title: 'A' },
        r2: { title: 'B', board: 'done' },
        r3: { text: 'C' },
      });
      expect(await sync(rows, { onMissing: 'delete' })).toMatchObject({
        updated: 3,
        deleted: 1,
        failed: 0,
        conflicts: 0,
      });
      expect(tickets()).toHaveLength(7);
      expect(await sync(rows, { onMissing: 'delete' })).toMatchObject({ skipped: 7, deleted: 0 });
    },
  );

  it('waits while it reads records if the API is rate-limited or unavailable, but not after a 401', async () => {
    const { sync, mock } = setUp();
    await sync(rowsOf(2));
    mock.faults.add({ operation: 'tickets.list', status: 429, retryAfter: 0, times: 1 });
    mock.faults.add({ operation: 'tickets.list', status: 503, times: 1 });
    const statuses: string[] = [];
    const onProgress: SyncTicketsOptions<Row>['onProgress'] = ({ status }) => statuses.push(status);
    expect(await sync(rowsOf(2), { onProgress })).toMatchObject({ skipped: 2, status: 'running' });
    expect(statuses.slice(0, 2)).toEqual(['rate_limited', 'running']);
    mock.faults.add({ operation: 'tickets.list', status: 401, times: 1 });
    await expect(sync(rowsOf(2))).rejects.toThrow('the sync stopped after 0 rows');
  });

  it('overwrites a value that an earlier sync wrote before it stopped', async () => {
    const { sync, mock, ticketOf } = setUp();
    await sync(rowsOf(1));
    mock.faults.add({ operation: 'tickets.update', error: 'response_lost', times: 1 });
    const fault = mock.faults.add({ operation: 'tickets.get', status: 401 });
    await expect(sync(edit(rowsOf(1), { r0: { title: 'New' } }))).rejects.toThrow('stopped');
    fault.remove();
    const report = await sync(edit(rowsOf(1), { r0: { title: 'Newest' } }));
    expect(report).toMatchObject({ updated: 1, conflicts: 0 });
    expect(await ticketOf('r0')).toMatchObject({ title: 'Newest' });
  });

  it("doesn't unarchive a record that a user archived", async () => {
    const { sync, client, idOf, ticketOf } = setUp();
    await sync(rowsOf(1));
    await client.tickets.update(await idOf('r0'), { archived: true });
    const report = await sync(edit(rowsOf(1), { r0: { title: 'Other' } }));
    expect(report).toMatchObject({ conflicts: 0, changedRows: [{ key: 'r0', fields: ['title'] }] });
    expect((await ticketOf('r0')).archived_at).not.toBeNull();
  });

  it('reports a rejected update and leaves the record unchanged', async () => {
    const { sync, ticketOf } = setUp();
    await sync(rowsOf(2));
    await sync(edit(rowsOf(2), { r0: { title: 'x'.repeat(501) } }));
    expect((await ticketOf('r0')).title).toBe('Step 0 of the plan');
    expect(await sync(rowsOf(2))).toMatchObject({ skipped: 2 });
  });

  it.each<[string, keyof Ticket, unknown, unknown]>([
    ['a date in another format', 'due_at', null, '31.12.2026'],
    ['an invalid Date', 'due_at', null, new Date('tomorrow')],
    ['an empty date', 'due_at', null, ''],
    ["a day that doesn't exist", 'due_at', '2026-03-03T00:00:00Z', '2026-02-31T00:00:00Z'],
    ['a time as a number', 'due_at', '1970-01-01T00:00:00Z', 0],
    ['a number that JSON turns into null', 'description_html', null, Number.NaN],
    ['a list', 'description_html', '<br>', []],
    ['a number', 'title', '42', 42],
  ])(
    'rejects %s just as creating a record would, even if the existing record looks the same',
    async (_, field, current, value) => {
      const { sync, client, idOf, ledger } = setUp();
      const run = (values: object, more?: Partial<SyncTicketsOptions<Row>>) =>
        sync(rowsOf(1), {
          toTicket: () => ({ board_slug: 'to-do', title: 'Fuel', ...values }),
          onConflict: 'source',
          ...more,
        });
      await run({});
      await client.tickets.update(await idOf('r0'), { [field]: current });
      const created = await run({ [field]: value }, { ledger: memoryLedger() });
      const problem = created.failedRows[0]?.error?.message.replace('tickets.create', 'tickets.update');
      expect(problem).toContain(field);
      expect(await run({ [field]: value })).toMatchObject({
        failed: 1,
        failedRows: [{ key: 'r0', error: { code: 'invalid_request', message: problem } }],
      });
      expect(await ledger.get('r0')).toMatchObject({ state: 'done' });
    },
  );

  it('lists an error in its plan for a row with an invalid value', async () => {
    const { sync, plan } = setUp();
    await sync(rowsOf(2));
    const rows = edit(rowsOf(2), { r0: { title: 'x'.repeat(501), text: 'Other' }, r1: { title: 'Other' } });
    const planned = await plan(rows);
    expect(planned.counts).toMatchObject({ failed: 1, update: 1 });
    expect(await collect(planned)).toMatchObject([
      {
        type: 'failed',
        key: 'r0',
        error: { code: 'invalid_request', fieldErrors: { title: [expect.any(String)] } },
      },
      { type: 'update', key: 'r1' },
    ]);
    expect(await planned.apply()).toMatchObject({ failed: 1, updated: 1, stale: 0 });
  });

  it('reports an unknown board before writing anything', async () => {
    const { plan } = setUp();
    expect(await collect(await plan([{ id: 'r0', title: 'Fuel', board: 'nowhere' }]))).toEqual([
      {
        type: 'failed',
        key: 'r0',
        error: expect.objectContaining({
          fieldErrors: { board_slug: [expect.stringContaining('"nowhere"')] },
        }),
      },
    ]);
  });

  it('retries a rejected row of a plan even if some of its fields have been written', async () => {
    const { sync, plan, mock, client, project, ticketOf } = setUp();
    const full = mock.add.board({ project: project.id, name: 'Full' });
    await sync([...rowsOf(1), { id: 'f', title: 'In the way', board: 'full' }]);
    await client.boards.update(full.id, { wip_limit: 1 });
    useFakeTimers('Date');
    // When the row is retried, its record must be read again.
    mock.override('tickets.move', (_, next) => {
      vi.setSystemTime(Date.now() + 6000);
      return next();
    });
    const rows = [
      { id: 'r0', title: 'New', board: 'full' },
      { id: 'f', title: 'In the way', board: 'done' },
    ];
    const report = await (await plan(rows, { concurrency: 1 })).apply();
    expect(report).toMatchObject({ updated: 2, stale: 0, failed: 0 });
    expect(await ticketOf('r0')).toMatchObject({ title: 'New', board_id: full.id });
  });

  it("reports rejected rows that it couldn't retry because it was stopped", async () => {
    const { sync, mock } = setUp();
    await sync(rowsOf(3));
    const stop = new AbortController();
    let updates = 0;
    const client = connect(mock, {
      fetch(...request) {
        if (request[1]?.method === 'PATCH' && ++updates === 4) stop.abort();
        return mock.fetch(...request);
      },
    });
    mock.faults.add({ operation: 'tickets.update', status: 422 });
    const rows = rowsOf(3).map((row) => ({ ...row, priority: 'high' as const }));
    const report = await sync(rows, { client, concurrency: 1, signal: stop.signal });
    expect(report).toMatchObject({ stopped: true, failed: 3 });
  });

  it("retries rejected rows after tickets have left a full board, and reports the rows that still don't fit", async () => {
    const { sync, mock, client, board, project, ticketOf, done } = setUp();
    const full = mock.add.board({ project: project.id, name: 'Full' });
    await sync([...rowsOf(3), { id: 'f', title: 'In the way', board: 'full' }]);
    await client.boards.update(full.id, { wip_limit: 1 });
    const rows = [
      { id: 'new', title: 'New', board: 'full' },
      ...edit(rowsOf(3), { r0: { board: 'full' } }),
      { id: 'f', title: 'In the way', board: 'done' },
    ];
    const report = await sync(rows, { concurrency: 1 });
    expect(report).toMatchObject({ updated: 1, created: 1, failed: 1 });
    expect(report.failedRows).toMatchObject([{ key: 'r0', error: { code: 'wip_limit_reached' } }]);
    expect((await ticketOf('new')).board_id).toBe(full.id);
    expect((await ticketOf('f')).board_id).toBe(done.id);
    expect((await ticketOf('r0')).board_id).toBe(board.id);
  });
});

describe('a record that a user changes between two attempts to write it', () => {
  it.each([undefined, 'response_lost', 'connection'] as const)(
    'is reported if the user deleted it (fault: %s)',
    async (error) => {
      const { sync, mock, client, ledger } = setUp();
      await sync(rowsOf(1));
      mock.override('tickets.update', async ({ params }, next) => {
        await client.tickets.delete(params.ticket);
        return next();
      });
      if (error) mock.faults.add({ operation: 'tickets.update', error, times: 1 });
      const rows = edit(rowsOf(1), { r0: { title: 'New' } });
      expect(await sync(rows)).toMatchObject({ updated: 0, gone: 1, goneRows: [{ key: 'r0' }] });
      expect(await ledger.get('r0')).toMatchObject({ state: 'done' });
      expect(await sync(rows, { onGone: 'recreate' })).toMatchObject({ created: 1 });
    },
  );

  it.each(['response_lost', 'connection'] as const)(
    'is a conflict if the user edited the same field (fault: %s)',
    async (error) => {
      const { sync, mock, client, idOf, ticketOf } = setUp();
      await sync(rowsOf(1));
      const id = await idOf('r0');
      mock.faults.add({ operation: 'tickets.update', error, times: 1 });
      const edited = connect(mock, {
        retry: 0,
        async fetch(...request) {
          const isUpdate = request[1]?.method === 'PATCH';
          return mock.fetch(...request).catch(async (failure) => {
            if (isUpdate) await client.tickets.update(id, { title: 'Edited' });
            throw failure;
          });
        },
      });
      const rows = edit(rowsOf(1), { r0: { title: 'New' } });
      expect(await sync(rows, { client: edited })).toMatchObject({ updated: 0, conflicts: 1 });
      expect(await sync(rows)).toMatchObject({ updated: 0, conflicts: 1 });
      expect(await ticketOf('r0')).toMatchObject({ title: 'Edited' });
      expect(await sync(rows, { onConflict: 'source' })).toMatchObject({ updated: 1 });
      expect(await ticketOf('r0')).toMatchObject({ title: 'New' });
    },
  );
});

describe('records that users deleted', () => {
  it('are reported, or re-created if onGone is "recreate"', async () => {
    const { sync, client, idOf, tickets } = setUp();
    await sync(rowsOf(3));
    const recordId = await idOf('r1');
    await client.tickets.delete(recordId);
    const rows = edit(rowsOf(3), { r1: { title: 'Other' } });
    const onUnresolved = vi.fn();
    expect(await sync(rows, { onUnresolved })).toMatchObject({
      gone: 1,
      created: 0,
      goneRows: [{ key: 'r1', recordId }],
    });
    expect(onUnresolved).not.toHaveBeenCalled();
    expect(await sync(rows, { onGone: 'recreate' })).toMatchObject({ gone: 0, created: 1 });
    expect(await sync(rows)).toMatchObject({ gone: 0, skipped: 3 });
    expect(tickets().map(({ title }) => title)).toContain('Other');
  });

  it('are re-created once the ledger forgets their rows', async () => {
    const { sync, client, idOf, ledger, tickets } = setUp();
    await sync(rowsOf(3));
    await client.tickets.delete(await idOf('r1'));
    await ledger.forget('r1');
    expect(await sync(rowsOf(3))).toMatchObject({ gone: 0, created: 1, skipped: 2 });
    expect(tickets()).toHaveLength(3);
  });
});

describe('importTickets with onChange "update"', () => {
  it("updates changed rows and doesn't remove anything", async () => {
    const { options, tickets } = setUp();
    await importTickets({ ...options(rowsOf(3)), onChange: 'update' });
    const rows = edit(rowsOf(2), { r0: { title: 'Other' } });
    expect(await importTickets({ ...options(rows), onChange: 'update' })).toMatchObject({
      updated: 1,
      skipped: 1,
    });
    expect(tickets().map(({ title }) => title)).toContain('Other');
    expect(tickets()).toHaveLength(3);
  });
});

it('syncDocuments creates, updates, archives, and unarchives documents', async () => {
  const { mock, client } = setUp();
  const ledger = memoryLedger();
  const run = (rows: { id: string; title: string; tags: string[] }[]) =>
    syncDocuments({
      client,
      rows,
      ledger,
      key: ({ id }) => id,
      toDocument: ({ title, tags }) => ({ title, tag_names: tags, status: 'published' as const }),
      onMissing: 'archive',
    });
  const rows = [
    { id: 'a', title: 'Plan', tags: ['b', 'a'] },
    { id: 'b', title: 'Report', tags: [] },
  ];
  expect(await run(rows)).toMatchObject({ created: 2 });
  expect(await run(rows)).toMatchObject({ skipped: 2, requests: 1 });
  expect(await run([{ id: 'a', title: 'Plan', tags: ['a', 'c'] }])).toMatchObject({
    updated: 1,
    archived: 1,
  });
  expect(await run(rows)).toMatchObject({ updated: 2, archived: 0 });
  const found = await client.documents.list().toArray({ complete: true });
  expect(found.map(({ title, archived_at }) => [title, archived_at])).toEqual(
    expect.arrayContaining([
      ['Plan', null],
      ['Report', null],
    ]),
  );
  // Documents can be missed if the list changes while it's being read.
  mock.override('documents.list', async () => ({ items: [], total: 0 }));
  expect(await run(rows)).toMatchObject({ skipped: 2, gone: 0 });
});
