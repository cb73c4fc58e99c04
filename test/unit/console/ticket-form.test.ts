import { afterEach, expect, it, vi } from 'vitest';
import { Worktrack } from 'worktrack';
import { createMockServer } from 'worktrack/mock-server';
import { changedFields, toFields, toForm } from '../../../addons/console/model/ticket-form.js';

const mock = createMockServer();
const { tickets } = new Worktrack({ ...mock.clientOptions(), fetch: mock.fetch });
const board = mock.add.board({ project: mock.add.project().id });
const added = mock.add.ticket({ board: board.id, title: 'Fuel', due_at: '2026-12-01T23:45:00+02:00' });
const ticket = await tickets.get(added.id);

afterEach(() => {
  vi.unstubAllEnvs();
});

it.each([
  ['UTC', '2026-12-01T21:45'],
  ['Asia/Kathmandu', '2026-12-02T03:30'],
  ['America/New_York', '2026-12-01T16:45'],
])('toForm shows the due date in the time zone %s, and toFields restores it', (zone, due) => {
  vi.stubEnv('TZ', zone);
  const form = toForm(ticket, board.id);
  expect(form.content.due_at).toBe(due);
  expect(toFields(form).due_at).toBe('2026-12-01T21:45:00.000Z');
});

it('changedFields returns only the edited fields', () => {
  const before = toForm(ticket, board.id);
  expect(changedFields(before, { ...before })).toEqual({});
  expect(changedFields(before, { ...before, title: 'Fuel up' })).toEqual({ title: 'Fuel up' });
  expect(
    changedFields(before, { ...before, content: { ...before.content, due_at: '' }, label_ids: ['l'] }),
  ).toEqual({
    due_at: null,
    label_ids: ['l'],
  });
});
