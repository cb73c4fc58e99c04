import { expect, test } from 'vitest';
import { createMockServer } from 'worktrack/mock-server';
import { toWorld } from '../../../console/model/to-world.js';
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

test('toWorld replaces each token with the result of the given function', () => {
  const mock = createMockServer({ world: apolloWorld });
  const world = toWorld(mock.export(), ({ id }) => `token-of-${id}`);

  expect(JSON.stringify(world)).not.toContain('wt_example');
  expect(createMockServer({ world }).clientOptions().token).toBe('token-of-crd_bot');
});

const byId = (records: { id: string }[]) => new Map(records.map((record) => [record.id, record]));
