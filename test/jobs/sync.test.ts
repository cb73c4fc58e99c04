import { describe, expect, it, vi } from 'vitest';
import type { Ticket } from 'worktrack';
import { AuthenticationError, ConfigurationError, WorktrackError } from 'worktrack';
import {
  BookError,
  memoryBook,
  type SyncProgress,
  type SyncStoppedError,
  type SyncTicketsOptions,
  syncDocuments,
} from 'worktrack/jobs';
import { connect, connectRewriting, omitFromList } from '../support/clients.js';
import { errorOf, rowsOf } from './support/import-setting.js';
import { edit, type Row, setUp, writesOf } from './support/sync-setting.js';

describe('a sync', () => {
  it('creates missing records, updates only changed fields, and moves records to their boards', async () => {
    const { sync, mock, ticketOf, done } = setUp();
    expect(await sync(rowsOf(5))).toMatchObject({ created: 5, updated: 0 });
    mock.requests.clear();
    const rows = edit(rowsOf(6), { r1: { title: 'Other', text: '<p>New</p>' }, r2: { board: 'done' } });
    const report = await sync(rows);
    expect(report).toMatchObject({ read: 6, created: 1, updated: 2, unchanged: 3, failed: 0, conflicts: 0 });
    expect([...report.updatedRows].sort((one, other) => (one.key < other.key ? -1 : 1))).toMatchObject([
      { key: 'r1', fields: ['title', 'description_html'] },
      { key: 'r2', fields: ['board_id'] },
    ]);
    expect(await ticketOf('r1')).toMatchObject({ title: 'Other' });
    expect(await ticketOf('r2')).toMatchObject({ title: 'Step 2 of the plan', board_id: done.id });
    expect(writesOf(mock).map(({ operation, body }) => [operation, body])).toEqual(
      expect.arrayContaining([
        [
          'tickets.update',
          {
            title: 'Other',
            description_html: expect.stringMatching(/^<p>New<\/p><p>Imported from Jira: r1 \[\w{8}\]<\/p>$/),
          },
        ],
        ['tickets.move', { board_id: done.id }],
      ]),
    );
    expect(writesOf(mock)).toHaveLength(3);
  });

  it('sends no writes and at most 50 requests if 5,000 rows are unchanged', async () => {
    const { sync, mock, book } = setUp();
    await sync(rowsOf(5000));
    mock.requests.clear();
    const put = vi.spyOn(book, 'put');
    expect(await sync(rowsOf(5000))).toMatchObject({ unchanged: 5000, updated: 0, created: 0 });
    expect(writesOf(mock)).toEqual([]);
    expect(mock.requests.all().length).toBeLessThanOrEqual(50);
    expect(put).not.toHaveBeenCalled();
  });

  it("doesn't change fields that only people have changed or that the row doesn't contain", async () => {
    const { sync, client, idOf, ticketOf } = setUp();
    await sync(rowsOf(2));
    await client.tickets.update(await idOf('r0'), { title: 'Edited', priority: 'high' });
    const rows = edit(rowsOf(2), { r0: { text: 'Body' } });
    expect(await sync(rows)).toMatchObject({ updated: 1, conflicts: 0 });
    expect(await ticketOf('r0')).toMatchObject({
      title: 'Edited',
      priority: 'high',
      description_html: expect.stringContaining('Body'),
    });
    expect(await sync(rows)).toMatchObject({ updated: 0, unchanged: 2 });
  });

  it.each([
    ['report', 'Edited', [1, 1, 1]],
    ['source', 'Other', [0, 0, 0]],
    ['target', 'Edited', [0, 0, 0]],
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

  it.each<[string, string, string]>([
    [
      'another link',
      '<p>See <a href="https://a.example">it</a></p>',
      '<p>See <a href="https://b.example">it</a></p>',
    ],
    ['another image', '<p>Map</p><img src="1.png">', '<p>Map</p><img src="2.png">'],
    ['a longer text with the same beginning', '<p>Fuel</p>', '<p>Fuel the rocket</p>'],
  ])('reports a change to %s even if a person edited the same text', async (_, before, after) => {
    const { sync, client, idOf, ticketOf } = setUp();
    await sync(edit(rowsOf(1), { r0: { text: before } }));
    await client.tickets.update(await idOf('r0'), {
      description_html: before.replace('<p>', '<p class="a">'),
    });
    const rows = edit(rowsOf(1), { r0: { text: after } });
    expect(await sync(rows)).toMatchObject({
      updated: 0,
      conflictRows: [{ key: 'r0', conflicts: [{ field: 'description_html', source: after }] }],
    });
    expect(await sync(rows, { onConflict: 'source' })).toMatchObject({ updated: 1, conflicts: 0 });
    expect((await ticketOf('r0')).description_html).toContain(after);
  });

  it("doesn't overwrite what a person changed after the list was read", async () => {
    const { sync, client, idOf, ticketOf } = setUp();
    await sync(rowsOf(1));
    async function* rows() {
      await client.tickets.update(await idOf('r0'), { title: 'Edited' });
      yield { id: 'r0', title: 'Other' };
    }
    expect(await sync(rows())).toMatchObject({ conflicts: 1, updated: 0 });
    expect((await ticketOf('r0')).title).toBe('Edited');
  });

  it('writes later changes from the source after a conflict is resolved in favor of the target', async () => {
    const { sync, client, idOf, ticketOf } = setUp();
    await sync(rowsOf(1));
    await client.tickets.update(await idOf('r0'), { title: 'Edited' });
    await sync(edit(rowsOf(1), { r0: { title: 'Other' } }), { onConflict: 'target' });
    expect(await sync(edit(rowsOf(1), { r0: { title: 'Edited' } }))).toMatchObject({ updated: 0 });
    await sync(edit(rowsOf(1), { r0: { title: 'Newest' } }));
    expect((await ticketOf('r0')).title).toBe('Newest');
  });

  it('continues an import, and sees what people have changed since then', async () => {
    const { sync, runImport, client, idOf, done } = setUp();
    await runImport(rowsOf(3));
    await client.tickets.update(await idOf('r0'), { title: 'Edited' });
    await client.tickets.move(await idOf('r1'), { board_id: done.id });
    const rows = edit(rowsOf(3), { r0: { title: 'Other' }, r2: { title: 'Other' } });
    expect(await sync(rows)).toMatchObject({ updated: 1, conflicts: 1, unchanged: 1 });
  });

  it("writes a field that earlier rows didn't contain, unless a person has set it", async () => {
    const { sync, client, idOf, ticketOf } = setUp();
    await sync(rowsOf(2));
    await client.tickets.update(await idOf('r1'), { priority: 'low' });
    const rows = edit(rowsOf(2), { r0: { priority: 'high' }, r1: { priority: 'high' } });
    expect(await sync(rows)).toMatchObject({ updated: 1, conflicts: 1 });
    expect((await ticketOf('r0')).priority).toBe('high');
  });

  it('archives and unarchives records, including new ones, to match the rows', async () => {
    const { sync, mock, ticketOf, tickets } = setUp();
    mock.faults.add({ operation: 'tickets.create', error: 'response_lost', times: 1 });
    const rows = [{ id: 'r0', title: 'Old', archived: true }];
    expect(await sync(rows)).toMatchObject({ created: 1, updated: 0, failed: 0 });
    expect((await ticketOf('r0')).archived_at).not.toBeNull();
    expect(await sync(rows)).toMatchObject({ unchanged: 1 });
    await sync([{ id: 'r0', title: 'Old', archived: false }]);
    expect((await ticketOf('r0')).archived_at).toBeNull();
    expect(tickets()).toHaveLength(1);
  });

  it("archives a new record in the next run if it couldn't be archived", async () => {
    const { sync, mock, ticketOf } = setUp();
    const fault = mock.faults.add({ operation: 'tickets.update', status: 422 });
    const rows = [{ id: 'r0', title: 'Old', archived: true }];
    expect(await sync(rows)).toMatchObject({
      failed: 1,
      failedRows: [{ key: 'r0', error: { status: 422 } }],
    });
    fault.remove();
    expect(await sync(rows)).toMatchObject({ updated: 1 });
    expect((await ticketOf('r0')).archived_at).not.toBeNull();
  });

  it('archives a record even if the server omits fields that have no value', async () => {
    const { sync, mock, ticketOf } = setUp();
    const client = connectRewriting(mock, (text) => text.replaceAll('"archived_at":null,', ''));
    await sync([{ id: 'r0', title: 'Old', archived: false }], { client });
    await sync([{ id: 'r0', title: 'Old', archived: true }], { client });
    expect((await ticketOf('r0')).archived_at).not.toBeNull();
  });

  it('reads a record individually if the server omits fields from lists and the row has changed', async () => {
    const { sync, mock, client, tickets } = setUp();
    omitFromList(mock, 'tickets.list', 'description_html');
    const rows = rowsOf(4).map((row) => ({ ...row, text: '<p>Old</p>' }));
    const more = { client: client.withOptions({ responseValidation: 'off' }), onMissing: 'archive' } as const;
    await sync(rows, more);
    mock.requests.clear();
    expect(await sync(rows, more)).toMatchObject({ unchanged: 4 });
    expect(mock.requests.all().map(({ operation }) => operation)).toEqual(['tickets.list']);
    const edited = edit(rows.slice(1), { r1: { text: '<p>New</p>' } });
    expect(await sync(edited, more)).toMatchObject({ updated: 1, archived: 1, conflicts: 0 });
    expect(tickets().filter(({ description_html }) => description_html?.includes('New'))).toHaveLength(1);
    // Without the book, the marks are read from each record.
    expect(await sync(edited, { ...more, book: memoryBook() })).toMatchObject({ created: 0, updated: 0 });
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
        ...{ updated: 3, deleted: 1, failed: 0, conflicts: 0 },
      });
      expect(tickets()).toHaveLength(7);
      expect(await sync(rows, { onMissing: 'delete' })).toMatchObject({ unchanged: 7, deleted: 0 });
    },
  );

  it('waits while the API is rate-limited or unavailable, and stops after a 401', async () => {
    const { sync, mock } = setUp();
    await sync(rowsOf(2));
    mock.faults.add({ operation: 'tickets.list', status: 429, retryAfter: 1, times: 1 });
    mock.faults.add({ operation: 'tickets.update', status: 503, times: 2 });
    const seen: SyncProgress[] = [];
    const rows = edit(rowsOf(2), { r0: { title: 'Other' } });
    const onProgress = (progress: SyncProgress) => seen.push(progress);
    expect(await sync(rows, { onProgress })).toMatchObject({ updated: 1, unchanged: 1 });
    expect(seen[0]).toMatchObject({ status: 'rate_limited', read: 0 });
    expect(seen.at(-1)).toMatchObject({ read: 2, updated: 1 });
    mock.faults.add({ operation: 'tickets.list', status: 401 });
    const error = (await errorOf(sync(rowsOf(2)))) as SyncStoppedError;
    expect(error).toBeInstanceOf(WorktrackError);
    expect(error).toMatchObject({ name: 'SyncStoppedError', code: 'sync_stopped', outcome: 'not_sent' });
    expect(error.message).toContain('the sync stopped after 0 rows');
    expect(error.cause).toBeInstanceOf(AuthenticationError);
    expect(error.report).toMatchObject({ stopped: true, read: 0 });
  });

  it('overwrites a value that an earlier sync wrote before it stopped', async () => {
    const { sync, mock, ticketOf } = setUp();
    await sync(rowsOf(1));
    mock.faults.add({ operation: 'tickets.update', error: 'response_lost', times: 1 });
    const fault = mock.faults.add({ operation: 'tickets.get', status: 401, after: 1 });
    await expect(sync(edit(rowsOf(1), { r0: { title: 'New' } }))).rejects.toThrow('stopped');
    fault.remove();
    const report = await sync(edit(rowsOf(1), { r0: { title: 'Newest' } }));
    expect(report).toMatchObject({ updated: 1, conflicts: 0 });
    expect(await ticketOf('r0')).toMatchObject({ title: 'Newest' });
  });

  it("doesn't unarchive a record that a person archived", async () => {
    const { sync, client, idOf, ticketOf } = setUp();
    await sync(rowsOf(1));
    await client.tickets.update(await idOf('r0'), { archived: true });
    const report = await sync(edit(rowsOf(1), { r0: { title: 'Other' } }));
    expect(report).toMatchObject({ conflicts: 0, updatedRows: [{ key: 'r0', fields: ['title'] }] });
    expect((await ticketOf('r0')).archived_at).not.toBeNull();
  });

  it.each<[string, keyof Ticket, unknown, unknown]>([
    ['a date in another format', 'due_at', null, '31.12.2026'],
    ['an invalid Date', 'due_at', null, new Date('tomorrow')],
    ['an empty date', 'due_at', null, ''],
    ["a day that doesn't exist", 'due_at', '2026-03-03T00:00:00Z', '2026-02-31T00:00:00Z'],
    ['a time as a number', 'due_at', '1970-01-01T00:00:00Z', 0],
    ['an unknown priority', 'priority', 'high', 'urgent'],
    ['a title that is too long', 'title', 'Fuel', 'x'.repeat(501)],
    ['a list', 'description_html', '<br>', []],
    ['a number', 'title', '42', 42],
  ])('plans %s as a failed operation, and writes nothing', async (_, field, current, value) => {
    const { sync, plan, mock, client, idOf } = setUp();
    const more = (values: object): Partial<SyncTicketsOptions<Row>> => ({
      toTicket: () => ({ board_slug: 'to-do', title: 'Fuel', ...values }),
      onConflict: 'source',
    });
    await sync(rowsOf(1), more({}));
    await client.tickets.update(await idOf('r0'), { [field]: current });
    mock.requests.clear();
    const failed = { key: 'r0', error: { fieldErrors: { [field]: [expect.any(String)] } } };
    const rows = [...rowsOf(1), { id: 'new', title: 'New' }];
    const { counts, operations } = await plan(rows, more({ [field]: value }));
    expect(counts).toMatchObject({ failed: 2, update: 0, create: 0 });
    expect(operations).toMatchObject([failed, { ...failed, key: 'new' }]);
    expect(await sync(rows, more({ [field]: value }))).toMatchObject({ failed: 2, failedRows: [failed, {}] });
    expect(writesOf(mock)).toEqual([]);
  });

  it('reports an unknown board and a missing title before it writes anything', async () => {
    const { plan } = setUp();
    const rows = [
      { id: 'r0', title: 'Fuel', board: 'nowhere' },
      { id: 'r1', title: undefined as never },
    ];
    expect((await plan(rows, { concurrency: 1 })).operations).toMatchObject([
      {
        type: 'failed',
        error: { fieldErrors: { board_slug: [expect.stringContaining('"nowhere"')] } },
      },
      { type: 'failed', error: { fieldErrors: { title: ['is required'] } } },
    ]);
  });

  it('retries rejected rows after tickets have left a full board, and reports those that still do not fit', async () => {
    const { sync, mock, client, board, project, ticketOf, done } = setUp();
    const full = mock.add.board({ project: project.id, name: 'Full' });
    await sync([...rowsOf(3), { id: 'f', title: 'In the way', board: 'full' }]);
    await client.boards.update(full.id, { wip_limit: 1 });
    const rows = [
      ...edit(rowsOf(3), { r0: { title: 'New', board: 'full' }, r1: { board: 'full' } }),
      { id: 'f', title: 'In the way', board: 'done' },
    ];
    const report = await sync(rows, { concurrency: 1 });
    expect(report).toMatchObject({ updated: 2, failed: 1, unchanged: 1 });
    expect(report.failedRows).toMatchObject([{ key: 'r1', error: { code: 'wip_limit_reached' } }]);
    expect(await ticketOf('r0')).toMatchObject({ title: 'New', board_id: full.id });
    expect((await ticketOf('f')).board_id).toBe(done.id);
    expect((await ticketOf('r1')).board_id).toBe(board.id);
  });

  it('writes nothing if the source throws or the sync is aborted while the source is read', async () => {
    const { sync, mock } = setUp();
    await sync(rowsOf(3));
    mock.requests.clear();
    const rows = edit(rowsOf(3), { r0: { title: 'Other' } });
    function* broken() {
      yield* rows;
      throw new Error('the file ends in the middle of a row');
    }
    await expect(sync(broken())).rejects.toThrow('the sync stopped after 3 rows: the file ends');
    const stop = new AbortController();
    function* aborting() {
      yield* rows;
      stop.abort();
    }
    expect(await sync(aborting(), { signal: stop.signal })).toMatchObject({ stopped: true, updated: 0 });
    expect(writesOf(mock)).toEqual([]);
  });

  it('reports rows that reuse a key, and continues after a row that cannot be converted', async () => {
    const { sync, options, tickets } = setUp();
    const { toTicket } = options([]);
    const rows = [...rowsOf(2), { id: 'r0', title: 'Other' }, { id: 'r9', title: 'Broken' }];
    const report = await sync(rows, {
      concurrency: 1,
      toTicket: (row) => {
        if (row.id === 'r9') throw new Error('no status');
        return toTicket(row);
      },
    });
    expect(report).toMatchObject({
      created: 2,
      failedRows: [
        { key: 'r0', error: { code: 'duplicate_key' } },
        { key: 'r9', error: { message: 'no status' } },
      ],
    });
    expect(tickets()).toHaveLength(2);
  });

  it.each([
    [{ onMissing: 'remove' }, 'option "onMissing" must be one of'],
    [{ maxRemovals: -1 }, 'option "maxRemovals" must be a non-negative integer'],
    [{ plan: {} }, 'option "plan" must be a plan from planSync'],
    [{ plan: { version: 1, scope: 'tickets:other:Jira', operations: [] } }, 'is for "tickets:other:Jira"'],
    [{ onConflct: 'source' }, 'unknown option "onConflct"'],
    [{ source: '' }, 'option "source" must be'],
    [{ book: undefined }, 'option "book" must be a book'],
  ])('rejects the options %j', async (options, message) => {
    const error = await errorOf(setUp().sync([], options as object));
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error.message).toContain(message);
  });

  it('rejects the book of another sync', async () => {
    const { sync } = setUp();
    await sync(rowsOf(1));
    expect(await errorOf(sync(rowsOf(1), { source: 'Trello' }))).toBeInstanceOf(BookError);
  });
});

