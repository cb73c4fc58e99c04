import { describe, expect, it, vi } from 'vitest';
import { ticketTarget } from 'worktrack/jobs';
import { useBackend } from './backends.js';
import { deadLetters, key, patience, type Row, rowsOf } from './rows.js';
import { setUpImport } from './set-up-import.js';

const backend = useBackend();

/** Replaces the titles of the rows with the given IDs. */
const retitle = (rows: Row[], titles: Record<string, string>) =>
  rows.map((row) => ({ ...row, title: titles[row.id] ?? row.title }));

async function setUp() {
  const setting = await setUpImport(backend, { limit: 20 });
  await setting.work();
  const { queue, client } = setting;
  const ticketOf = async (id: string) => client.tickets.get(`${(await queue.ledger.get(id))?.recordId}`);
  return { ...setting, ticketOf };
}

describe('queue.sync', () => {
  it("creates, updates, and removes records, and doesn't change anything on the second run", async () => {
    const { queue, titles, mock } = await setUp();
    expect(await queue.sync(rowsOf(6), { key })).toMatchObject({ added: 6, changed: 0, removed: 0 });
    const rows = retitle(rowsOf(5), { r1: 'Other' });
    expect(await queue.sync(rows, { key, onMissing: 'delete' })).toMatchObject({
      added: 0,
      changed: 1,
      unchanged: 4,
      removed: 1,
    });
    expect(titles()).toEqual(rows.map(({ title }) => title).sort());
    mock.requests.clear();
    expect(await queue.sync(rows, { key, onMissing: 'delete' })).toMatchObject({ unchanged: 5, removed: 0 });
    expect(mock.requests.all()).toEqual([]);
    expect(await queue.sync(rowsOf(6), { key, onMissing: 'delete' })).toMatchObject({ changed: 2 });
    expect(titles()).toEqual(rowsOf(6).map(({ title }) => title));
  });

  it('reaches the same state even if responses are lost', async () => {
    const { queue, titles, mock } = await setUp();
    await queue.sync(rowsOf(6), { key });
    for (const operation of ['tickets.update', 'tickets.delete'] as const) {
      mock.faults.add({ operation, error: 'response_lost', times: 2 });
      mock.faults.add({ operation, status: 429, times: 1, retryAfter: 0 } as never);
    }
    const rows = retitle(rowsOf(5), { r1: 'Other', r2: 'Another' });
    await queue.sync(rows, { key, onMissing: 'delete' });
    expect(titles()).toEqual(rows.map(({ title }) => title).sort());
    expect(await deadLetters(queue)).toEqual([]);
  });

  it('turns conflicts and deleted records into dead letters, which can be retried', async () => {
    const { queue, client, ticketOf, titles } = await setUp();
    await queue.sync(rowsOf(3), { key });
    await client.tickets.update((await ticketOf('r0')).id, { title: 'Edited' });
    await client.tickets.delete((await ticketOf('r1')).id);
    const rows = retitle(rowsOf(3), { r0: 'Other', r1: 'Else', r2: 'Third' });
    await queue.sync(rows, { key });
    expect(await deadLetters(queue)).toMatchObject([
      { key: 'r0', state: 'done', error: { code: 'conflict' }, row: { title: 'Other' } },
      { key: 'r1', state: 'done', error: { code: 'gone' } },
    ]);
    expect(titles()).toEqual(['Edited', 'Third']);
    await queue.sync(rows, { key, onConflict: 'source', onGone: 'recreate' });
    expect(titles()).toEqual(['Else', 'Other', 'Third']);
    expect(await deadLetters(queue)).toEqual([]);
  });

  it('archives the records of rows that are missing, and unarchives the records when the rows are back', async () => {
    const { queue, ticketOf } = await setUp();
    await queue.sync(rowsOf(3), { key });
    await queue.sync(rowsOf(2), { key, onMissing: 'archive' });
    expect((await ticketOf('r2')).archived_at).not.toBeNull();
    await queue.sync(rowsOf(3), { key, onMissing: 'archive' });
    expect((await ticketOf('r2')).archived_at).toBeNull();
  });

  it("creates archived records, and retries rows that couldn't be created", async () => {
    const { queue, work, client, project, board, mock } = await setUpImport(backend);
    const toTicket = ({ id, title }: Row) => ({ board_id: board.id, title, archived: id === 'r1' });
    await work({ target: ticketTarget<Row>({ client, project: project.id, toTicket }) });
    const fault = mock.faults.add({ operation: 'tickets.create', status: 422, times: 1, after: 1 });
    await queue.sync(rowsOf(3), { key });
    fault.remove();
    expect(await deadLetters(queue)).toHaveLength(1);
    expect(await queue.sync(rowsOf(3), { key })).toMatchObject({ added: 0, changed: 1, unchanged: 2 });
    expect(await deadLetters(queue)).toEqual([]);
    const archived = mock.state.tickets.all().map(({ title, archived_at }) => [title, archived_at !== null]);
    expect(archived.sort()).toEqual(rowsOf(3).map(({ id, title }) => [title, id === 'r1']));
    mock.requests.clear();
    expect(await queue.sync(rowsOf(3), { key })).toMatchObject({ changed: 0, unchanged: 3 });
    expect(mock.requests.all()).toEqual([]);
  });

  it.each(['sync', 'add'] as const)(
    "looks for a row's first record again if its record was created twice, and still reports it in later syncs (%s)",
    async (call) => {
      const { queue, work, client, project, board, mock } = await setUpImport(backend);
      const more = call === 'sync' ? { archived: true } : {};
      const toTicket = ({ title }: Row) => ({ board_id: board.id, title, ...more });
      await work({ target: ticketTarget<Row>({ client, project: project.id, toTicket }) });
      mock.faults.add({ operation: 'tickets.create', error: 'response_lost', times: 1 });
      let searches = 0;
      mock.override('tickets.list', async (_, next) => {
        const page = await next();
        // The second search is for the lost record, which isn't searchable yet.
        return ++searches === 2 ? { ...page, items: [] } : page;
      });
      if (call === 'add') {
        await queue.add(rowsOf(1), { key });
        await vi.waitFor(async () => expect((await queue.counts()).delayed).toBe(1), patience);
      }
      const changed = rowsOf(1).map((row) => ({ ...row, note: 'Changed' }));
      await queue.sync(changed, { key });
      const [first, second] = mock.state.tickets.all();
      const suspected = { recordId: second?.id, candidates: [{ id: first?.id }] };
      expect(await queue.ledger.get('r0')).toMatchObject(suspected);
      expect(await queue.sync([{ id: 'r0', title: 'Other' }], { key })).toMatchObject({ changed: 1 });
      expect(mock.state.tickets.get(`${second?.id}`)?.title).toBe('Other');
      expect(await queue.ledger.get('r0')).toMatchObject(suspected);
    },
  );

  it('counts kept records neither as removed nor toward maxRemovals in later runs', async () => {
    const { queue, client, ticketOf } = await setUp();
    await queue.sync(rowsOf(5), { key });
    const options = { key, onMissing: 'archive', maxRemovals: 2 } as const;
    await client.tickets.update((await ticketOf('r3')).id, { title: 'Edited' });
    expect(await queue.sync(rowsOf(3), options)).toMatchObject({ removed: 1, blockedRemovals: 0 });
    expect(await queue.sync(rowsOf(1), options)).toMatchObject({ removed: 2, blockedRemovals: 0 });
    expect(await deadLetters(queue)).toMatchObject([{ key: 'r3', error: { code: 'conflict' } }]);
  });

  it("doesn't count newly added rows when it computes the default maxRemovals", async () => {
    const { queue } = await setUp();
    await queue.sync(rowsOf(11), { key });
    const others = rowsOf(121).slice(11);
    expect(await queue.sync(others, { key, onMissing: 'delete' })).toMatchObject({
      added: 110,
      removed: 0,
      blockedRemovals: 11,
    });
  });

  it("doesn't remove anything if the source is empty, throws, or is missing too many rows", async () => {
    const { queue, titles } = await setUp();
    await queue.sync(rowsOf(4), { key });
    const options = { key, onMissing: 'delete', maxRemovals: 1 } as const;
    expect(await queue.sync([], { ...options, maxRemovals: Infinity })).toMatchObject({
      removed: 0,
      blockedRemovals: 4,
    });
    expect(await queue.sync(rowsOf(2), options)).toMatchObject({ removed: 0, blockedRemovals: 2 });
    function* rows() {
      yield* rowsOf(3);
      throw new Error('the file ends in the middle of a row');
    }
    await expect(queue.sync(rows(), options)).rejects.toThrow('the file ends');
    expect(titles()).toHaveLength(4);
  });
});
