import { describe, expect, test } from 'vitest';
import { createMockServer, type World, type WorldSettings } from 'worktrack/mock-server';
import { send, serverOf, world } from './support/server.js';

const serverWith = (settings: WorldSettings) => serverOf({ world: { ...world, settings } });

describe('default_boards', () => {
  const settings: WorldSettings = {
    default_boards: [
      { name: 'To do' },
      { name: 'In progress', wip_limit: 3, color: 'blue' },
      { name: 'Done', slug: 'finished', is_done: true },
    ],
  };

  test('are created in every project that projects.create adds', async () => {
    const mock = serverWith(settings);
    const { status, json } = await send(mock, 'POST', '/organizations/org_acme/projects', {
      name: 'New',
      key: 'NEW',
    });
    expect(status).toBe(201);
    const { json: boards } = await send(mock, 'GET', `/projects/${json.data.id}/boards`);
    expect(boards.data).toMatchObject([
      { name: 'To do', slug: 'to-do', position: 0, wip_limit: null, is_done: false },
      { name: 'In progress', slug: 'in-progress', position: 1, wip_limit: 3, color: 'blue' },
      { name: 'Done', slug: 'finished', position: 2, is_done: true },
    ]);
  });

  test("aren't created in projects from seed data or mock.add", () => {
    const mock = serverWith(settings);
    mock.add.project({ organization: 'Acme' });
    expect(mock.state.boards.all().map(({ name }) => name)).toEqual(['To do', 'Doing']);
  });

  test('are included in snapshots and exported states', async () => {
    const mock = serverWith(settings);
    const boardsOfNewProject = async (server = mock) => {
      const { json } = await send(server, 'POST', '/organizations/org_acme/projects', {
        name: 'N',
        key: 'N',
      });
      return server.state.boards.filter(({ project_id }) => project_id === json.data.id).length;
    };
    const snapshot = mock.snapshot();
    mock.load(world);
    expect(await boardsOfNewProject()).toBe(0);
    mock.restore(snapshot);
    expect(await boardsOfNewProject()).toBe(3);
    expect(await boardsOfNewProject(createMockServer({ state: mock.export() }))).toBe(3);
    mock.reset();
    expect(await boardsOfNewProject()).toBe(0);
  });
});

describe('slug_style', () => {
  test('puts underscores in the slug of every new board if set to snake_case', async () => {
    const mock = serverWith({ slug_style: 'snake_case' });
    expect(mock.add.board({ name: 'In Progress', project: 'Apollo' }).slug).toBe('in_progress');
    const { json } = await send(mock, 'POST', '/projects/prj_apollo/boards', { name: 'in   progress!' });
    expect(json.data.slug).toBe('in_progress_2');
    expect(mock.state.boards.get('brd_todo')?.slug).toBe('to_do');
  });
});

describe('tickets.create with default_board', () => {
  const create = (mock: ReturnType<typeof serverOf>, body: object) =>
    send(mock, 'POST', '/projects/prj_apollo/tickets', { title: 'T', ...body });

  test.each(['To do', 'to-do'])(
    'adds the ticket to the "%s" board if no board is given',
    async (default_board) => {
      const mock = serverWith({ default_board });
      const { status, json } = await create(mock, {});
      expect([status, json.data.board_id]).toEqual([201, 'brd_todo']);
      expect(mock.requests.last()?.body).toEqual({ title: 'T' });
      expect((await create(mock, { board_id: 'brd_doing' })).json.code).toBe('wip_limit_reached');
    },
  );

  test.each<[string, WorldSettings]>([
    ['the setting is missing', {}],
    ["the project doesn't have the board", { default_board: 'Backlog' }],
  ])('rejects a ticket without a board if %s', async (_, settings) => {
    const { status, json } = await create(serverWith(settings), {});
    expect([status, json.code]).toEqual([422, 'validation_failed']);
  });

  test('rejects a board that is null or unknown', async () => {
    const mock = serverWith({ default_board: 'To do' });
    expect((await create(mock, { board_id: null })).status).toBe(422);
    expect((await create(mock, { board_slug: 'nowhere' })).json.code).toBe('invalid_board');
  });
});

test.each<[object, string]>([
  [{ slug_style: 'camelCase' }, 'settings.slug_style: must be one of: kebab-case, snake_case'],
  [{ default_bords: [] }, 'settings.default_bords: unknown field; did you mean "settings.default_boards"?'],
  [{ default_boards: [{ nam: 'x' }] }, 'settings.default_boards[0].name: is required'],
  [{ default_boards: Array(2).fill({ name: 'a', slug: 'x' }) }, 'two boards have the slug "x"'],
])('createMockServer rejects seed data with the settings %j', (settings, message) => {
  expect(() => serverWith(settings as WorldSettings)).toThrow(message);
});

describe('seed data without credentials', () => {
  const organizations = [
    { id: 'org_1', name: 'One' },
    { id: 'org_2', name: 'Two' },
  ];

  test('creates one credential with all scopes for each organization', async () => {
    const mock = createMockServer({ world: { organizations } });
    expect(mock.clientOptions()).toMatchObject({ token: 'wt_default', organization: 'org_1' });
    expect(mock.clientOptions({ organization: 'org_2' })).toMatchObject({ token: 'wt_default_2' });
    expect(mock.state.credentials.all()).toMatchObject([
      { id: 'crd_default', name: 'Default credential', organization_id: 'org_1' },
      { id: 'crd_default_2', name: 'Default credential', organization_id: 'org_2' },
    ]);
    const { status } = await send(mock, 'GET', '/organizations/org_2', undefined, 'wt_default_2');
    expect(status).toBe(200);
    expect(mock.state.credentials.all()[0]?.scopes).toHaveLength(13);
  });

  test("doesn't create credentials if any organization has a list of credentials, even an empty one", () => {
    const [first, second] = organizations;
    const none: World = {
      organizations: [{ ...(first as { name: string }), credentials: [] }, second as { name: string }],
    };
    const mock = createMockServer({ world: none });
    expect(mock.state.credentials.all()).toEqual([]);
    expect(() => mock.clientOptions()).toThrow('The server has no credential');
  });
});