describe('a sync without its book', () => {
  it('recognizes records by their marks, and writes fields of records that nobody has changed', async () => {
    const { sync, tickets } = setUp();
    await sync(rowsOf(4));
    const rows = edit(rowsOf(3), { r1: { title: 'Other' } });
    const report = await sync(rows, { book: memoryBook(), onMissing: 'archive' });
    expect(report).toMatchObject({ created: 0, updated: 1, unchanged: 2, archived: 1, conflicts: 0 });
    expect(tickets()).toHaveLength(4);
  });

  it('reports fields that differ as conflicts if people have changed the record', async () => {
    const { sync, client, mock, idOf, ticketOf } = setUp();
    await sync(rowsOf(2));
    mock.clock.advance(60_000);
    await client.tickets.update(await idOf('r0'), { title: 'Edited' });
    await client.tickets.update(await idOf('r1'), { priority: 'high' });
    const book = memoryBook();
    const rows = edit(rowsOf(2), { r1: { text: 'New' } });
    expect(await sync(rows, { book })).toMatchObject({
      updated: 0,
      conflicts: 2,
      conflictRows: expect.arrayContaining([
        expect.objectContaining({ key: 'r0', conflicts: [expect.objectContaining({ field: 'title' })] }),
      ]),
    });
    expect((await ticketOf('r0')).title).toBe('Edited');
    expect(await sync(rows, { book, onConflict: 'source' })).toMatchObject({ updated: 2 });
    expect(await sync(rows, { book })).toMatchObject({ unchanged: 2 });
  });

  it('reports records that share a mark, and uses the oldest', async () => {
    const { sync, client, board, project, ticketOf, mock, idOf } = setUp();
    await sync(rowsOf(1));
    const { description_html } = await ticketOf('r0');
    mock.clock.advance(60_000);
    const copy = await client.tickets.create(project.id, {
      board_id: board.id,
      title: 'Copy',
      description_html,
    });
    expect(await sync(rowsOf(1), { book: memoryBook() })).toMatchObject({
      created: 0,
      unchanged: 1,
      duplicates: [{ key: 'r0', keep: await idOf('r0'), extra: [copy.id] }],
    });
  });
});

