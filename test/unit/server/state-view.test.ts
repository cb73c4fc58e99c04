import { expect, test } from 'vitest';
import type { Records, StateView } from 'worktrack/mock-server';
import { send, serverOf } from './support/server.js';

/** Creates a server with at least one record of each kind. */
function server() {
  const mock = serverOf();
  mock.add.label({ project: 'Apollo', name: 'bug' });
  mock.add.ticket({ board: 'To do', assignees: ['Ada'], labels: ['bug'], tags: ['x'], creator: 'Ada' });
  mock.add.document({ organization: 'Acme', editors: ['Ada'], tags: ['x'], author: 'Ada' });
  mock.add.comment({ ticket: 'Launch' });
  mock.add.notification({ user: 'Ada' });
  return mock;
}

type Mutable = Record<string, unknown>;

/** Overwrites every field of a record, including nested fields. */
function overwrite(record: object): void {
  for (const [field, value] of Object.entries(record)) {
    if (typeof value === 'object' && value !== null) overwrite(value);
    (record as Mutable)[field] = 'hacked';
  }
}

test.each(Object.keys(server().state) as (keyof StateView)[])(
  "changing a record that was read from mock.state.%s doesn't change the state",
  (kind) => {
    const { state } = server();
    const records: Records<object> = state[kind];
    const before = JSON.stringify(records.all());
    for (const record of records.all() as { id: string; token?: string }[]) {
      overwrite(records.get(record.token ?? record.id) ?? {});
      overwrite(record);
    }
    records.filter((record) => {
      overwrite(record);
      return true;
    });

    expect(before).not.toBe('[]');
    expect(JSON.stringify(records.all())).toBe(before);
  },
);

test('mock.add returns a copy of the record', () => {
  const mock = server();
  const ticket = mock.add.ticket({ board: 'To do', assignees: ['Ada'], labels: ['bug'], tags: ['x'] });
  const { id } = ticket;
  const before = mock.state.tickets.get(id);
  overwrite(ticket);
  overwrite(mock.add.label({ project: 'Apollo' }));

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
