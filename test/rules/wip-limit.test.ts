import { describe, expect, test } from 'vitest';
import { expectRefusal, ticketsOn, wire } from './support.js';
import { expectUnchanged } from './unchanged.js';
import { serve } from './world.js';

const tickets = '/projects/prj_apollo/tickets';

describe('WIP limit', () => {
  test('tickets.create fills a board up to its WIP limit and refuses one more (422)', async () => {
    const [mock, twin] = [serve(), serve()];
    for (const server of [mock, twin]) {
      const fits = await wire(server).post(tickets, { board_id: 'brd_doing', title: 'Second of two' });
      expect(fits.status).toBe(201);
    }
    const over = await wire(mock).post(tickets, { board_id: 'brd_doing', title: 'Third of two' });
    expectRefusal(over, 'wip_limit_reached', 'board_id');
    await expectUnchanged(mock, twin);
  });

  test('tickets.create by slug names board_slug when the WIP limit is reached', async () => {
    const mock = serve({ boards: [{ name: 'Full', wip_limit: 1, tickets: [{ title: 'One' }] }] });
    const answer = await wire(mock).post(tickets, { board_slug: 'full', title: 'Two' });
    expectRefusal(answer, 'wip_limit_reached', 'board_slug');
  });

  test('tickets.move refuses a board whose WIP limit is reached (422) and leaves both boards as they were', async () => {
    const [mock, twin] = [serve(), serve()];
    for (const server of [mock, twin]) {
      const fits = await wire(server).post('/tickets/tkt_a/move', { board_id: 'brd_doing' });
      expect(fits.status).toBe(200);
    }
    for (const position of [undefined, 0, 5]) {
      const over = await wire(mock).post('/tickets/tkt_b/move', { board_id: 'brd_doing', position });
      expectRefusal(over, 'wip_limit_reached', 'board_id');
    }
    await expectUnchanged(mock, twin);
  });

  test('tickets.move within a full board is no arrival and is not refused', async () => {
    const mock = serve();
    await wire(mock).post('/tickets/tkt_a/move', { board_id: 'brd_doing' });
    const answer = await wire(mock).post('/tickets/tkt_a/move', { board_id: 'brd_doing', position: 0 });
    expect([answer.status, answer.data.position]).toEqual([200, 0]);
    expect(await ticketsOn(mock, 'brd_doing')).toEqual(['tkt_a', 'tkt_d']);
  });

  test('tickets.reorder on a full board is not refused', async () => {
    const mock = serve();
    await wire(mock).post('/tickets/tkt_a/move', { board_id: 'brd_doing' });
    const answer = await wire(mock).put(`${tickets}/reorder`, {
      board_id: 'brd_doing',
      ticket_ids: ['tkt_a', 'tkt_d'],
    });
    expect(answer.status).toBe(204);
  });

  test('boards.delete refuses a target whose WIP limit would be exceeded (422) and moves no ticket', async () => {
    const mock = serve();
    const answer = await wire(mock).delete('/boards/brd_todo', { move_to_board_id: 'brd_doing' });
    expectRefusal(answer, 'wip_limit_reached', 'move_to_board_id');
    await expectUnchanged(mock);
  });

  test('boards.delete fills the target exactly up to its WIP limit', async () => {
    const mock = serve();
    const api = wire(mock);
    await api.patch('/boards/brd_doing', { wip_limit: 3 });
    expectRefusal(
      await api.delete('/boards/brd_todo', { move_to_board_id: 'brd_doing' }),
      'wip_limit_reached',
    );
    await api.patch('/boards/brd_doing', { wip_limit: 4 });
    expect((await api.delete('/boards/brd_todo', { move_to_board_id: 'brd_doing' })).status).toBe(204);
    expect(await ticketsOn(mock, 'brd_doing')).toEqual(['tkt_d', 'tkt_a', 'tkt_b', 'tkt_c']);
  });

  test('boards.delete of an empty board takes a full target', async () => {
    const mock = serve({
      boards: [
        { id: 'brd_empty', name: 'Empty' },
        { id: 'brd_full', name: 'Full', wip_limit: 1, tickets: [{ title: 'One' }] },
      ],
    });
    const answer = await wire(mock).delete('/boards/brd_empty', { move_to_board_id: 'brd_full' });
    expect(answer.status).toBe(204);
  });

  test('boards.delete of an empty board takes a target that is over its limit: nothing arrives', async () => {
    const mock = serve();
    const api = wire(mock);
    await api.patch('/boards/brd_todo', { wip_limit: 1 });
    await api.delete('/tickets/tkt_d');
    const answer = await api.delete('/boards/brd_doing', { move_to_board_id: 'brd_todo' });
    expect(answer.status).toBe(204);
  });

  test('boards.update may set the WIP limit below the count: only arrivals are refused then', async () => {
    const mock = serve();
    const api = wire(mock);
    const lowered = await api.patch('/boards/brd_todo', { wip_limit: 1 });
    expect([lowered.status, lowered.data.wip_limit]).toEqual([200, 1]);
    expect(await ticketsOn(mock, 'brd_todo')).toEqual(['tkt_a', 'tkt_b', 'tkt_c']);
    expectRefusal(await api.post('/tickets/tkt_d/move', { board_id: 'brd_todo' }), 'wip_limit_reached');
    expect((await api.post('/tickets/tkt_c/move', { board_id: 'brd_todo', position: 0 })).status).toBe(200);
    expect((await api.patch('/tickets/tkt_c', { title: 'Still here' })).status).toBe(200);
  });

  test('null lifts a WIP limit, and a board without one takes any number', async () => {
    const mock = serve();
    const api = wire(mock);
    expect((await api.patch('/boards/brd_doing', { wip_limit: null })).data.wip_limit).toBeNull();
    for (let count = 0; count < 5; count++) {
      expect((await api.post(tickets, { board_id: 'brd_doing', title: `${count}` })).status).toBe(201);
    }
  });

  test('a deleted ticket and a ticket that left make room under the WIP limit', async () => {
    const mock = serve();
    const api = wire(mock);
    await api.post('/tickets/tkt_a/move', { board_id: 'brd_doing' });
    await api.delete('/tickets/tkt_d');
    expect((await api.post(tickets, { board_id: 'brd_doing', title: 'Takes its place' })).status).toBe(201);
    expectRefusal(await api.post('/tickets/tkt_b/move', { board_id: 'brd_doing' }), 'wip_limit_reached');
    await api.post('/tickets/tkt_a/move', { board_id: 'brd_todo' });
    expect((await api.post('/tickets/tkt_b/move', { board_id: 'brd_doing' })).status).toBe(200);
  });

  test('archived tickets count for the WIP limit, on hidden and done boards too', async () => {
    const mock = serve();
    const api = wire(mock);
    await api.patch('/tickets/tkt_d', { archived: true });
    await api.patch('/boards/brd_doing', { is_hidden: true, is_done: true, wip_limit: 1 });
    expectRefusal(await api.post('/tickets/tkt_a/move', { board_id: 'brd_doing' }), 'wip_limit_reached');
    expectRefusal(await api.post(tickets, { board_id: 'brd_doing', title: 'x' }), 'wip_limit_reached');
  });
});