describe('a record that a person changes between two attempts to write it', () => {
  it.each([undefined, 'response_lost', 'connection'] as const)(
    'is reported if the person deleted it (fault: %s)',
    async (error) => {
      const { sync, mock, client } = setUp();
      await sync(rowsOf(1));
      const restore = mock.override('tickets.update', async ({ params }, next) => {
        await client.tickets.delete(params.ticket);
        return next();
      });
      if (error) mock.faults.add({ operation: 'tickets.update', error, times: 1 });
      const rows = edit(rowsOf(1), { r0: { title: 'New' } });
      expect(await sync(rows)).toMatchObject({ updated: 0, gone: 1, goneRows: [{ key: 'r0' }] });
      restore();
      expect(await sync(rows, { onGone: 'recreate' })).toMatchObject({ created: 1 });
    },
  );

  it.each(['response_lost', 'connection'] as const)(
    'is a conflict if the person edited the same field (fault: %s)',
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
      expect(await sync(rows, { client: edited })).toMatchObject({ conflicts: 1 });
      expect(await sync(rows)).toMatchObject({ updated: 0, conflicts: 1 });
      expect(await ticketOf('r0')).toMatchObject({ title: 'Edited' });
      // The source's way back isn't lost either.
      expect(await sync(rowsOf(1))).toMatchObject({ updated: 0, conflicts: 1 });
      expect(await sync(rows, { onConflict: 'source' })).toMatchObject({ updated: 1 });
      expect(await ticketOf('r0')).toMatchObject({ title: 'New' });
    },
  );
});

