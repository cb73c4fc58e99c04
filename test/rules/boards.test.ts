import { describe, expect, test } from 'vitest';
import { boardsOf, expectRefusal, type Json, ticketsOn, wire } from './support.js';
import { expectUnchanged } from './unchanged.js';
import { serve } from './world.js';

const boards = '/projects/prj_apollo/boards';

describe('boards', () => {
  test('boards.create answers the new board with its defaults', async () => {
    const mock = serve();
    const { status, data } = await wire(mock).post(boards, { name: 'Review' });
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
    expect((await wire(mock).get(boards)).data.at(-1)).toEqual(data);
  });

  test('boards.create and boards.update keep every field that is given', async () => {
    const mock = serve();
    const api = wire(mock);
    const fields = { name: 'Review', color: '#00ff00', wip_limit: 4, is_done: true };
    const created = await api.post(boards, fields);
    expect(created.data).toMatchObject(fields);
    const change = { name: 'Approved', color: null, wip_limit: null, is_done: false, is_hidden: true };
    const updated = await api.patch(`/boards/${created.data.id}`, change);
    expect(updated.status).toBe(200);
    expect(updated.data).toEqual({ ...created.data, ...change });
    expect((await api.get(boards)).data.at(-1)).toEqual(updated.data);
  });

  test('boards.update leaves the fields that are not given', async () => {
    const api = wire(serve());
    const before = (await api.get(boards)).data[1];
    const { data } = await api.patch('/boards/brd_doing', { color: 'teal' });
    expect(data).toEqual({ ...before, color: 'teal' });
  });

  test('boards.create takes no is_hidden, which only an update has', async () => {
    const { data } = await wire(serve()).post(boards, { name: 'Review', is_hidden: true });
    expect(data.is_hidden).toBe(false);
  });

  test.each([
    ['To do', 'to-do-2'],
    ['  In   Review!  ', 'in-review'],
    ['Sprint 42', 'sprint-42'],
    ['', 'board'],
    ['!!!', 'board'],
  ])('boards.create makes of the name %j the slug %s', async (name, slug) => {
    expect((await wire(serve()).post(boards, { name })).data.slug).toBe(slug);
  });

  test('a slug is unique among the live boards of its project and free again after a deletion', async () => {
    const api = wire(serve());
    const slugs: string[] = [];
    for (let count = 0; count < 3; count++)
      slugs.push((await api.post(boards, { name: 'Review' })).data.slug);
    expect(slugs).toEqual(['review', 'review-2', 'review-3']);
    const elsewhere = await api.post('/projects/prj_zeus/boards', { name: 'Review' });
    expect(elsewhere.data.slug).toBe('review');
    const second = (await api.get(boards)).data.find(({ slug }: Json) => slug === 'review-2');
    await api.delete(`/boards/${second.id}`);
    expect((await api.post(boards, { name: 'Review' })).data.slug).toBe('review-2');
  });

  test('a slug stays when the board is renamed', async () => {
    const mock = serve();
    const api = wire(mock);
    const { data } = await api.patch('/boards/brd_todo', { name: 'Backlog' });
    expect([data.name, data.slug]).toEqual(['Backlog', 'to-do']);
    const ticket = await api.post('/projects/prj_apollo/tickets', { board_slug: 'to-do', title: 'x' });
    expect(ticket.data.board_id).toBe('brd_todo');
    expect((await api.post(boards, { name: 'To do' })).data.slug).toBe('to-do-2');
  });

  test('is_hidden follows the update and has no effect on listings and arrivals', async () => {
    const mock = serve();
    const api = wire(mock);
    expect((await api.patch('/boards/brd_todo', { is_hidden: true })).data.is_hidden).toBe(true);
    expect(await boardsOf(mock)).toContain('brd_todo');
    expect(await ticketsOn(mock, 'brd_todo')).toEqual(['tkt_a', 'tkt_b', 'tkt_c']);
    expect((await api.post('/tickets/tkt_d/move', { board_id: 'brd_todo' })).status).toBe(200);
    expect((await api.patch('/boards/brd_todo', { is_hidden: false })).data.is_hidden).toBe(false);
  });
});

