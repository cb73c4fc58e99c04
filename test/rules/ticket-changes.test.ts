import { describe, expect, test } from 'vitest';
import { expectRefusal, ticketsOn, wire } from './support.js';
import { expectUnchanged, readable } from './unchanged.js';
import { serve } from './world.js';

const minute = (count: number) => `2026-01-01T00:0${count}:00.000Z`;

describe('tickets.update', () => {
  test('changes the fields that are given and leaves the others', async () => {
    const mock = serve();
    const api = wire(mock);
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

  test('a list replaces the whole list, and [] empties it', async () => {
    const api = wire(serve());
    const replaced = await api.patch('/tickets/tkt_a', {
      assignee_ids: ['usr_ada'],
      label_ids: ['lbl_idea'],
    });
    expect(replaced.data.assignees).toEqual([{ id: 'usr_ada', name: 'Ada' }]);
    expect(replaced.data.labels).toEqual([{ id: 'lbl_idea', name: 'idea', color: null }]);
    const emptied = await api.patch('/tickets/tkt_a', { assignee_ids: [], label_ids: [] });
    expect([emptied.data.assignees, emptied.data.labels]).toEqual([[], []]);
    expect(emptied.data.tags).toEqual([{ id: expect.any(String), name: 'infra' }]);
  });

  test('one entry of a list can be replaced by another, and entries change places', async () => {
    const api = wire(serve());
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

  test('archived sets archived_at to the time and clears it again', async () => {
    const mock = serve();
    const api = wire(mock);
    mock.clock.advance(60_000);
    expect((await api.patch('/tickets/tkt_a', { archived: true })).data.archived_at).toBe(minute(1));
    mock.clock.advance(60_000);
    expect((await api.patch('/tickets/tkt_a', { archived: true })).data.archived_at).toBe(minute(1));
    expect((await api.patch('/tickets/tkt_a', { archived: false })).data.archived_at).toBeNull();
  });

  test('archived has no effect on reads, listings and moves', async () => {
    const mock = serve();
    const api = wire(mock);
    await api.patch('/tickets/tkt_a', { archived: true });
    expect((await api.get('/tickets/tkt_a')).status).toBe(200);
    expect(await ticketsOn(mock, 'brd_todo')).toContain('tkt_a');
    expect((await api.patch('/tickets/tkt_a', { title: 'x' })).status).toBe(200);
    expect((await api.post('/tickets/tkt_a/move', { board_id: 'brd_done' })).status).toBe(200);
    expect((await api.post('/tickets/tkt_a/comments', { body_html: 'x' })).status).toBe(201);
  });

  test('takes no board, position or number: those are not its fields', async () => {
    const api = wire(serve());
    const before = (await api.get('/tickets/tkt_a')).data;
    const { status, data } = await api.patch('/tickets/tkt_a', {
      board_id: 'brd_done',
      position: 2,
      number: 99,
    });
    expect([status, data]).toEqual([200, before]);
  });
});

describe('tickets.move', () => {
  test.each(['brd_nobody', 'brd_zeus', 'brd_other', 'tkt_a'])(
    'refuses the board %s, which is no live board of the project (422)',
    async (board_id) => {
      const mock = serve();
      expectRefusal(await wire(mock).post('/tickets/tkt_a/move', { board_id }), 'invalid_board', 'board_id');
      await expectUnchanged(mock);
    },
  );

  test('changes only the ticket it moves, besides the positions of its neighbours', async () => {
    const mock = serve();
    const api = wire(mock);
    const before = (await api.get('/tickets/tkt_c')).data;
    await api.post('/tickets/tkt_a/move', { board_id: 'brd_done' });
    expect((await api.get('/tickets/tkt_c')).data).toEqual({ ...before, position: 1 });
  });

  test('done twice leaves the same as done once', async () => {
    const mock = serve();
    const once = await wire(mock).post('/tickets/tkt_a/move', { board_id: 'brd_done', position: 0 });
    const state = await readable(mock);
    mock.clock.advance(60_000);
    const twice = await wire(mock).post('/tickets/tkt_a/move', { board_id: 'brd_done', position: 0 });
    expect(twice.body).toEqual(once.body);
    expect(await readable(mock)).toEqual(state);
  });

  test('started_at is the first move to another board that is not done, and stays', async () => {
    const mock = serve();
    const api = wire(mock);
    const move = async (board_id: string) => {
      mock.clock.advance(60_000);
      return (await api.post('/tickets/tkt_a/move', { board_id })).data.started_at;
    };
    expect(await move('brd_todo')).toBeNull();
    expect(await move('brd_done')).toBeNull();
    expect(await move('brd_todo')).toBe(minute(3));
    expect(await move('brd_doing')).toBe(minute(3));
    expect(await move('brd_done')).toBe(minute(3));
  });

  test('completed_at is the arrival on a done board, and null again on leaving', async () => {
    const mock = serve();
    const api = wire(mock);
    const move = async (board_id: string) => {
      mock.clock.advance(60_000);
      return (await api.post('/tickets/tkt_a/move', { board_id })).data.completed_at;
    };
    expect(await move('brd_doing')).toBeNull();
    expect(await move('brd_done')).toBe(minute(2));
    expect(await move('brd_done')).toBe(minute(2));
    expect(await move('brd_todo')).toBeNull();
    expect(await move('brd_done')).toBe(minute(5));
  });

  test('a ticket created on a done board is completed at once', async () => {
    const { data } = await wire(serve()).post('/projects/prj_apollo/tickets', {
      board_id: 'brd_done',
      title: 'x',
    });
    expect([data.completed_at, data.started_at]).toEqual(['2026-01-01T00:00:00.000Z', null]);
  });
});

describe('tickets.delete', () => {
  test('is soft: 204, and gone from every reading', async () => {
    const mock = serve();
    const api = wire(mock);
    const answer = await api.delete('/tickets/tkt_a');
    expect([answer.status, answer.body]).toEqual([204, undefined]);
    expectRefusal(await api.get('/tickets/tkt_a'), 'not_found');
    expect(JSON.stringify(await readable(mock))).not.toContain('tkt_a');
  });
});
