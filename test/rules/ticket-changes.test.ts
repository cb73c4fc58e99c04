import { describe, expect, test } from 'vitest';
import { checkEach } from '../support/check-each.js';
import { expectUnchanged, readable } from './expect-unchanged.js';
import { expectError, ticketsOn } from './expectations.js';
import { rawApi, start } from './requests.js';
import { serve } from './world.js';

const minute = (count: number) => `2026-01-01T00:0${count}:00.000Z`;

describe('tickets.update', () => {
  test('O-19, F-3 tickets.update changes only the fields in the body', async () => {
    const api = rawApi(serve());
    const before = (await api.get('/tickets/tkt_a')).data;
    const change = {
      title: 'Omega',
      description_html: '<b>x</b>',
      priority: 'low',
      due_at: '2026-03-01T00:00:00.000Z',
    };
    const { status, data } = await api.patch('/tickets/tkt_a', change);
    expect(status).toBe(200);
    expect(data).toEqual({ ...before, ...change });
    expect((await api.get('/tickets/tkt_a')).data).toEqual(data);
  });

  test('C-15 tickets.update replaces entire lists, and [] clears a list', async () => {
    const api = rawApi(serve());
    const replaced = await api.patch('/tickets/tkt_a', {
      assignee_ids: ['usr_ada'],
      label_ids: ['lbl_idea'],
    });
    expect(replaced.data.assignees).toEqual([{ id: 'usr_ada', name: 'Ada' }]);
    expect(replaced.data.labels).toEqual([{ id: 'lbl_idea', name: 'idea', color: null }]);
    const cleared = await api.patch('/tickets/tkt_a', { assignee_ids: [], label_ids: [] });
    expect([cleared.data.assignees, cleared.data.labels]).toEqual([[], []]);
    expect(cleared.data.tags).toEqual([{ id: expect.any(String), name: 'infra' }]);
  });

  test('C-15 tickets.update can replace an entry in a list or change its order', async () => {
    const api = rawApi(serve());
    const assign = async (...assignee_ids: string[]) => {
      const { data } = await api.patch('/tickets/tkt_a', { assignee_ids });
      return data.assignees.map(({ id }: { id: string }) => id);
    };
    for (const people of [
      ['usr_bob', 'usr_ada'],
      ['usr_bob', 'usr_amy'],
      ['usr_ada', 'usr_amy'],
      ['usr_amy', 'usr_ada'],
    ]) {
      expect(await assign(...people)).toEqual(people);
    }
  });

  test('C-16 an archived ticket can be read, listed, changed, and moved', async () => {
    const { mock, api } = start();
    await api.patch('/tickets/tkt_a', { archived: true });
    expect((await api.get('/tickets/tkt_a')).status).toBe(200);
    expect(await ticketsOn(mock, 'brd_todo')).toContain('tkt_a');
    expect((await api.patch('/tickets/tkt_a', { title: 'x' })).status).toBe(200);
    expect((await api.post('/tickets/tkt_a/move', { board_id: 'brd_done' })).status).toBe(200);
    expect((await api.post('/tickets/tkt_a/comments', { body_html: 'x' })).status).toBe(201);
  });
});

describe('tickets.move', () => {
  test("T-3, E-12 tickets.move rejects a board that doesn't belong to the project", async () => {
    const mock = serve();
    await checkEach(['brd_nobody', 'brd_zeus', 'brd_other', 'tkt_a'], async (board_id) => {
      expectError(await rawApi(mock).post('/tickets/tkt_a/move', { board_id }), 'invalid_board', 'board_id');
    });
    await expectUnchanged(mock);
  });

  test("T-3 tickets.move doesn't change other tickets except for their positions", async () => {
    const api = rawApi(serve());
    const before = (await api.get('/tickets/tkt_c')).data;
    await api.post('/tickets/tkt_a/move', { board_id: 'brd_done' });
    expect((await api.get('/tickets/tkt_c')).data).toEqual({ ...before, position: 1 });
  });

  test('T-3 tickets.move has no effect if the ticket is already at the given position', async () => {
    const mock = serve();
    const once = await rawApi(mock).post('/tickets/tkt_a/move', { board_id: 'brd_done', position: 0 });
    const state = await readable(mock);
    mock.clock.advance(60_000);
    const twice = await rawApi(mock).post('/tickets/tkt_a/move', { board_id: 'brd_done', position: 0 });
    expect(twice.body).toEqual(once.body);
    expect(await readable(mock)).toEqual(state);
  });

  test("T-5, T-6 `started_at` is the time of the first move to another board that isn't a done board, and `completed_at` the time of the last move to a done board", async () => {
    const { mock, api } = start();
    for (const [board_id, started_at, completed_at] of [
      ['brd_todo', null, null],
      ['brd_done', null, minute(2)],
      ['brd_done', null, minute(2)],
      ['brd_todo', minute(4), null],
      ['brd_doing', minute(4), null],
      ['brd_done', minute(4), minute(6)],
    ]) {
      mock.clock.advance(60_000);
      const { data } = await api.post('/tickets/tkt_a/move', { board_id });
      expect(data).toMatchObject({ started_at, completed_at });
    }
  });

  test('T-6 tickets.create sets `completed_at` if the board is a done board', async () => {
    const { data } = await rawApi(serve()).post('/projects/prj_apollo/tickets', {
      board_id: 'brd_done',
      title: 'x',
    });
    expect([data.completed_at, data.started_at]).toEqual(['2026-01-01T00:00:00.000Z', null]);
  });
});
