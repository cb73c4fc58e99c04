import { expect, test } from 'vitest';
import { Worktrack } from 'worktrack';
import { isUnchanged } from '../../addons/mcp/tools/write-operation.js';
import { apolloWorld } from '../../docs/.vitepress/content/world.js';
import { apollo, connect, failed } from './support/connect.js';

const rowsOf = (text: string) => text.split('\n').filter((line) => /^(?:APO-|tkt_)/.test(line));

test('tickets_update_many updates each ticket and lists the tickets that were already up to date', async () => {
  const { call, mock } = await connect({ write: true });
  const args = { tickets: ['APO-1', 'APO-2', 'tkt_dinner'], priority: 'low', assignee_ids: ['Ada'] };
  const first = await call('tickets_update_many', args);
  expect(first.text).toMatch(/^tickets_update_many: 3 done\./);
  expect(rowsOf(first.text)[0]).toBe('APO-1 | Crew manual | done');
  expect(mock.state.tickets.get('tkt_radio')).toMatchObject({
    priority: 'low',
    assignees: [{ id: 'usr_ada' }],
  });
  // A second, identical call doesn't send any updates.
  expect((await call('tickets_update_many', args)).text).toMatch(
    /^tickets_update_many: 0 done, 3 unchanged\./,
  );
  expect(mock.requests.for('tickets.update')).toHaveLength(3);
});

test("a failure for one ticket doesn't prevent updates to the others", async () => {
  const { call } = await connect({ write: true });
  const { text, isError } = await call('tickets_update_many', {
    tickets: ['APO-1', 'APO-99', 'tkt_none', 'APO-2'],
    archived: true,
  });
  expect(isError).toBe(false);
  expect(text).toMatch(/^tickets_update_many: 2 done, 2 failed\./);
  expect(rowsOf(text)[1]).toBe('APO-99 | - | failed: there is no ticket APO-99.');
  expect(rowsOf(text)[2]).toContain('failed: HTTP 404');
});

test("tickets_move_many moves tickets in order and lists the tickets that don't fit", async () => {
  const { call, mock } = await connect({ write: true });
  const { text } = await call('tickets_move_many', {
    tickets: ['APO-3', 'APO-1', 'APO-2'],
    board_id: 'Doing',
  });
  expect(text).toMatch(/^tickets_move_many: 1 done, 2 failed\./);
  expect(rowsOf(text)[1]).toMatch(
    /failed: HTTP 422 wip_limit_reached\. Nothing was changed\..*, and this would add 1/,
  );
  await call('tickets_move_many', { tickets: ['APO-2', 'APO-1'], board_id: 'Done' });
  const done = mock.state.tickets.all().filter(({ board_id }) => board_id === 'brd_done');
  expect(done.sort((a, b) => a.position - b.position).map(({ number }) => number)).toEqual([5, 2, 1]);
});

test.each([
  ['tickets_update_many', { archived: true }],
  ['tickets_move_many', { board_id: 'Done' }],
])('%s changes a ticket only once if the call refers to it in two ways', async (tool, change) => {
  const { call, mock } = await connect({ write: true });
  const { text } = await call(tool, { tickets: ['tkt_radio', 'APO-1', 'APO-2'], ...change });
  expect(text).toContain(`${tool}: 2 done, 1 duplicate.`);
  expect(rowsOf(text)[2]).toBe('APO-2 | - | duplicate: same ticket as tkt_radio');
  expect(mock.requests.all().filter(({ method }) => method !== 'GET')).toHaveLength(2);
});

test('if an error would affect every ticket, the call stops without trying the remaining tickets', async () => {
  const { call, mock } = await connect({ write: true });
  mock.faults.add({ operation: 'tickets.move', status: 401 });
  const { text, isError } = await call('tickets_move_many', {
    tickets: ['tkt_radio', 'tkt_manual', 'tkt_dinner'],
    board_id: 'brd_done',
  });
  expect(isError).toBe(true);
  expect(text).toMatch(/^tickets_move_many: 0 done, 1 failed, 2 not attempted\./);
  expect(rowsOf(text)[2]).toBe('tkt_dinner | - | not attempted');
  expect(text).toMatch(/Call it again with the tickets that failed or were not attempted\.$/);
  expect(mock.requests.for('tickets.move')).toHaveLength(1);
});

test.each(['truncated', 'malformed'] as const)(
  'tickets_move_many counts a move whose response is %s as done',
  async (error) => {
    const { call, mock } = await connect({ write: true });
    mock.faults.add({ operation: 'tickets.move', error, times: 1 });
    const { text } = await call('tickets_move_many', { tickets: ['APO-1', 'APO-2'], board_id: 'Done' });
    expect(text).toMatch(/^tickets_move_many: 1 done, 1 not attempted\./);
    expect(rowsOf(text)[0]).toBe("APO-1 | - | done, but the response couldn't be read");
    expect(text).toMatch(/Call it again with the tickets that were not attempted\.$/);
  },
);

