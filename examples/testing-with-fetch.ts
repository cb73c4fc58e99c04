// Tests a function by running the real client against a mock server with custom seed data, without a network.

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

// The code under test
async function startWork(ticket: string): Promise<'started' | 'board is full'> {
  try {
    await client.tickets.move(ticket, { board_id: 'brd_doing' });
    return 'started';
  } catch (error) {
    if (error instanceof UnprocessableError && error.code === 'wip_limit_reached') return 'board is full';
    throw error;
  }
}

const result = await startWork('tkt_radio');
const radio = await client.tickets.get('tkt_radio');
console.log(`startWork returned “${result}”, and the ticket is still on ${radio.board_id}.`);

// If no request matches, the error message shows the most similar ones.
mock.requests.expect('tickets.move', { body: { board_id: 'brd_doing' }, code: 'wip_limit_reached' });
console.log(`The requests used the scopes ${mock.scopes.used().join(' and ')}.`);