describe('records that people deleted', () => {
  it('are reported, or created again if onGone is "recreate"', async () => {
    const { sync, client, idOf, tickets } = setUp();
    await sync(rowsOf(3));
    const id = await idOf('r1');
    await client.tickets.delete(id);
    const rows = edit(rowsOf(3), { r1: { title: 'Other' } });
    expect(await sync(rows)).toMatchObject({ gone: 1, created: 0, goneRows: [{ key: 'r1', id }] });
    expect(await sync(rows, { onGone: 'recreate' })).toMatchObject({ gone: 0, created: 1 });
    expect(await sync(rows)).toMatchObject({ gone: 0, unchanged: 3 });
    expect(tickets().map(({ title }) => title)).toContain('Other');
  });
});

it('syncDocuments creates, updates, archives, and unarchives documents', async () => {
  const { mock, client } = setUp();
  const book = memoryBook();
  const run = (rows: { id: string; title: string; tags: string[] }[]) =>
    syncDocuments({
      ...{ client, rows, book, source: 'Wiki', settleDelay: 0, onMissing: 'archive' },
      key: ({ id }) => id,
      toDocument: ({ title, tags }) => ({ title, tag_names: tags, status: 'published' as const }),
    });
  const rows = [
    { id: 'a', title: 'Plan', tags: ['b', 'a'] },
    { id: 'b', title: 'Report', tags: [] },
  ];
  expect(await run(rows)).toMatchObject({ created: 2 });
  mock.requests.clear();
  expect(await run(rows)).toMatchObject({ unchanged: 2 });
  expect(mock.requests.all()).toHaveLength(1);
  expect(await run([{ id: 'a', title: 'Plan', tags: ['a', 'c'] }])).toMatchObject({
    updated: 1,
    archived: 1,
  });
  expect(await run(rows)).toMatchObject({ updated: 2, archived: 0 });
  const found = await client.documents.list().toArray({ complete: true });
  expect(found.map(({ title, archived_at }) => [title, archived_at]).sort()).toEqual([
    ['Plan', null],
    ['Report', null],
  ]);
  // A record that a list leaves out still exists.
  mock.override('documents.list', async () => ({ items: [], total: 0 }));
  expect(await run(rows)).toMatchObject({ unchanged: 2, gone: 0 });
});
