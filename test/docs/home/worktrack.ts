import { expect, test } from 'vitest';
import { Worktrack } from 'worktrack';
import { createMockServer } from 'worktrack/mock-server';
import { world } from './seed.js';
import { startWork } from './start-work.js';

// #region shown
// The mock server: the API's rules apply.
const mock = createMockServer({ world });
const client = new Worktrack({
  ...mock.clientOptions(),
  fetch: mock.fetch,
});

test('work starts on a ticket', async () => {
  const ticket = await startWork(client, 'tkt_radio');
  expect(ticket.board_id).toBe('brd_doing');
});
// #endregion shown