describe('boards.delete', () => {
  test('takes an empty board without a target, and without a body (204)', async () => {
    for (const body of [undefined, {}, '']) {
      const mock = serve();
      const api = wire(mock);
      await api.delete('/tickets/tkt_d');
      const answer = await api.delete('/boards/brd_doing', body);
      expect([answer.status, answer.body]).toEqual([204, undefined]);
      expect(await boardsOf(mock)).toEqual(['brd_todo', 'brd_done']);
    }
  });

  test('requires a target when the board has tickets (422) and changes nothing', async () => {
    const mock = serve();
    for (const body of [undefined, {}]) {
      const answer = await wire(mock).delete('/boards/brd_todo', body);
      expectRefusal(answer, 'target_board_required', 'move_to_board_id');
    }
    await expectUnchanged(mock);
  });

  test('an archived ticket on the board still requires a target', async () => {
    const api = wire(serve());
    await api.patch('/tickets/tkt_d', { archived: true });
    expectRefusal(await api.delete('/boards/brd_doing'), 'target_board_required', 'move_to_board_id');
  });

  test('moves the tickets to the end of the target, in their order', async () => {
    const mock = serve();
    const api = wire(mock);
    const numbers = (await api.get('/projects/prj_apollo/tickets')).data.data;
    expect((await api.delete('/boards/brd_todo', { move_to_board_id: 'brd_done' })).status).toBe(204);
    expect(await boardsOf(mock)).toEqual(['brd_doing', 'brd_done']);
    expect(await ticketsOn(mock, 'brd_done')).toEqual(['tkt_e', 'tkt_a', 'tkt_b', 'tkt_c']);
    expect(await ticketsOn(mock, 'brd_todo')).toEqual([]);
    for (const { id, number } of numbers) expect((await api.get(`/tickets/${id}`)).data.number).toBe(number);
  });

  test('completes the tickets it moves to a done board', async () => {
    const mock = serve();
    const api = wire(mock);
    mock.clock.advance(60_000);
    await api.delete('/boards/brd_todo', { move_to_board_id: 'brd_done' });
    expect((await api.get('/tickets/tkt_a')).data.completed_at).toBe('2026-01-01T00:01:00.000Z');
  });

  test.each(['brd_nobody', 'brd_todo', 'brd_zeus', 'brd_other', 'tkt_a', ''])(
    'refuses the target %j, which is no other live board of the project (422)',
    async (move_to_board_id) => {
      const mock = serve();
      const answer = await wire(mock).delete('/boards/brd_todo', { move_to_board_id });
      expectRefusal(answer, 'invalid_target_board', 'move_to_board_id');
      await expectUnchanged(mock);
    },
  );

  test('refuses a deleted target, also when the board itself is empty', async () => {
    const api = wire(serve());
    await api.delete('/boards/brd_doing', { move_to_board_id: 'brd_todo' });
    const target = { move_to_board_id: 'brd_doing' };
    expectRefusal(await api.delete('/boards/brd_todo', target), 'invalid_target_board', 'move_to_board_id');
    const { data } = await api.post(boards, { name: 'Empty' });
    for (const move_to_board_id of ['brd_doing', 'brd_nobody', data.id]) {
      const answer = await api.delete(`/boards/${data.id}`, { move_to_board_id });
      expectRefusal(answer, 'invalid_target_board', 'move_to_board_id');
    }
  });

  test('a deleted board takes no tickets any more (422)', async () => {
    const api = wire(serve());
    await api.delete('/boards/brd_doing', { move_to_board_id: 'brd_todo' });
    const tickets = '/projects/prj_apollo/tickets';
    expectRefusal(
      await api.post(tickets, { board_id: 'brd_doing', title: 'x' }),
      'invalid_board',
      'board_id',
    );
    expectRefusal(
      await api.post(tickets, { board_slug: 'doing', title: 'x' }),
      'invalid_board',
      'board_slug',
    );
    expectRefusal(
      await api.post('/tickets/tkt_a/move', { board_id: 'brd_doing' }),
      'invalid_board',
      'board_id',
    );
    const reorder = { board_id: 'brd_doing', ticket_ids: [] };
    expectRefusal(await api.put(`${tickets}/reorder`, reorder), 'invalid_board', 'board_id');
  });
});
