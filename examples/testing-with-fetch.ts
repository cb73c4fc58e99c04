// What a test looks like: its own server, a world of its own, the real client, and no network.

import { UnprocessableError, Worktrack } from 'worktrack';
import { createMockServer } from 'worktrack/mock-server';

const mock = createMockServer({
  now: '2026-01-01T09:00:00Z',
  world: {
    organizations: [
      {
        name: 'Acme',
        users: [{ id: 'usr_ada', name: 'Ada', role: 'owner' }],
        credentials: [{ token: 'wt_ci', name: 'CI bot', scopes: ['tickets:read', 'tickets:write'] }],
        projects: [
          {
            id: 'prj_apollo',
            name: 'Apollo',
            key: 'APO',
            boards: [
              { id: 'brd_todo', name: 'To do', tickets: [{ id: 'tkt_radio', title: 'Radio' }] },
              { id: 'brd_doing', name: 'Doing', wip_limit: 1, tickets: [{ title: 'Guidance' }] },
            ],
          },
        ],
      },
    ],
  },
});
const client = new Worktrack({ ...mock.clientOptions(), fetch: mock.fetch });

// The code under test.
async function startWork(ticket: string): Promise<'started' | 'board is full'> {
  try {
    await client.tickets.move(ticket, { board_id: 'brd_doing' });
    return 'started';
  } catch (error) {
    if (error instanceof UnprocessableError && error.reason === 'wip_limit_reached') return 'board is full';
    throw error;
  }
}

const result = await startWork('tkt_radio');
const radio = await client.tickets.get('tkt_radio');
console.log(`startWork says “${result}”, and the ticket is still on ${radio.board_id}.`);

// What it asked for; an expectation that fails shows the nearest miss.
mock.requests.expect('tickets.move', { body: { board_id: 'brd_doing' }, code: 'wip_limit_reached' });
console.log(`It needed ${mock.scopes.used().join(' and ')}.`);
