import { afterEach, expect, test, vi } from 'vitest';
import { type ClientOptions, type Ticket, Worktrack } from 'worktrack';
import { createMockServer, type WorldSettings } from 'worktrack/mock-server';
import { apolloWorld } from '../../../docs/.vitepress/content/world.js';

afterEach(() => vi.unstubAllEnvs());

/** Unless a program sets `defaultBoard` in `Register`, the types require a board. */
const withoutBoard = (fields: object) => ({ title: 'T', ...fields }) as { title: string; board_id: string };

function start(options: ClientOptions, settings: WorldSettings = { default_board: 'Doing' }) {
  const mock = createMockServer({ world: { ...apolloWorld, settings } });
  const { defaultBoard: _, ...connection } = mock.clientOptions();
  return { mock, client: new Worktrack({ ...connection, fetch: mock.fetch, ...options }) };
}

test('tickets.create accepts a ticket without a board if defaultBoard is set', async () => {
  const { mock, client } = start({ defaultBoard: true }, { default_board: 'To do' });
  const ticket = await client.tickets.create('prj_apollo', withoutBoard({}));
  expect(ticket.board_id).toBe('brd_todo');
  expect(mock.requests.last()?.body).toEqual({ title: 'T' });
});

test('tickets.create rejects a ticket with two boards or invalid fields even if defaultBoard is set', async () => {
  const { mock, client } = start({ defaultBoard: true });
  const both = client.tickets.create('prj_apollo', withoutBoard({ board_id: 'a', board_slug: 'b' }));
  await expect(both).rejects.toThrow('tickets.create: board_id and board_slug are mutually exclusive');
  const wrong = client.tickets.create('prj_apollo', withoutBoard({ title: 1, priority: 'urgent' }));
  await expect(wrong).rejects.toMatchObject({
    fieldErrors: { title: [expect.any(String)], priority: [expect.any(String)] },
  });
  expect(mock.requests).toHaveLength(0);
});

test.each<[string, ClientOptions]>([
  ['the option is missing', {}],
  ['the option is false', { defaultBoard: false }],
])('tickets.create rejects a ticket without a board if %s', async (_, options) => {
  const { mock, client } = start(options);
  await expect(client.tickets.create('prj_apollo', withoutBoard({}))).rejects.toThrow(
    'tickets.create: board_id or board_slug is required, but not both',
  );
  expect(mock.requests).toHaveLength(0);
});

test('WORKTRACK_DEFAULT_BOARD sets defaultBoard', async () => {
  vi.stubEnv('WORKTRACK_DEFAULT_BOARD', 'true');
  const { client } = start({}, { default_board: 'To do' });
  expect((await client.tickets.create('prj_apollo', withoutBoard({}))).board_id).toBe('brd_todo');
  vi.stubEnv('WORKTRACK_DEFAULT_BOARD', 'yes');
  expect(() => start({})).toThrow('WORKTRACK_DEFAULT_BOARD must be one of: true, false (got "yes")');
});

test('findOrCreate with a match function searches all boards if the ticket has no board', async () => {
  const { client } = start({ defaultBoard: true }, { default_board: 'To do' });
  const options = { match: ({ title }: Ticket) => title === 'T' };
  const created = await client.tickets.findOrCreate('prj_apollo', withoutBoard({}), options);
  await client.tickets.move(created.id, { board_id: 'brd_done' });
  const found = await client.tickets.findOrCreate('prj_apollo', withoutBoard({}), options);
  expect(found.id).toBe(created.id);
});

test("clientOptions sets defaultBoard if the seed data's settings contain default_board", () => {
  const optionsFor = (settings: WorldSettings) =>
    createMockServer({ world: { ...apolloWorld, settings } }).clientOptions();
  expect(optionsFor({ default_board: 'To do' }).defaultBoard).toBe(true);
  expect(optionsFor({})).not.toHaveProperty('defaultBoard');
});
