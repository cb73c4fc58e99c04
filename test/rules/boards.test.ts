import { describe, expect, test } from 'vitest';
import { checkEach } from '../support/check-each.js';
import { expectUnchanged } from './expect-unchanged.js';
import { boardsOf, expectError, ticketsOn } from './expectations.js';
import { type Json, rawApi, start } from './requests.js';
import { serve } from './world.js';

const boards = '/projects/prj_apollo/boards';

describe('boards', () => {
  test('O-10, B-1 boards.create adds a board with default values at the end of the project', async () => {
    const mock = serve();
    const { status, data } = await rawApi(mock).post(boards, { name: 'Review' });
    expect(status).toBe(201);
    expect(data).toEqual({
      id: expect.stringMatching(/./),
      project_id: 'prj_apollo',
      name: 'Review',
      slug: 'review',
      position: 3,
      color: null,
      wip_limit: null,
      is_done: false,
      is_hidden: false,
      created_at: '2026-01-01T00:00:00.000Z',
      updated_at: '2026-01-01T00:00:00.000Z',
    });
    expect((await rawApi(mock).get(boards)).data.at(-1)).toEqual(data);
  });

  test('O-10, O-12, B-5 boards.create and boards.update store every field', async () => {
    const api = rawApi(serve());
    const fields = { name: 'Review', color: '#00ff00', wip_limit: 4, is_done: true };
    const created = await api.post(boards, fields);
    expect(created.data).toMatchObject(fields);
    const change = { name: 'Approved', color: null, wip_limit: null, is_done: false, is_hidden: true };
    const updated = await api.patch(`/boards/${created.data.id}`, change);
    expect(updated.status).toBe(200);
    expect(updated.data).toEqual({ ...created.data, ...change });
    expect((await api.get(boards)).data.at(-1)).toEqual(updated.data);
  });

  test('F-3 boards.update changes only the fields in the body', async () => {
    const api = rawApi(serve());
    const before = (await api.get(boards)).data[1];
    const { data } = await api.patch('/boards/brd_doing', { color: 'teal' });
    expect(data).toEqual({ ...before, color: 'teal' });
  });

  test('C-12 boards.create derives the slug from the name', async () => {
    await checkEach(
      [
        ['To do', 'to-do-2'],
        ['  In   Review!  ', 'in-review'],
        ['Sprint 42', 'sprint-42'],
        ['', 'board'],
        ['!!!', 'board'],
      ],
      async ([name, slug]) => {
        expect((await rawApi(serve()).post(boards, { name })).data.slug).toBe(slug);
      },
    );
  });

  test("C-12 boards.create assigns a slug that is unique within the project, and can reuse a deleted board's slug", async () => {
    const api = rawApi(serve());
    const slugs: string[] = [];
    for (let count = 0; count < 3; count++)
      slugs.push((await api.post(boards, { name: 'Review' })).data.slug);
    expect(slugs).toEqual(['review', 'review-2', 'review-3']);
    const otherProject = await api.post('/projects/prj_zeus/boards', { name: 'Review' });
    expect(otherProject.data.slug).toBe('review');
    const second = (await api.get(boards)).data.find(({ slug }: Json) => slug === 'review-2');
    await api.delete(`/boards/${second.id}`);
    expect((await api.post(boards, { name: 'Review' })).data.slug).toBe('review-2');
  });

  test("C-12 boards.update doesn't change the slug when a board is renamed", async () => {
    const api = rawApi(serve());
    const { data } = await api.patch('/boards/brd_todo', { name: 'Backlog' });
    expect([data.name, data.slug]).toEqual(['Backlog', 'to-do']);
    const ticket = await api.post('/projects/prj_apollo/tickets', { board_slug: 'to-do', title: 'x' });
    expect(ticket.data.board_id).toBe('brd_todo');
    expect((await api.post(boards, { name: 'To do' })).data.slug).toBe('to-do-2');
  });

  test('B-5, C-16 boards.update can hide and show a board, and a hidden board still appears in lists and accepts tickets', async () => {
    const { mock, api } = start();
    expect((await api.patch('/boards/brd_todo', { is_hidden: true })).data.is_hidden).toBe(true);
    expect(await boardsOf(mock)).toContain('brd_todo');
    expect(await ticketsOn(mock, 'brd_todo')).toEqual(['tkt_a', 'tkt_b', 'tkt_c']);
    expect((await api.post('/tickets/tkt_d/move', { board_id: 'brd_todo' })).status).toBe(200);
    expect((await api.patch('/boards/brd_todo', { is_hidden: false })).data.is_hidden).toBe(false);
  });
});

