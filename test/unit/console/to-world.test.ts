import { expect, test } from 'vitest';
import { createMockServer } from 'worktrack/mock-server';
import { toWorld } from '../../../console/model/to-world.js';
import { apolloWorld } from '../../../docs/.vitepress/content/world.js';

test('a state that was copied as a world loads into the same records', () => {
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
    expect(recordsOf(copy.state[kind].all()), kind).toEqual(recordsOf(mock.state[kind].all()));
  }
  expect(toWorld(copy.export())).toEqual(world);
});

test('a world has other tokens if it is asked for', () => {
  const mock = createMockServer({ world: apolloWorld });
  const world = toWorld(mock.export(), ({ id }) => `token-of-${id}`);

  expect(JSON.stringify(world)).not.toContain('wt_example');
  expect(createMockServer({ world }).clientOptions().token).toBe('token-of-crd_bot');
});

/** Records by ID. Their tags have only names, because seed data names them. */
const recordsOf = (records: { id: string }[]) =>
  Object.fromEntries(
    records.map((record) => [
      record.id,
      'tags' in record
        ? { ...record, tags: (record.tags as { name: string }[]).map(({ name }) => name) }
        : record,
    ]),
  );
