import { describe, expect, test } from 'vitest';
import { expectUnchanged } from './expect-unchanged.js';
import { expectError, ticketsOn } from './expectations.js';
import { rawApi, start } from './requests.js';
import { serve } from './world.js';

const tickets = '/projects/prj_apollo/tickets';

describe('WIP limit', () => {
  test('G-2, W-2, E-13 tickets.create rejects a ticket if the board has reached its WIP limit', async () => {
    const [mock, reference] = [serve(), serve()];
    for (const server of [mock, reference]) {
      const fits = await rawApi(server).post(tickets, { board_id: 'brd_doing', title: 'Second of two' });
      expect(fits.status).toBe(201);
    }
    const over = await rawApi(mock).post(tickets, { board_id: 'brd_doing', title: 'Third of two' });
    expectError(over, 'wip_limit_reached', 'board_id');
    await expectUnchanged(mock, reference);
  });

  test('W-2, E-1 tickets.create reports `board_slug` as the invalid field if the slug belongs to a full board', async () => {
    const mock = serve({ boards: [{ name: 'Full', wip_limit: 1, tickets: [{ title: 'One' }] }] });
    const response = await rawApi(mock).post(tickets, { board_slug: 'full', title: 'Two' });
    expectError(response, 'wip_limit_reached', 'board_slug');
  });

  test('W-2, E-13 tickets.move rejects a full board with 422 and leaves both boards unchanged', async () => {
    const [mock, reference] = [serve(), serve()];
    for (const server of [mock, reference]) {
      const fits = await rawApi(server).post('/tickets/tkt_a/move', { board_id: 'brd_doing' });
      expect(fits.status).toBe(200);
    }
    for (const position of [undefined, 0, 5]) {
      const over = await rawApi(mock).post('/tickets/tkt_b/move', { board_id: 'brd_doing', position });
      expectError(over, 'wip_limit_reached', 'board_id');
    }
    await expectUnchanged(mock, reference);
  });

  test('W-3 tickets on a full board can be moved within it and reordered', async () => {
    const mock = serve();
    await rawApi(mock).post('/tickets/tkt_a/move', { board_id: 'brd_doing' });
    const response = await rawApi(mock).post('/tickets/tkt_a/move', { board_id: 'brd_doing', position: 0 });
    expect([response.status, response.data.position]).toEqual([200, 0]);
    expect(await ticketsOn(mock, 'brd_doing')).toEqual(['tkt_a', 'tkt_d']);
    const ticket_ids = ['tkt_d', 'tkt_a'];
    const reordered = await rawApi(mock).put(`${tickets}/reorder`, { board_id: 'brd_doing', ticket_ids });
    expect(reordered.status).toBe(204);
  });

  test("B-4, W-2, E-13 boards.delete returns 422 and doesn't change anything if the target doesn't have room for all tickets", async () => {
    const mock = serve();
    const response = await rawApi(mock).delete('/boards/brd_todo', { move_to_board_id: 'brd_doing' });
    expectError(response, 'wip_limit_reached', 'move_to_board_id');
    await expectUnchanged(mock);
  });

  test('B-4, W-2 boards.delete can move tickets to a target that then has exactly as many tickets as its WIP limit allows', async () => {
    const { mock, api } = start();
    await api.patch('/boards/brd_doing', { wip_limit: 3 });
    expectError(await api.delete('/boards/brd_todo', { move_to_board_id: 'brd_doing' }), 'wip_limit_reached');
    await api.patch('/boards/brd_doing', { wip_limit: 4 });
    expect((await api.delete('/boards/brd_todo', { move_to_board_id: 'brd_doing' })).status).toBe(204);
    expect(await ticketsOn(mock, 'brd_doing')).toEqual(['tkt_d', 'tkt_a', 'tkt_b', 'tkt_c']);
  });

  test('W-2, W-4 boards.delete accepts a target over its WIP limit if the board to delete is empty', async () => {
    const api = rawApi(serve());
    await api.patch('/boards/brd_todo', { wip_limit: 1 });
    await api.delete('/tickets/tkt_d');
    const response = await api.delete('/boards/brd_doing', { move_to_board_id: 'brd_todo' });
    expect(response.status).toBe(204);
  });

  test("W-4 boards.update can set a WIP limit below the number of tickets on the board, which doesn't affect those tickets", async () => {
    const { mock, api } = start();
    const lowered = await api.patch('/boards/brd_todo', { wip_limit: 1 });
    expect([lowered.status, lowered.data.wip_limit]).toEqual([200, 1]);
    expect(await ticketsOn(mock, 'brd_todo')).toEqual(['tkt_a', 'tkt_b', 'tkt_c']);
    expectError(await api.post('/tickets/tkt_d/move', { board_id: 'brd_todo' }), 'wip_limit_reached');
    expect((await api.post('/tickets/tkt_c/move', { board_id: 'brd_todo', position: 0 })).status).toBe(200);
    expect((await api.patch('/tickets/tkt_c', { title: 'Still here' })).status).toBe(200);
  });

  test('F-2, W-2 boards.update removes the WIP limit if `wip_limit` is null', async () => {
    const api = rawApi(serve());
    expect((await api.patch('/boards/brd_doing', { wip_limit: null })).data.wip_limit).toBeNull();
    for (let count = 0; count < 5; count++) {
      expect((await api.post(tickets, { board_id: 'brd_doing', title: `${count}` })).status).toBe(201);
    }
  });

  test('W-1 a full board accepts another ticket once a ticket is deleted or moved away', async () => {
    const api = rawApi(serve());
    await api.post('/tickets/tkt_a/move', { board_id: 'brd_doing' });
    await api.delete('/tickets/tkt_d');
    expect((await api.post(tickets, { board_id: 'brd_doing', title: 'Takes its place' })).status).toBe(201);
    expectError(await api.post('/tickets/tkt_b/move', { board_id: 'brd_doing' }), 'wip_limit_reached');
    await api.post('/tickets/tkt_a/move', { board_id: 'brd_todo' });
    expect((await api.post('/tickets/tkt_b/move', { board_id: 'brd_doing' })).status).toBe(200);
  });

  test('W-1, C-16 archived tickets count toward the WIP limit, even on hidden and done boards', async () => {
    const api = rawApi(serve());
    await api.patch('/tickets/tkt_d', { archived: true });
    await api.patch('/boards/brd_doing', { is_hidden: true, is_done: true, wip_limit: 1 });
    expectError(await api.post('/tickets/tkt_a/move', { board_id: 'brd_doing' }), 'wip_limit_reached');
    expectError(await api.post(tickets, { board_id: 'brd_doing', title: 'x' }), 'wip_limit_reached');
  });
});
