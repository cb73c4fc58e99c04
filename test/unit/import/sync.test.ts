import { describe, expect, it, vi } from 'vitest';
import { type Ticket, Worktrack } from 'worktrack';
import {
  importTickets,
  type Ledger,
  memoryLedger,
  planSync,
  type SyncTicketsOptions,
  syncDocuments,
  syncTickets,
  ticketTarget,
} from 'worktrack/import';
import { createMockServer } from 'worktrack/mock-server';
import { collect } from '../../support/collect.js';
import { useFakeTimers } from '../../support/timers.js';

interface Row {
  id: string;
  title: string;
  board?: string;
  text?: string | null;
  priority?: Ticket['priority'];
  archived?: boolean;
}

const rowsOf = (count: number): Row[] =>
  Array.from({ length: count }, (_, index) => ({ id: `r${index}`, title: `Step ${index} of the plan` }));

/** Replaces the rows with the given IDs. */
const edit = (rows: Row[], edits: Record<string, Partial<Row>>) =>
  rows.map((row) => ({ ...row, ...edits[row.id] }));

function setUp() {
  const mock = createMockServer();
  const project = mock.add.project();
  const board = mock.add.board({ project: project.id, name: 'To do' });
  const done = mock.add.board({ project: project.id, name: 'Done' });
  const client = new Worktrack({
    ...mock.clientOptions(),
    fetch: mock.fetch,
    retry: { limit: 0, maxDelay: 1 },
    logLevel: 'off',
  });
  const ledger: Ledger = memoryLedger();
  const options = (rows: SyncTicketsOptions<Row>['rows'], more: Partial<SyncTicketsOptions<Row>> = {}) => ({
    client,
    project: project.id,
    rows,
    key: ({ id }: Row) => id,
    toTicket: ({ title, board: slug = 'to-do', text, priority, archived }: Row) => ({
      title,
      board_slug: slug,
      ...(text !== undefined && { description_html: text }),
      ...(priority && { priority }),
      ...(archived !== undefined && { archived }),
    }),
    ledger,
    lookupDelay: 0,
    retry: { limit: 20, delay: 1, maxDelay: 2 },
    ...more,
  });
  const sync = (rows: SyncTicketsOptions<Row>['rows'], more?: Partial<SyncTicketsOptions<Row>>) =>
    syncTickets<Row>(options(rows, more));
  const plan = (rows: Iterable<Row>, more: Partial<SyncTicketsOptions<Row>> = {}) => {
    const { client: _, project: id, toTicket, ...rest } = options(rows, more);
    return planSync<Row>({ ...rest, target: ticketTarget({ client, project: id, toTicket }) });
  };
  /** Returns a plan as it's read from a file. */
  const review = async (...args: Parameters<typeof plan>) => JSON.parse(JSON.stringify(await plan(...args)));
  const tickets = () => mock.state.tickets.all();
  const idOf = async (key: string) => {
    for await (const entry of ledger.entries('done')) if (entry.key === key) return `${entry.recordId}`;
    throw new Error(`no record for ${key}`);
  };
  const ticketOf = async (key: string) => client.tickets.get(await idOf(key));
  return { mock, project, board, done, client, ledger, sync, plan, review, options, tickets, idOf, ticketOf };
}

/** Lets an hour pass, as if the machine were suspended: meanwhile, the monotonic clock stops. */
const suspend = () => vi.setSystemTime(Date.now() + 3_600_000);

const writesOf = (mock: ReturnType<typeof createMockServer>) =>
  mock.requests.all().filter(({ method }) => method !== 'GET');

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
    const client = new Worktrack({
      ...mock.clientOptions(),
      responseValidation: 'off',
      fetch: async (...args) => {
        const response = await mock.fetch(...args);
        return new Response((await response.text()).replaceAll('"archived_at":null,', ''), response);
      },
    });
    await sync([{ id: 'r0', title: 'Old', archived: false }], { client });
    await sync([{ id: 'r0', title: 'Old', archived: true }], { client });
    expect((await ticketOf('r0')).archived_at).not.toBeNull();
  });

  it('reads a record individually if the server omits fields from lists and the row has changed', async () => {
    const { sync, mock, client } = setUp();
    mock.override('tickets.list', async (_, next) => {
      const { items, total } = await next();
      return { items: items.map(({ description_html: _, ...rest }) => rest as Ticket), total };
    });
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

  it('reports a rejected update and leaves the record unchanged', async () => {
    const { sync, ticketOf, ledger } = setUp();
    await sync(rowsOf(2));
    const report = await sync(edit(rowsOf(2), { r0: { title: 'x'.repeat(501) } }));
    expect(report).toMatchObject({
      failed: 1,
      failedRows: [{ key: 'r0', error: { code: 'invalid_request' } }],
    });
    expect((await ticketOf('r0')).title).toBe('Step 0 of the plan');
    expect(await ledger.get('r0')).toMatchObject({ state: 'done' });
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

  it('reports rejected rows that it could not retry because it was stopped', async () => {
    const { sync, mock } = setUp();
    await sync(rowsOf(3));
    const stop = new AbortController();
    let updates = 0;
    const client = new Worktrack({
      ...mock.clientOptions(),
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
      const edited = new Worktrack({
        ...mock.clientOptions(),
        retry: 0,
        logLevel: 'off',
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

  it('keep their records if a user changes the records between two removal attempts', async () => {
    const { sync, mock, client, idOf, tickets, ledger } = setUp();
    await sync(rowsOf(3));
    const id = await idOf('r2');
    mock.faults.add({ operation: 'tickets.delete', status: 429, retryAfter: 0, times: 1 });
    const editing = new Worktrack({
      ...mock.clientOptions(),
      retry: { limit: 0 },
      fetch: async (input, init) => {
        const response = await mock.fetch(input, init);
        if (response.status === 429) await client.tickets.update(id, { title: 'Edited' });
        return response;
      },
    });
    expect(await sync(rowsOf(2), { client: editing, onMissing: 'delete' })).toMatchObject({
      deleted: 0,
      conflictRows: [{ key: 'r2', conflicts: [{ field: 'title' }] }],
    });
    expect(tickets()).toHaveLength(3);
    expect(await ledger.get('r2')).toMatchObject({ removed: 'kept' });
  });

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
    // Updates r0 and archives r3, as planned.
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
  // Reading a list while it changes can miss documents.
  mock.override('documents.list', async () => ({ items: [], total: 0 }));
  expect(await run(rows)).toMatchObject({ skipped: 2, gone: 0 });
});