test('a tool that changes many tickets reports how many outcomes are missing from a result that is too long', async () => {
  const { call } = await connect({ write: true });
  const tickets = Array.from({ length: 50 }, (_, index) => `${'票'.repeat(150)}${index}`);
  const { text } = await call('tickets_update_many', { tickets, archived: true });
  const listed = text.split('\n').filter((line) => line.startsWith('票')).length;
  expect(listed).toBeLessThan(50);
  expect(text).toContain(`The last ${50 - listed} tickets were cut off at the size limit.`);
});

test.each([
  [{ tickets: [], archived: true }, 'tickets must be a list of 1 to 50 tickets'],
  [{ tickets: Array(51).fill('APO-1'), archived: true }, 'tickets must be a list of 1 to 50 tickets'],
  [{ tickets: ['APO-1'] }, 'nothing to change; pass at least one field'],
  [{ tickets: ['APO-1'], title: 'X' }, 'unknown argument "title"'],
  [
    { tickets: ['APO-1', 'APO-2'], priority: 'urgent' },
    'tickets_update_many: nothing was sent: priority must be',
  ],
])('tickets_update_many rejects %j', async (args, message) => {
  const { call, mock } = await connect({ write: true });
  expect(await call('tickets_update_many', args)).toEqual(failed(message));
  expect(mock.requests.all()).toHaveLength(0);
});

test('tickets_create with an idempotency_key creates only one ticket and reports whether the ticket is new', async () => {
  const { client, call, mock } = await connect({ write: true });
  const args = { project: 'APO', board_id: 'To do', title: 'Splashdown', idempotency_key: 'mail-7' };
  const summaries = [
    'tickets_create: done. It created the ticket.',
    'tickets_create: nothing changed. It found the ticket that was created with this key.',
  ];
  const ids = [];
  for (const summary of summaries) {
    const result = await client.callTool({ name: 'tickets_create', arguments: args });
    expect(result).toMatchObject({
      content: [{ text: expect.stringContaining(summary) }],
      structuredContent: { summary, untrusted: [{ id: expect.any(String) }] },
    });
    ids.push(/id: (\S+)/.exec((result.content[0] as { text: string }).text)?.[1]);
  }
  expect(ids[1]).toBe(ids[0]);
  expect(mock.requests.for('tickets.create')).toHaveLength(1);
  expect((await call('tickets_create', { ...args, idempotency_key: '' })).isError).toBe(true);
});

test.each([
  [{ append: 'More' }, '<p>Text</p>\n<p>More</p>'],
  [{ replace_text: { old: 'Text', new: 'Words' } }, '<p>Words</p>'],
  [{ description: 'All new', replace_all: true }, '<p>All new</p>'],
  [{ description: null, replace_all: true }, ''],
])('tickets_update with %j keeps the idempotency_key of a ticket', async (edit, html) => {
  const { call, mock } = await connect({ write: true });
  const client = new Worktrack({ ...mock.clientOptions(), fetch: mock.fetch });
  const args = { project: 'APO', board_id: 'To do', title: 'Splashdown', description: 'Text' };
  await call('tickets_create', { ...args, idempotency_key: 'mail-7' });
  const [project] = await client.projects.list();
  const created = await client.tickets.findByKey(project?.id ?? '', 'mail-7');
  await call('tickets_update', { ticket: created?.id, ...edit });
  const edited = await client.tickets.findByKey(project?.id ?? '', 'mail-7');
  expect(edited?.description_html?.replace(/<p>Created with key: mail-7 .*$/, '')).toBe(html);
});

test("tickets_create doesn't require a board if the deployment has a default board", async () => {
  const mock = apollo({ ...apolloWorld, settings: { default_board: 'to-do' } });
  const required = async (options: object) => {
    const { client } = await connect({ write: true, ...options });
    const tool = (await client.listTools()).tools.find(({ name }) => name === 'tickets_create');
    return tool?.inputSchema.if !== undefined;
  };
  const options = { ...mock.clientOptions(), fetch: mock.fetch };
  expect(await required({ mock })).toBe(false);
  expect(await required({ mock: undefined, client: options })).toBe(false);
  expect(await required({ mock: undefined, client: { ...options, defaultBoard: false } })).toBe(true);
  const client = new Worktrack(options);
  const { call } = await connect({ write: true, mock: undefined, client });
  const { text } = await call('tickets_create', { project: 'APO', title: 'Splashdown' });
  expect(text).toContain('board_id: brd_todo');
});

// Some deployments omit fields that have no value.
test.each([
  [{ id: 'tkt_1' }, false],
  [{ id: 'tkt_1', archived_at: null }, false],
  [{ id: 'tkt_1', archived_at: '2026-01-01T00:00:00Z' }, true],
])('an update that archives %j is skipped only if the ticket is already archived', (record, isArchived) => {
  expect(isUnchanged({ archived: true }, record)).toBe(isArchived);
  expect(isUnchanged({ archived: false }, record)).toBe(!isArchived);
});
