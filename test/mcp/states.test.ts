import { expect, test, vi } from 'vitest';
import { connect } from './support/connect.js';

test('lists and overviews mark archived and done tickets, and find_tickets shows their boards', async () => {
  const { call, mock } = await connect({ write: true });
  mock.add.ticket({ board: 'brd_todo', title: 'Old radio' });
  const { id } = mock.add.ticket({ board: 'brd_done', title: 'Done radio' });
  await call('tickets_update', { ticket: 'APO-2', archived: true });
  for (const [tool, args] of [
    ['tickets_list', { project: 'APO' }],
    ['board_overview', { project: 'APO' }],
    ['find_tickets', { q: 'radio' }],
  ] as const) {
    const { text } = await call(tool, args);
    expect(text, tool).toMatch(/Radio check.*\| archived/);
    expect(text, tool).toMatch(/Old radio.*\| open/);
  }
  const { text } = await call('find_tickets', { q: 'radio' });
  expect(text).toMatch(/Radio check \| To do \|/);
  expect(text).toContain(`Done radio | Done |`);
  expect(text).toContain(id);
});

test('a list without archived or done records has no state column', async () => {
  const { call } = await connect();
  expect((await call('projects_list')).text).not.toContain('state');
});

test('weekly_summary reports that it omits archived tickets, and lists the rest on the next page', async () => {
  const { call, mock } = await connect({ write: true });
  for (let index = 1; index <= 12; index++) mock.add.ticket({ board: 'brd_todo', title: `New ${index}.` });
  await call('tickets_update', { ticket: 'APO-2', archived: true });
  const first = (await call('weekly_summary', { project: 'APO' })).text;
  expect(first).not.toContain('Radio check');
  expect(first).toMatch(/1 archived tickets are omitted from the lists\. More: page=2$/);
  const second = (await call('weekly_summary', { project: 'APO', page: 2 })).text;
  for (let index = 1; index <= 12; index++) expect(first + second).toContain(`New ${index}.`);
  expect(second).not.toContain('More:');
});

test("a tool call fails with an internal error if the mock server's data has no organization", async () => {
  const onError = vi.fn();
  const { call, mock } = await connect({ onError });
  mock.load({ organizations: [] });
  const { text } = await call('projects_list');
  expect(text).toBe('projects_list failed: internal error in this MCP server; see its log.');
  expect(onError).toHaveBeenCalledOnce();
});
