import { expect, test, vi } from 'vitest';
import { connect, failed } from './support/connect.js';

const past = '2026-01-04T18:00:00Z';

test.each([
  [{ assignee: 'Ada' }, ['Guidance program']],
  [{ label: 'crew' }, ['Crew manual']],
  [{ priority: 'high' }, ['Radio check']],
  [{ due_before: '2026-01-05' }, ['Launch-day dinner']],
  [{ done: true }, ['Space suits']],
  [{ done: false, archived: false, priority: 'normal' }, ['Crew manual']],
  [{ archived: true }, []],
  [{ archived: false, board_id: 'To do' }, ['Crew manual', 'Radio check', 'Launch-day dinner']],
  [{ done: false, q: 'radio' }, ['Radio check']],
])('tickets_list and find_tickets apply the filters %j', async (filters, titles) => {
  const { call } = await connect();
  const { board_id: _, ...elsewhere } = filters as Record<string, unknown>;
  for (const [tool, args] of [
    ['tickets_list', { project: 'APO', ...filters }],
    ['find_tickets', elsewhere],
  ] as const) {
    const { text, isError } = await call(tool, args);
    expect(isError, text).toBe(false);
    expect(text).toMatch(/The filters were applied to all \d tickets\./);
    if (tool === 'find_tickets' && 'board_id' in filters) continue;
    const shown = ['Crew manual', 'Radio check', 'Launch-day dinner', 'Guidance program', 'Space suits'];
    expect(
      shown.filter((title) => text.includes(`| ${title}`)),
      tool,
    ).toEqual(titles);
  }
});

test('tickets_list returns the matching tickets in pages and includes their total number', async () => {
  const { call, mock } = await connect();
  for (let index = 1; index <= 12; index++)
    mock.add.ticket({ board: 'brd_todo', title: `Late ${index}`, due_at: past });
  const args = { project: 'APO', due_before: '2026-01-05T00:00:00Z', per_page: 10 };
  const first = (await call('tickets_list', args)).text;
  expect(first).toMatch(/^tickets 1-10 of 13\. The filters were applied to all 17 tickets\./);
  expect(first).toMatch(/More: page=2$/);
  expect((await call('tickets_list', { ...args, page: 2 })).text).toMatch(/^tickets 11-13 of 13\./);
});

test("if reading a list takes too long, the result is cut off and reports that it's incomplete", async () => {
  const { call, mock } = await connect();
  for (let index = 1; index <= 300; index++) mock.add.ticket({ board: 'brd_todo', title: `New ${index}` });
  const now = performance.now.bind(performance);
  let pages = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + (pages ? 60_000 : 0));
  mock.override('tickets.list', (_, next) => {
    pages += 1;
    return next();
  });
  const { text } = await call('tickets_list', { project: 'APO', done: false });
  clock.mockRestore();
  expect(text).toContain('INCOMPLETE: the filters were applied to only 200 tickets');
});

test.each([
  [{ assignee: 'Nobody' }, '"Nobody" is not a member of'],
  [{ label: 'Nothing' }, '"Nothing" is not a label of'],
  [{ priority: 'urgent' }, 'priority must be one of lowest, low'],
  [{ due_before: 'tomorrow' }, 'due_before must be an RFC 3339 date-time (got "tomorrow")'],
  [{ done: 'yes' }, 'done must be true or false (got "yes")'],
])('tickets_list and find_tickets reject the filter %j', async (filters, message) => {
  const { call } = await connect();
  for (const [tool, args] of [
    ['tickets_list', { project: 'APO' }],
    ['find_tickets', {}],
  ] as const) {
    expect(await call(tool, { ...args, ...filters })).toEqual(failed(message));
  }
});

test("find_tickets skips projects that don't have the label, and requires search text or a filter", async () => {
  const { call, mock } = await connect();
  mock.add.project({ name: 'Gemini', key: 'GEM' });
  expect((await call('find_tickets', { label: 'bug' })).text).toMatch(/^1 ticket in 2 of 2 projects/);
  expect((await call('find_tickets', {})).text).toBe('find_tickets: pass q or at least one filter');
});
