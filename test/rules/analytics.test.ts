import { describe, expect, test } from 'vitest';
import { checkEach } from '../support/check-each.js';
import { rawApi, start } from './requests.js';
import { serve } from './world.js';

const path = '/projects/prj_apollo/analytics';

describe('projects.analytics.get', () => {
  test('O-17, G-1, C-19 projects.analytics.get counts all tickets, done and open tickets, and the tickets on each board', async () => {
    const { status, data } = await rawApi(serve()).get(path);
    expect(status).toBe(200);
    expect(data).toEqual({
      total: 5,
      done: 1,
      open: 4,
      overdue: 0,
      completion_percentage: 20,
      by_board: [
        { board_id: 'brd_todo', board_name: 'To do', count: 3, done: false },
        { board_id: 'brd_doing', board_name: 'Doing', count: 1, done: false },
        { board_id: 'brd_done', board_name: 'Done', count: 1, done: true },
      ],
    });
  });

  test('C-19 projects.analytics.get returns zeros for a project without boards', async () => {
    const { data } = await rawApi(serve({ boards: [] })).get(path);
    expect(data).toEqual({ total: 0, done: 0, open: 0, overdue: 0, completion_percentage: 0, by_board: [] });
  });

  test('C-19 projects.analytics.get rounds the percentage of done tickets', async () => {
    await checkEach(
      [
        { done: 1, open: 2, percentage: 33 },
        { done: 2, open: 1, percentage: 67 },
        { done: 1, open: 7, percentage: 13 },
        { done: 3, open: 0, percentage: 100 },
        { done: 0, open: 3, percentage: 0 },
      ],
      async ({ done, open, percentage }) => {
        const tickets = (length: number) => Array.from({ length }, (_, index) => ({ title: `${index}` }));
        const mock = serve({
          boards: [
            { name: 'Open', tickets: tickets(open) },
            { name: 'Done', is_done: true, tickets: tickets(done) },
          ],
        });
        const { data } = await rawApi(mock).get(path);
        expect(data).toMatchObject({ total: done + open, done, open, completion_percentage: percentage });
      },
    );
  });

  test("C-19 a ticket is overdue if its due date has passed and the ticket isn't done", async () => {
    const { mock, api } = start();
    const overdue = async () => (await api.get(path)).data.overdue;
    const due_at = '2026-01-01T00:01:00Z';
    await api.patch('/tickets/tkt_a', { due_at });
    await api.patch('/tickets/tkt_e', { due_at });
    expect(await overdue()).toBe(0);
    mock.clock.advance(60_000);
    expect(await overdue()).toBe(0);
    mock.clock.advance(1);
    expect(await overdue()).toBe(1);
    await api.post('/tickets/tkt_e/move', { board_id: 'brd_todo' });
    expect(await overdue()).toBe(2);
    await api.patch('/tickets/tkt_a', { due_at: null });
    expect(await overdue()).toBe(1);
    await api.post('/tickets/tkt_e/move', { board_id: 'brd_done' });
    expect(await overdue()).toBe(0);
  });

  test('B-5, C-19 a ticket is done if its board is a done board', async () => {
    const api = rawApi(serve());
    await api.patch('/boards/brd_todo', { is_done: true });
    expect((await api.get(path)).data).toMatchObject({ done: 4, open: 1, completion_percentage: 80 });
    await api.patch('/boards/brd_todo', { is_done: false });
    expect((await api.get(path)).data).toMatchObject({ done: 1, open: 4 });
  });

  test('C-16, C-19 projects.analytics.get counts archived tickets and hidden boards, but not deleted tickets or boards', async () => {
    const api = rawApi(serve());
    await api.patch('/tickets/tkt_a', { archived: true });
    await api.patch('/boards/brd_todo', { is_hidden: true });
    expect((await api.get(path)).data.total).toBe(5);
    await api.delete('/tickets/tkt_a');
    await api.delete('/boards/brd_doing', { move_to_board_id: 'brd_todo' });
    const { data } = await api.get(path);
    expect(data.total).toBe(4);
    expect(
      data.by_board.map((row: { board_id: string; count: number }) => [row.board_id, row.count]),
    ).toEqual([
      ['brd_todo', 3],
      ['brd_done', 1],
    ]);
  });
});
