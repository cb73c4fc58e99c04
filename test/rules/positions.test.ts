import { describe, expect, test } from 'vitest';
import { checkEach } from '../support/check-each.js';
import { operations } from '../support/operations.js';
import { expectUnchanged } from './expect-unchanged.js';
import { boardsOf, expectError, ticketsOn } from './expectations.js';
import { call, rawApi } from './requests.js';
import { serve } from './world.js';

const tickets = '/projects/prj_apollo/tickets';
const boards = '/projects/prj_apollo/boards';

describe('positions', () => {
  test('T-3, C-14 tickets.move moves a ticket to the given position on another board, or to the end of that board by default', async () => {
    await checkEach(
      [
        { position: 0, expected: ['tkt_a', 'tkt_e'] },
        { position: 1, expected: ['tkt_e', 'tkt_a'] },
        { position: 2, expected: ['tkt_e', 'tkt_a'] },
        { position: 99, expected: ['tkt_e', 'tkt_a'] },
        { position: undefined, expected: ['tkt_e', 'tkt_a'] },
      ],
      async ({ position, expected }) => {
        const mock = serve();
        const { data } = await rawApi(mock).post('/tickets/tkt_a/move', { board_id: 'brd_done', position });
        expect([data.board_id, data.position]).toEqual(['brd_done', expected.indexOf('tkt_a')]);
        expect(await ticketsOn(mock, 'brd_done')).toEqual(expected);
        expect(await ticketsOn(mock, 'brd_todo')).toEqual(['tkt_b', 'tkt_c']);
      },
    );
  });

  test('T-3, C-14 tickets.move moves a ticket to the given position on its own board, or to the end by default', async () => {
    await checkEach(
      [
        { ticket: 'tkt_a', position: 0, expected: ['tkt_a', 'tkt_b', 'tkt_c'] },
        { ticket: 'tkt_a', position: 1, expected: ['tkt_b', 'tkt_a', 'tkt_c'] },
        { ticket: 'tkt_a', position: 2, expected: ['tkt_b', 'tkt_c', 'tkt_a'] },
        { ticket: 'tkt_a', position: 3, expected: ['tkt_b', 'tkt_c', 'tkt_a'] },
        { ticket: 'tkt_a', position: undefined, expected: ['tkt_b', 'tkt_c', 'tkt_a'] },
        { ticket: 'tkt_c', position: 0, expected: ['tkt_c', 'tkt_a', 'tkt_b'] },
        { ticket: 'tkt_c', position: 1, expected: ['tkt_a', 'tkt_c', 'tkt_b'] },
        { ticket: 'tkt_b', position: undefined, expected: ['tkt_a', 'tkt_c', 'tkt_b'] },
      ],
      async ({ ticket, position, expected }) => {
        const mock = serve();
        const { data } = await rawApi(mock).post(`/tickets/${ticket}/move`, {
          board_id: 'brd_todo',
          position,
        });
        expect(data.position).toBe(expected.indexOf(ticket));
        expect(await ticketsOn(mock, 'brd_todo')).toEqual(expected);
      },
    );
  });

  test("C-14 tickets.delete doesn't leave a gap in the positions", async () => {
    const mock = serve();
    await rawApi(mock).delete('/tickets/tkt_b');
    expect(await ticketsOn(mock, 'brd_todo')).toEqual(['tkt_a', 'tkt_c']);
  });

  test("T-4 tickets.reorder changes the order of a board's tickets", async () => {
    const mock = serve();
    const ticket_ids = ['tkt_c', 'tkt_a', 'tkt_b'];
    const response = await rawApi(mock).put(`${tickets}/reorder`, { board_id: 'brd_todo', ticket_ids });
    expect([response.status, response.body]).toEqual([204, undefined]);
    expect(await ticketsOn(mock, 'brd_todo')).toEqual(ticket_ids);
    expect(await ticketsOn(mock, 'brd_doing')).toEqual(['tkt_d']);
  });

  test.each([
    {
      title: 'T-4, E-14 tickets.reorder',
      operation: 'tickets.reorder',
      code: 'invalid_ticket_list',
      field: 'ticket_ids',
      live: ['tkt_a', 'tkt_b', 'tkt_c'],
      others: ['tkt_d', 'tkt_nobody', 'tkt_other'],
    },
    {
      title: 'B-2, E-14 boards.reorder',
      operation: 'boards.reorder',
      code: 'invalid_board_list',
      field: 'board_ids',
      live: ['brd_todo', 'brd_doing', 'brd_done'],
      others: ['brd_zeus', 'brd_nobody', 'brd_other'],
    },
  ] as const)(
    "$title rejects a list with missing, duplicate, or unrelated records, and doesn't change anything",
    async ({ operation, code, field, live, others }) => {
      const mock = serve();
      const [one, two] = live;
      const unrelated = others.flatMap((id) => [
        [one, two, id],
        [...live, id],
      ]);
      await checkEach([[], [one, two], [one, two, two], [...live, one], ...unrelated], async (ids) => {
        const body = { ...operations[operation].example, [field]: ids };
        expectError(await call(mock, operation, { body }), code, field);
      });
      await expectUnchanged(mock);
    },
  );

  test('T-4, E-14 tickets.reorder rejects a deleted ticket and accepts an empty list for an empty board', async () => {
    const api = rawApi(serve());
    await api.delete('/tickets/tkt_d');
    const reorder = (ticket_ids: string[]) =>
      api.put(`${tickets}/reorder`, { board_id: 'brd_doing', ticket_ids });
    expectError(await reorder(['tkt_d']), 'invalid_ticket_list', 'ticket_ids');
    expect((await reorder([])).status).toBe(204);
  });

  test("T-4, E-12 tickets.reorder rejects a board that doesn't belong to the project", async () => {
    const mock = serve();
    await checkEach(['brd_nobody', 'brd_zeus', 'brd_other', 'tkt_a'], async (board_id) => {
      const response = await rawApi(mock).put(`${tickets}/reorder`, { board_id, ticket_ids: [] });
      expectError(response, 'invalid_board', 'board_id');
    });
    await expectUnchanged(mock);
  });

  test("B-1, B-2 boards.reorder changes the order of a project's boards and returns them", async () => {
    const mock = serve();
    const board_ids = ['brd_done', 'brd_todo', 'brd_doing'];
    const { status, data } = await rawApi(mock).put(`${boards}/reorder`, { board_ids });
    expect(status).toBe(200);
    expect(data.map(({ id, position }: { id: string; position: number }) => [id, position])).toEqual(
      board_ids.map((id, position) => [id, position]),
    );
    expect(await boardsOf(mock)).toEqual(board_ids);
  });

  test('B-2, E-14 boards.reorder rejects a deleted board and accepts an empty list for a project without boards', async () => {
    const api = rawApi(serve());
    await api.delete('/boards/brd_doing', { move_to_board_id: 'brd_todo' });
    const all = ['brd_done', 'brd_doing', 'brd_todo'];
    expectError(await api.put(`${boards}/reorder`, { board_ids: all }), 'invalid_board_list', 'board_ids');
    const live = await api.put(`${boards}/reorder`, { board_ids: ['brd_done', 'brd_todo'] });
    expect(live.status).toBe(200);
    const empty = await rawApi(serve({ boards: [] })).put(`${boards}/reorder`, { board_ids: [] });
    expect([empty.status, empty.data]).toEqual([200, []]);
  });

  test('C-25 tickets.list sorts tickets by board, then by position', async () => {
    const api = rawApi(serve());
    await api.put(`${boards}/reorder`, { board_ids: ['brd_done', 'brd_doing', 'brd_todo'] });
    await api.post('/tickets/tkt_c/move', { board_id: 'brd_todo', position: 0 });
    const { data } = await api.get(tickets);
    const order = data.data.map(({ id }: { id: string }) => id);
    expect(order).toEqual(['tkt_e', 'tkt_d', 'tkt_c', 'tkt_a', 'tkt_b']);
  });
});
