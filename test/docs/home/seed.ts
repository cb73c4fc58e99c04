import { Worktrack } from 'worktrack';
import { createMockServer, type World } from 'worktrack/mock-server';

/** A project whose "Doing" board is full. */
export const world: World = {
  organizations: [
    {
      id: 'org_acme',
      name: 'Acme',
      credentials: [{ token: 'wt_example', scopes: ['*'] }],
      projects: [
        {
          name: 'Apollo',
          key: 'APO',
          boards: [
            { id: 'brd_todo', name: 'To do', tickets: [{ id: 'tkt_radio', title: 'Radio check' }] },
            { id: 'brd_doing', name: 'Doing', wip_limit: 1, tickets: [{ title: 'Guidance program' }] },
          ],
        },
      ],
    },
  ],
};

const mock = createMockServer({ world });

export const options = mock.clientOptions();

/** A recorded ticket, for handwritten responses. */
export const radio = await new Worktrack({ ...options, fetch: mock.fetch }).tickets.get('tkt_radio');
