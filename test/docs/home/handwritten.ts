import { expect, test } from 'vitest';
import { Worktrack } from 'worktrack';
import { options, radio } from './seed.js';
import { startWork } from './start-work.js';

// #region shown
// Your response: every move succeeds.
const moved = { ...radio, board_id: 'brd_doing' };
const client = new Worktrack({
  ...options,
  fetch: async () => Response.json({ data: moved }),
});

test('work starts on a ticket', async () => {
  const ticket = await startWork(client, 'tkt_radio');
  expect(ticket.board_id).toBe('brd_doing');
});
// #endregion shown
