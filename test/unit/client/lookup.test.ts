import { expect, test } from 'vitest';
import { Worktrack } from 'worktrack';
import { createMockServer } from 'worktrack/mock-server';
import { Lookup, type LookupOptions } from '../../../addons/shared/lookup.js';

function setUp(options?: LookupOptions) {
  const mock = createMockServer();
  const apollo = mock.add.project({ name: 'Apollo', key: 'APO' });
  const zeus = mock.add.project({ name: 'Zeus', key: 'ZEU' });
  const ada = mock.add.user({ name: 'Ada', email: 'ada@acme.example', role: 'owner' });
  const todo = mock.add.board({ project: apollo.id, name: 'To do' });
  const bug = mock.add.label({ project: apollo.id, name: 'bug' });
  const lookup = new Lookup(new Worktrack({ ...mock.clientOptions(), fetch: mock.fetch }), options);
  const listed = () => mock.requests.all().filter(({ operation }) => operation === 'tickets.list').length;
  return { mock, apollo, zeus, ada, todo, bug, lookup, listed };
}

test('projects, boards, labels, and members are found by ID or by name, regardless of case', async () => {
  const { apollo, todo, bug, ada, lookup } = setUp();
  for (const reference of [apollo.id, 'APO', 'apo', ' Apollo '])
    expect(await lookup.project(reference)).toMatchObject({ id: apollo.id, key: 'APO' });
  for (const reference of [todo.id, 'to-do', 'TO DO'])
    expect(await lookup.board(reference, apollo.id)).toMatchObject({ id: todo.id });
  expect((await lookup.labels(apollo.id)).find('BUG').id).toBe(bug.id);
  for (const members of [await lookup.members(apollo.id), await lookup.users()])
    for (const reference of [ada.id, 'ada', 'Ada@acme.example'])
      expect(members.find(reference).id).toBe(ada.id);
});

test.each<[string, (names: ReturnType<typeof setUp>) => Promise<unknown>, string]>([
  ['a mistyped key', ({ lookup }) => lookup.project('APX'), '"APX" is not a project; did you mean "APO"?'],
  [
    'an unknown project',
    ({ lookup }) => lookup.project('Moon'),
    '"Moon" is not a project; expected one of: APO, ZEU',
  ],
  [
    'a board of a project without boards',
    ({ lookup, zeus }) => lookup.board('Doing', zeus.id),
    '"Doing" is not a board of this project; there are no boards',
  ],
  ['an unknown ticket', ({ lookup }) => lookup.ticket('APO-7'), 'there is no ticket APO-7'],
])('looking up %s fails with an error that explains the problem', async (_, find, message) => {
  await expect(find(setUp())).rejects.toMatchObject({
    reason: 'unknown',
    message: expect.stringContaining(message),
  });
});

test('looking up an ambiguous name fails with a list of the matching records', async () => {
  const { mock, apollo, lookup } = setUp();
  const same = mock.add.project({ name: 'Apollo', key: 'AP2' });
  await expect(lookup.project('apollo')).rejects.toMatchObject({
    reason: 'ambiguous',
    problem: '"apollo" matches 2 projects',
    message: `"apollo" matches 2 projects: Apollo (APO, ID ${apollo.id}), Apollo (AP2, ID ${same.id}); use an ID`,
    candidates: [{ id: apollo.id }, { id: same.id }],
  });
  expect(await lookup.project(same.id)).toMatchObject({ key: 'AP2' });
});

test('a record whose ID matches takes precedence over a record whose name matches', async () => {
  const { mock, apollo, lookup } = setUp();
  mock.add.project({ name: apollo.id, key: 'X' });
  expect(await lookup.project(apollo.id)).toMatchObject({ key: 'APO' });
});

test('a ticket is found by project key and number with at most one request per page', async () => {
  const { mock, todo, lookup, listed } = setUp();
  const tickets = Array.from({ length: 401 }, () => mock.add.ticket({ board: todo.id }));
  expect(await lookup.ticket('APO-3')).toEqual({
    id: tickets[2]?.id,
    project_id: todo.project_id,
    number: 3,
    title: tickets[2]?.title,
  });
  expect(listed()).toBe(1);
  expect(await Promise.all(['apo-401', 'APO-300'].map((name) => lookup.ticket(name)))).toMatchObject([
    { id: tickets[400]?.id },
    { id: tickets[299]?.id },
  ]);
  expect(listed()).toBe(3);
});

test('a ticket is reported as unknown only after the entire list has been read', async () => {
  const { mock, todo, lookup, listed } = setUp();
  for (let number = 1; number <= 401; number++) mock.add.ticket({ board: todo.id });
  await expect(lookup.ticket('APO-402')).rejects.toThrow('there is no ticket APO-402');
  expect(listed()).toBe(5);
});

test('looking up a ticket stops after maxTickets tickets', async () => {
  const { mock, todo, lookup, listed } = setUp({ maxTickets: 200 });
  for (let number = 1; number <= 201; number++) mock.add.ticket({ board: todo.id });
  await expect(lookup.ticket('APO-201')).rejects.toThrow(
    'ticket APO-201 is not among the first 200 tickets of the project; pass its ID',
  );
  expect(listed()).toBe(1);
});

test('a ticket reference without a project key is treated as an ID', async () => {
  const { mock, lookup } = setUp();
  expect(await lookup.ticket('tkt_1')).toEqual({ id: 'tkt_1' });
  expect(mock.requests.all()).toEqual([]);
  expect(await lookup.ticket('tkt-1')).toEqual({ id: 'tkt-1' });
});

test("references are treated as IDs if the credential can't list projects", async () => {
  const { mock, apollo, lookup } = setUp();
  mock.credentials.setScopes(mock.clientOptions().token, ['tickets:read']);
  expect(await lookup.project(apollo.id)).toEqual({ id: apollo.id });
  expect(await lookup.ticket('APO-1')).toEqual({ id: 'APO-1' });
});
