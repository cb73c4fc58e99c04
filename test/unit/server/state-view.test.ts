import { expect, test } from 'vitest';
import { createMockServer } from 'worktrack/mock-server';
import { send, serverOf } from './support/server.js';

const server = () =>
  createMockServer({
    world: {
      organizations: [
        {
          id: 'org',
          name: 'Acme',
          users: [{ id: 'ada', name: 'Ada', role: 'owner' }],
          credentials: [{ token: 't' }],
          projects: [
            {
              id: 'p',
              name: 'Apollo',
              labels: [{ id: 'l', name: 'bug' }],
              boards: [
                {
                  id: 'b',
                  name: 'To do',
                  tickets: [
                    { id: 't', title: 'a', assignees: ['Ada'], labels: ['bug'], tags: ['x'], creator: 'Ada' },
                  ],
                },
              ],
            },
          ],
          documents: [{ id: 'd', title: 'd', editors: ['Ada'], tags: ['x'], author: 'Ada' }],
        },
      ],
    },
  });

type Mutable = Record<string, unknown>;

/** Overwrites every field of a record, including nested fields. */
function overwrite(record: object): void {
  for (const [field, value] of Object.entries(record)) {
    if (typeof value === 'object' && value !== null) overwrite(value);
    (record as Mutable)[field] = 'hacked';
  }
}

test.each(['organizations', 'users', 'credentials', 'projects', 'boards', 'tickets', 'documents'] as const)(
  "changing a record that was read from mock.state.%s doesn't change the state",
  (kind) => {
    const mock = server();
    const before = JSON.stringify(mock.state[kind].all());
    for (const record of mock.state[kind].all()) overwrite(record);
    const id = {
      organizations: 'org',
      users: 'ada',
      credentials: 't',
      projects: 'p',
      boards: 'b',
      tickets: 't',
      documents: 'd',
    }[kind];
    overwrite(mock.state[kind].get(id) ?? {});
    mock.state[kind].filter((record) => {
      overwrite(record);
      return true;
    });

    expect(JSON.stringify(mock.state[kind].all())).toBe(before);
    mock.reset();
    expect(JSON.stringify(mock.state[kind].all())).toBe(before);
  },
);

test("changing a comment that was read from mock.state doesn't change the state", async () => {
  const mock = server();
  await mock.fetch('http://worktrack.test/api/v1/tickets/t/comments', {
    method: 'POST',
    headers: { authorization: 'Bearer t' },
    body: '{"body_html":"x"}',
  });
  const before = JSON.stringify(mock.state.comments.all());
  for (const comment of mock.state.comments.all()) overwrite(comment);

  expect(JSON.stringify(mock.state.comments.all())).toBe(before);
});

test('mock.add returns a copy of the record', () => {
  const mock = server();
  const ticket = mock.add.ticket({ assignees: ['Ada'], labels: ['bug'], tags: ['x'], creator: 'Ada' });
  const { id } = ticket;
  const before = mock.state.tickets.get(id);
  overwrite(ticket);
  overwrite(mock.add.label({ project: 'p' }));

  expect(mock.state.tickets.get(id)).toEqual(before);
});

test('mock.state contains the same records as the API, and omits deleted records', async () => {
  const mock = serverOf();
  const { state } = mock;
  const { id: document } = mock.add.document({ organization: 'Acme' });
  const get = async (path: string) => (await send(mock, 'GET', path)).json.data;
  const listed = () => ({
    projects: state.projects.all().map(({ id }) => id),
    boards: state.boards.all().map(({ id }) => id),
    tickets: state.tickets.all().map(({ id }) => id),
    documents: state.documents.all().map(({ id }) => id),
  });

  expect(state.organizations.get('org_acme')).toEqual(await get('/organizations/org_acme'));
  expect(state.projects.get('prj_apollo')).toEqual(await get('/projects/prj_apollo'));
  expect(state.boards.all()).toEqual(await get('/projects/prj_apollo/boards'));
  expect(state.boards.get('brd_doing')).toMatchObject({ position: 1 });
  expect(state.tickets.get('tkt_1')).toEqual(await get('/tickets/tkt_1'));
  expect(state.documents.get(document)).toEqual(await get(`/documents/${document}`));
  expect(listed()).toEqual({
    projects: ['prj_apollo', 'prj_other'],
    boards: ['brd_todo', 'brd_doing'],
    tickets: ['tkt_1', 'tkt_2'],
    documents: [document],
  });

  await send(mock, 'DELETE', `/documents/${document}`);
  await send(mock, 'DELETE', '/projects/prj_apollo');
  expect([
    state.projects.get('prj_apollo'),
    state.boards.get('brd_doing'),
    state.tickets.get('tkt_1'),
    state.documents.get(document),
  ]).toEqual([undefined, undefined, undefined, undefined]);
  expect(listed()).toEqual({ projects: ['prj_other'], boards: [], tickets: [], documents: [] });
});

test('mock.state contains users and credentials', () => {
  const { state } = serverOf();

  expect(state.users.get('usr_bob')).toEqual({
    id: 'usr_bob',
    organization_id: 'org_acme',
    name: 'Bob',
    email: 'bob@example.com',
    role: 'member',
  });
  expect(state.credentials.get('wt_read')).toEqual({
    id: 'crd_read',
    organization_id: 'org_acme',
    token: 'wt_read',
    name: 'Reader',
    scopes: ['tickets:read'],
  });
});