describe('boards.delete', () => {
  test("G-8, B-3 boards.delete doesn't require a target for an empty board", async () => {
    for (const body of [undefined, {}, '']) {
      const { mock, api } = start();
      await api.delete('/tickets/tkt_d');
      const response = await api.delete('/boards/brd_doing', body);
      expect([response.status, response.body]).toEqual([204, undefined]);
      expect(await boardsOf(mock)).toEqual(['brd_todo', 'brd_done']);
    }
  });

  test("B-3, C-16, E-15 boards.delete rejects a board that has tickets, even archived ones, if no target is given, and doesn't change anything", async () => {
    const mock = serve();
    for (const body of [undefined, {}]) {
      const response = await rawApi(mock).delete('/boards/brd_todo', body);
      expectError(response, 'target_board_required', 'move_to_board_id');
    }
    await expectUnchanged(mock);
    const api = rawApi(serve());
    await api.patch('/tickets/tkt_d', { archived: true });
    expectError(await api.delete('/boards/brd_doing'), 'target_board_required', 'move_to_board_id');
  });

  test('B-4 boards.delete moves the tickets to the end of the target board in their original order', async () => {
    const { mock, api } = start();
    const numbers = (await api.get('/projects/prj_apollo/tickets')).data.data;
    expect((await api.delete('/boards/brd_todo', { move_to_board_id: 'brd_done' })).status).toBe(204);
    expect(await boardsOf(mock)).toEqual(['brd_doing', 'brd_done']);
    expect(await ticketsOn(mock, 'brd_done')).toEqual(['tkt_e', 'tkt_a', 'tkt_b', 'tkt_c']);
    expect(await ticketsOn(mock, 'brd_todo')).toEqual([]);
    for (const { id, number } of numbers) expect((await api.get(`/tickets/${id}`)).data.number).toBe(number);
  });

  test('T-6 boards.delete completes the tickets that it moves to a done board', async () => {
    const { mock, api } = start();
    mock.clock.advance(60_000);
    await api.delete('/boards/brd_todo', { move_to_board_id: 'brd_done' });
    expect((await api.get('/tickets/tkt_a')).data.completed_at).toBe('2026-01-01T00:01:00.000Z');
  });

  test('B-4, E-15 boards.delete rejects a target that is unknown, in another project, or the board being deleted', async () => {
    const mock = serve();
    await checkEach(
      ['brd_nobody', 'brd_todo', 'brd_zeus', 'brd_other', 'tkt_a', ''],
      async (move_to_board_id) => {
        const response = await rawApi(mock).delete('/boards/brd_todo', { move_to_board_id });
        expectError(response, 'invalid_target_board', 'move_to_board_id');
      },
    );
    await expectUnchanged(mock);
  });

  test('B-4, E-15 boards.delete rejects a deleted target, even if the board has no tickets', async () => {
    const api = rawApi(serve());
    await api.delete('/boards/brd_doing', { move_to_board_id: 'brd_todo' });
    const target = { move_to_board_id: 'brd_doing' };
    expectError(await api.delete('/boards/brd_todo', target), 'invalid_target_board', 'move_to_board_id');
    const { data } = await api.post(boards, { name: 'Empty' });
    for (const move_to_board_id of ['brd_doing', 'brd_nobody', data.id]) {
      const response = await api.delete(`/boards/${data.id}`, { move_to_board_id });
      expectError(response, 'invalid_target_board', 'move_to_board_id');
    }
  });

  test('G-8, E-12 tickets.create, tickets.move, and tickets.reorder reject a deleted board', async () => {
    const api = rawApi(serve());
    await api.delete('/boards/brd_doing', { move_to_board_id: 'brd_todo' });
    const tickets = '/projects/prj_apollo/tickets';
    expectError(await api.post(tickets, { board_id: 'brd_doing', title: 'x' }), 'invalid_board', 'board_id');
    expectError(await api.post(tickets, { board_slug: 'doing', title: 'x' }), 'invalid_board', 'board_slug');
    expectError(
      await api.post('/tickets/tkt_a/move', { board_id: 'brd_doing' }),
      'invalid_board',
      'board_id',
    );
    const reorder = { board_id: 'brd_doing', ticket_ids: [] };
    expectError(await api.put(`${tickets}/reorder`, reorder), 'invalid_board', 'board_id');
  });
});
