import { expect, test } from 'vitest';
import { Worktrack } from 'worktrack';
import { createMockServer } from 'worktrack/mock-server';
import { toWorld } from '../../../addons/console/model/to-world.js';
import { apolloWorld } from '../../../docs/.vitepress/content/world.js';

test('toWorld converts a state to seed data that contains the same records', () => {
  const mock = createMockServer({
    world: { ...apolloWorld, settings: { slug_style: 'snake_case', default_board: 'To do' } },
  });
  mock.add.ticket({ board: 'brd_todo', title: 'Splashdown' });
  const world = toWorld(mock.export());
  const copy = createMockServer({ world });

  for (const kind of [
    'organizations',
    'users',
    'credentials',
    'projects',
    'boards',
    'tickets',
    'documents',
  ] as const) {
    expect(byId(copy.state[kind].all()), kind).toEqual(byId(mock.state[kind].all()));
  }
  expect(toWorld(copy.export())).toEqual(world);
});

test('toWorld includes the credentials that created records, except for revoked credentials', async () => {
  const mock = createMockServer({ world: apolloWorld });
  const revoked = mock.credentials.add({ name: 'Old importer' }).token;
  for (const token of [mock.clientOptions().token, revoked]) {
    const client = new Worktrack({ ...mock.clientOptions({ token }), fetch: mock.fetch });
    await client.tickets.create('prj_apollo', { board_id: 'brd_todo', title: 'Splashdown' });
    await client.documents.create({ title: 'Splashdown' });
  }
  mock.credentials.revoke(revoked);
  const copy = createMockServer({ world: toWorld(mock.export()) });
  const bot = { type: 'api_credential', id: 'crd_bot' };
  expect(copy.state.tickets.filter(({ title }) => title === 'Splashdown')).toMatchObject([
    { creator: bot },
    { creator: null },
  ]);
  expect(copy.state.documents.filter(({ title }) => title === 'Splashdown')).toMatchObject([
    { author: bot },
    { author: null },
  ]);
});

test("toWorld includes a deleted project's documents, but not the project itself", async () => {
  const mock = createMockServer({ world: apolloWorld });
  const client = new Worktrack({ ...mock.clientOptions(), fetch: mock.fetch });
  await client.projects.delete('prj_apollo');

  const copy = createMockServer({ world: toWorld(mock.export()) });
  expect(copy.state.projects.all()).toEqual([]);
  expect(copy.state.documents.get('doc_runbook')).toMatchObject({
    title: 'Launch runbook',
    project_id: null,
  });
});

test('toWorld replaces each token with the result of the given function', () => {
  const mock = createMockServer({ world: apolloWorld });
  const world = toWorld(mock.export(), ({ id }) => `token-of-${id}`);

  expect(JSON.stringify(world)).not.toContain('wt_example');
  expect(createMockServer({ world }).clientOptions().token).toBe('token-of-crd_bot');
});

const byId = (records: { id: string }[]) => new Map(records.map((record) => [record.id, record]));
