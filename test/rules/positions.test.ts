import { describe, expect, test } from 'vitest';
import { boardsOf, expectRefusal, ticketsOn, wire } from './support.js';
import { expectUnchanged } from './unchanged.js';
import { serve } from './world.js';

const tickets = '/projects/prj_apollo/tickets';
const boards = '/projects/prj_apollo/boards';

describe('positions', () => {
  test('tickets.create puts the ticket at the end of its board', async () => {
    const mock = serve();
    const { data } = await wire(mock).post(tickets, { board_id: 'brd_todo', title: 'Last' });
    expect(data.position).toBe(3);
    expect(await ticketsOn(mock, 'brd_todo')).toEqual(['tkt_a', 'tkt_b', 'tkt_c', data.id]);
  });

  test.each([
    { position: 0, expected: ['tkt_a', 'tkt_e'] },
    { position: 1, expected: ['tkt_e', 'tkt_a'] },
    { position: 2, expected: ['tkt_e', 'tkt_a'] },
    { position: 99, expected: ['tkt_e', 'tkt_a'] },
    { position: undefined, expected: ['tkt_e', 'tkt_a'] },
  ])('tickets.move to another board at position $position', async ({ position, expected }) => {
    const mock = serve();
    const { data } = await wire(mock).post('/tickets/tkt_a/move', { board_id: 'brd_done', position });
    expect([data.board_id, data.position]).toEqual(['brd_done', expected.indexOf('tkt_a')]);
    expect(await ticketsOn(mock, 'brd_done')).toEqual(expected);
    expect(await ticketsOn(mock, 'brd_todo')).toEqual(['tkt_b', 'tkt_c']);
  });

  test.each([
    { ticket: 'tkt_a', position: 0, expected: ['tkt_a', 'tkt_b', 'tkt_c'] },
    { ticket: 'tkt_a', position: 1, expected: ['tkt_b', 'tkt_a', 'tkt_c'] },
    { ticket: 'tkt_a', position: 2, expected: ['tkt_b', 'tkt_c', 'tkt_a'] },
    { ticket: 'tkt_a', position: 3, expected: ['tkt_b', 'tkt_c', 'tkt_a'] },
    { ticket: 'tkt_a', position: undefined, expected: ['tkt_b', 'tkt_c', 'tkt_a'] },
    { ticket: 'tkt_c', position: 0, expected: ['tkt_c', 'tkt_a', 'tkt_b'] },
    { ticket: 'tkt_c', position: 1, expected: ['tkt_a', 'tkt_c', 'tkt_b'] },
    { ticket: 'tkt_b', position: undefined, expected: ['tkt_a', 'tkt_c', 'tkt_b'] },
  ])(
    'tickets.move of $ticket within its board to position $position',
    async ({ ticket, position, expected }) => {
      const mock = serve();
      const { data } = await wire(mock).post(`/tickets/${ticket}/move`, { board_id: 'brd_todo', position });
      expect(data.position).toBe(expected.indexOf(ticket));
      expect(await ticketsOn(mock, 'brd_todo')).toEqual(expected);
    },
  );

  test('tickets.delete closes the gap it leaves', async () => {
    const mock = serve();
    await wire(mock).delete('/tickets/tkt_b');
    expect(await ticketsOn(mock, 'brd_todo')).toEqual(['tkt_a', 'tkt_c']);
  });

  test('tickets.reorder puts the tickets of a board in the order given (204)', async () => {
    const mock = serve();
    const ticket_ids = ['tkt_c', 'tkt_a', 'tkt_b'];
    const answer = await wire(mock).put(`${tickets}/reorder`, { board_id: 'brd_todo', ticket_ids });
    expect([answer.status, answer.body]).toEqual([204, undefined]);
    expect(await ticketsOn(mock, 'brd_todo')).toEqual(ticket_ids);
    expect(await ticketsOn(mock, 'brd_doing')).toEqual(['tkt_d']);
  });

  test.each([
    ['empty', []],
    ['one short', ['tkt_a', 'tkt_b']],
    ['one twice', ['tkt_a', 'tkt_b', 'tkt_b']],
    ['one twice besides all', ['tkt_a', 'tkt_b', 'tkt_c', 'tkt_a']],
    ['with a ticket of another board', ['tkt_a', 'tkt_b', 'tkt_d']],
    ['with a ticket of another board besides all', ['tkt_a', 'tkt_b', 'tkt_c', 'tkt_d']],
    ['with an unknown ticket', ['tkt_a', 'tkt_b', 'tkt_nobody']],
    ['with a ticket of another organization', ['tkt_a', 'tkt_b', 'tkt_other']],
  ])('tickets.reorder refuses a list that is %s (422) and changes nothing', async (_, ticket_ids) => {
    const mock = serve();
    const answer = await wire(mock).put(`${tickets}/reorder`, { board_id: 'brd_todo', ticket_ids });
    expectRefusal(answer, 'invalid_ticket_list', 'ticket_ids');
    await expectUnchanged(mock);
  });

  test('tickets.reorder refuses a list with a deleted ticket, and takes [] for an empty board', async () => {
    const mock = serve();
    const api = wire(mock);
    await api.delete('/tickets/tkt_d');
    const reorder = (ticket_ids: string[]) =>
      api.put(`${tickets}/reorder`, { board_id: 'brd_doing', ticket_ids });
    expectRefusal(await reorder(['tkt_d']), 'invalid_ticket_list', 'ticket_ids');
    expect((await reorder([])).status).toBe(204);
  });

  test.each(['brd_nobody', 'brd_zeus', 'brd_other', 'tkt_a'])(
    'tickets.reorder refuses the board %s, which is no live board of the project (422)',
    async (board_id) => {
      const mock = serve();
      const answer = await wire(mock).put(`${tickets}/reorder`, { board_id, ticket_ids: [] });
      expectRefusal(answer, 'invalid_board', 'board_id');
      await expectUnchanged(mock);
    },
  );

  test('boards.create puts the board at the end of the project', async () => {
    const mock = serve();
    const { data } = await wire(mock).post(boards, { name: 'Archive' });
    expect(data.position).toBe(3);
    expect(await boardsOf(mock)).toEqual(['brd_todo', 'brd_doing', 'brd_done', data.id]);
  });

  test('boards.reorder puts the boards in the order given and answers the reordered list', async () => {
    const mock = serve();
    const board_ids = ['brd_done', 'brd_todo', 'brd_doing'];
    const { status, data } = await wire(mock).put(`${boards}/reorder`, { board_ids });
    expect(status).toBe(200);
    expect(data.map(({ id, position }: { id: string; position: number }) => [id, position])).toEqual(
      board_ids.map((id, position) => [id, position]),
    );
    expect(await boardsOf(mock)).toEqual(board_ids);
  });

  test.each([
    ['empty', []],
    ['one short', ['brd_todo', 'brd_doing']],
    ['one twice', ['brd_todo', 'brd_doing', 'brd_doing']],
    ['one twice besides all', ['brd_todo', 'brd_doing', 'brd_done', 'brd_todo']],
    ['with an unknown board', ['brd_todo', 'brd_doing', 'brd_nobody']],
    ['with a board of another project', ['brd_todo', 'brd_doing', 'brd_done', 'brd_zeus']],
    ['with a board of another organization', ['brd_todo', 'brd_doing', 'brd_other']],
  ])('boards.reorder refuses a list that is %s (422) and changes nothing', async (_, board_ids) => {
    const mock = serve();
    expectRefusal(
      await wire(mock).put(`${boards}/reorder`, { board_ids }),
      'invalid_board_list',
      'board_ids',
    );
    await expectUnchanged(mock);
  });

  test('boards.reorder leaves deleted boards out, and takes [] for a project without boards', async () => {
    const mock = serve();
    const api = wire(mock);
    await api.delete('/boards/brd_doing', { move_to_board_id: 'brd_todo' });
    const all = ['brd_done', 'brd_doing', 'brd_todo'];
    expectRefusal(await api.put(`${boards}/reorder`, { board_ids: all }), 'invalid_board_list', 'board_ids');
    const live = await api.put(`${boards}/reorder`, { board_ids: ['brd_done', 'brd_todo'] });
    expect(live.status).toBe(200);
    const empty = await wire(serve({ boards: [] })).put(`${boards}/reorder`, { board_ids: [] });
    expect([empty.status, empty.data]).toEqual([200, []]);
  });

  test('tickets.list goes by board order first, then by position', async () => {
    const mock = serve();
    const api = wire(mock);
    await api.put(`${boards}/reorder`, { board_ids: ['brd_done', 'brd_doing', 'brd_todo'] });
    await api.post('/tickets/tkt_c/move', { board_id: 'brd_todo', position: 0 });
    const { data } = await api.get(tickets);
    const order = data.data.map(({ id }: { id: string }) => id);
    expect(order).toEqual(['tkt_e', 'tkt_d', 'tkt_c', 'tkt_a', 'tkt_b']);
  });
});
