import { describe, expect, test } from 'vitest';
import { scopes } from 'worktrack/contract';
import { createMockServer, type StateDump } from 'worktrack/mock-server';
import { serveAdmin } from './support/listening.js';
import { send, serverOf, world } from './support/server.js';

describe('createMockServer({ state })', () => {
  test('creates a server that responds like the server that exported the state', async () => {
    const first = serverOf();
    await send(first, 'POST', '/projects/prj_apollo/boards', { name: 'Done', is_done: true });
    await send(first, 'POST', '/tickets/tkt_2/comments', { body_html: 'x' });
    await send(first, 'DELETE', '/tickets/tkt_2');
    await send(first, 'POST', '/projects/prj_apollo/tickets', {
      board_id: 'brd_todo',
      title: 'T',
      due_at: '2025-01-01T00:00:00Z',
    });
    await send(first, 'POST', '/tickets/tkt_1/move', { board_id: 'brd_todo', position: 1 });
    await send(first, 'POST', '/organizations/org_acme/documents', { title: 'D', tag_names: ['a'] });
    await send(first, 'POST', '/organizations/org_acme/notifications', {
      user_ids: ['usr_ada'],
      title: 'N',
      body: 'B',
    });
    const { json } = await send(first, 'POST', '/organizations/org_acme/projects', { name: 'P', key: 'P' });
    await send(first, 'DELETE', `/projects/${json.data.id}`);
    expect(JSON.parse(first.exportJson())).toEqual(first.export());
    expect(first.state.notifications.all()).toHaveLength(1);
    first.add.ticket({ board: 'brd_todo', tags: ['infra'] });
    first.add.project({ id: 'prj_team', organization: 'Acme', members: ['Bob'] });
    first.add.board({ id: 'brd_team', project: 'prj_team' });
    first.clock.advance(5000);

    const second = createMockServer({ state: JSON.parse(JSON.stringify(first.export())) });

    expect(second.export()).toEqual(first.export());
    const { projects, tickets } = second.export();
    expect(projects.filter(({ deleted_at }) => deleted_at !== null)).toHaveLength(1);
    expect(tickets.filter(({ deleted_at }) => deleted_at !== null)).toHaveLength(1);
    for (const [status, method, path, body] of [
      [200, 'GET', '/projects/prj_apollo/tickets'],
      [200, 'GET', '/projects/prj_apollo/boards'],
      [200, 'GET', '/projects/prj_apollo/tags'],
      [200, 'GET', '/projects/prj_apollo/analytics'],
      [200, 'GET', '/organizations/org_acme/projects'],
      [200, 'GET', '/organizations/org_acme/documents?tags=a'],
      [404, 'GET', '/tickets/tkt_2'],
      [201, 'POST', '/projects/prj_apollo/tickets', { board_slug: 'to-do', title: 'Next' }],
      [
        201,
        'POST',
        '/projects/prj_team/tickets',
        { board_id: 'brd_team', title: 'T', assignee_ids: ['usr_bob'] },
      ],
      [201, 'POST', '/organizations/org_acme/documents', { title: 'Next', tag_names: ['a', 'b'] }],
    ] as [number, string, string, unknown?][]) {
      const [one, other] = [await send(first, method, path, body), await send(second, method, path, body)];
      expect([path, one.status]).toEqual([path, status]);
      expect([other.status, other.json]).toEqual([one.status, one.json]);
    }
  });

  test("uses the default settings if the state doesn't contain any", async () => {
    const { settings: _, ...state } = serverOf({
      world: { ...world, settings: { slug_style: 'snake_case' } },
    }).export();
    const mock = createMockServer({ state });

    const project = await send(mock, 'POST', '/organizations/org_acme/projects', { name: 'P', key: 'P' });
    expect(project.status).toBe(201);
    expect((await send(mock, 'GET', `/projects/${project.json.data.id}/boards`)).json.data).toEqual([]);
    expect(mock.add.board({ project: 'Apollo', name: 'In progress' }).slug).toBe('in-progress');
  });

  test('returns documents in creation order, regardless of their order in the state', async () => {
    const source = serverOf();
    for (const title of ['a', 'b', 'c']) source.add.document({ organization: 'Acme', title });
    const state = source.export();
    state.documents.reverse();
    const mock = createMockServer({ state });

    const { json } = await send(mock, 'GET', '/organizations/org_acme/documents');
    expect(json.data.data.map(({ title }: { title: string }) => title)).toEqual(['a', 'b', 'c']);
  });

  /** Returns a state with at least one row in every list. */
  async function fullState(): Promise<StateDump> {
    const mock = serverOf({ world: { ...world, settings: { slug_style: 'snake_case' } } });
    mock.add.board({ id: 'brd_other', project: 'Elsewhere' });
    mock.add.board({ id: 'brd_deleted', project: 'Apollo' });
    await send(mock, 'DELETE', '/boards/brd_deleted');
    mock.add.label({ project: 'Apollo', id: 'lbl_bug', name: 'bug' });
    mock.add.ticket({
      board: 'brd_todo',
      creator: 'Ada',
      assignees: ['Ada'],
      labels: ['bug'],
      tags: ['infra', 'ops'],
    });
    mock.add.document({ id: 'doc', organization: 'Acme', project: 'Apollo', tags: ['a', 'b'] });
    mock.add.document({ organization: 'Acme', editors: ['Ada'] });
    mock.add.comment({ id: 'cmt', document: 'doc' });
    mock.add.comment({ ticket: 'tkt_1' });
    mock.add.notification({ id: 'ntf', user: 'Ada' });
    return JSON.parse(JSON.stringify(mock.export()));
  }

  test.each<[path: string, value: unknown, message: string]>([
    // Fields
    ['clock', 5, 'clock must be an object'],
    ['ids', undefined, 'ids is required'],
    ['ids.low', 'x', 'ids.low must be an integer'],
    ['ordinal', -1, 'ordinal must be at least 0 (got -1)'],
    ['settings.slugStyle', 'camelCase', 'settings.slugStyle must be one of: kebab-case, snake_case'],
    ['settings.defaultBoards', [{}], 'settings.defaultBoards[0].name is required'],
    ['settings.defaultBoard', 1, 'settings.defaultBoard must be a string'],
    ['boards', {}, 'boards must be a list'],
    ['boards', undefined, 'boards is required'],
    ['users.1', null, 'users[1] must be an object'],
    ['organizations.0.name', 5, 'organizations[0].name must be a string'],
    ['organizations.0.users', 'x', 'organizations[0].users must be a list'],
    ['users.0.role', undefined, 'users[0].role is required'],
    ['credentials.0.scopes.12', 'all', `credentials[0].scopes[12] must be one of: ${scopes.join(', ')}`],
    ['documentTags.0.key', undefined, 'documentTags[0].key is required'],
    ['documentTags.1.tag.id', '', 'documentTags[1].tag.id must be at least 1 character (got 0)'],
    [
      'projects.0.created_at',
      'soon',
      'projects[0].created_at must be a date-time (RFC 3339), such as 2026-12-01T09:00:00Z',
    ],
    ['projects.0.name', undefined, 'projects[0].name is required'],
    ['projects.0.labels.0.color', undefined, 'projects[0].labels[0].color is required'],
    ['boards.0.wip_limit', undefined, 'boards[0].wip_limit is required'],
    ['boards.0.slug', undefined, 'boards[0].slug is required'],
    ['tickets.1.title', 5, 'tickets[1].title must be a string'],
    ['tickets.1.creator.type', undefined, 'tickets[1].creator.type is required'],
    ['documents.0.editors', null, 'documents[0].editors must be a list'],
    ['documents.0.title', undefined, 'documents[0].title is required'],
    ['documents.1.editors.0.name', undefined, 'documents[1].editors[0].name is required'],
    ['comments.0.body_html', undefined, 'comments[0].body_html is required'],
    ['notifications.0.title', undefined, 'notifications[0].title is required'],
    // References
    ['organizations.0.users', ['x'], 'organizations[0].users contains the unknown ID "x"'],
    ['users.0.organization_id', 'x', 'users[0].organization_id "x" is unknown'],
    ['credentials.0.organization_id', 'x', 'credentials[0].organization_id "x" is unknown'],
    ['projects.0.organization_id', 'x', 'projects[0].organization_id "x" is unknown'],
    ['projects.0.members', ['x'], 'projects[0].members contains the unknown ID "x"'],
    ['projects.0.boards.2', 'x', 'projects[0].boards contains the unknown ID "x"'],
    ['projects.0.boards.2', 'brd_other', 'projects[0].boards contains a board in another project'],
    ['projects.0.boards.2', 'brd_todo', 'projects[0].boards contains duplicates'],
    ['projects.0.tags.1', { id: 't', name: 'infra' }, 'projects[0].tags contains duplicates'],
    ['boards.3.project_id', 'x', 'boards[3].project_id "x" is unknown'],
    ['tickets.0.board_id', 'x'.repeat(61), `tickets[0].board_id "${'x'.repeat(59)}…" is unknown`],
    ['tickets.1.project_id', 'x', 'tickets[1].project_id "x" is unknown'],
    ['tickets.0.project_id', 'prj_other', 'tickets[0].board_id refers to a board in another project'],
    ['projects.0.tags', [], "tickets[1].tags contains a tag that the ticket's project doesn't have"],
    ['documents.0.organization_id', 'x', 'documents[0].organization_id "x" is unknown'],
    ['documents.0.project_id', 'x', 'documents[0].project_id "x" is unknown'],
    ['comments.1.ticket_id', 'x', 'comments[1].ticket_id "x" is unknown'],
    ['comments.0.document_id', 'x', 'comments[0].document_id "x" is unknown'],
    ['comments.0.document_id', undefined, 'comments[0].document_id "" is unknown'],
    ['notifications.0.organization_id', 'x', 'notifications[0].organization_id "x" is unknown'],
    ['notifications.0.user_id', 'x', 'notifications[0].user_id "x" is unknown'],
  ])('names the path and the problem if %s is %j', async (path, value, message) => {
    const state = await fullState();
    createMockServer({ state });
    const names = path.split('.');
    const last = names.pop() ?? '';
    const parent = names.reduce((object, name) => object[name] as Json, state as unknown as Json);
    parent[last] = value;

    expect(() => createMockServer({ state: JSON.parse(JSON.stringify(state)) })).toThrow(
      new TypeError(`state.${message}`),
    );
  });

  test.each([
    ['organizations', 'org_acme'],
    ['users', 'usr_ada'],
    ['credentials', 'wt_ci'],
    ['documentTags', 'org_acme\na'],
    ['projects', 'prj_apollo'],
    ['boards', 'brd_todo'],
    ['tickets', 'tkt_1'],
    ['documents', 'doc'],
    ['comments', 'cmt'],
    ['notifications', 'ntf'],
  ] as const)('rejects a state with duplicate %s', async (list, id) => {
    const state = await fullState();
    const rows: object[] = state[list];
    const count = rows.push(rows[0] as object);

    expect(() => createMockServer({ state })).toThrow(
      new TypeError(`state.${list}[${count - 1}] has the same ID as another row: ${JSON.stringify(id)}`),
    );
  });
});

interface Json {
  [name: string]: unknown;
}

test("mock.load accepts another server's exported state as JSON or an object, which may change later", () => {
  const source = serverOf();
  source.add.ticket({ board: source.state.boards.all()[0]?.id ?? '', title: 'Exported' });
  const state = source.export();

  for (const data of [structuredClone(state), JSON.stringify(state)]) {
    const mock = createMockServer();
    mock.load(data);
    expect(mock.export()).toEqual(state);

    if (typeof data === 'object') for (const ticket of data.tickets) ticket.title = 'Changed';
    mock.add.organization({ name: 'Later' });
    mock.reset();
    expect(mock.export()).toEqual(state);
  }
});

test("mock.load rejects an invalid state and doesn't change the server", () => {
  const mock = serverOf();
  const before = mock.export();
  const state = serverOf().export();
  const [ticket] = state.tickets;

  expect(ticket).toBeDefined();
  for (const [invalid, message] of [
    [{ ...state, format: 'other' }, 'not an exported state'],
    [{ ...state, version: 2 }, "version 2 isn't supported"],
    [{ ...state, tickets: [{ ...ticket, title: 1 }] }, 'state.tickets[0].title'],
    [{ ...state, users: [] }, 'users'],
  ] as const) {
    expect(() => mock.load(invalid as never)).toThrow(message);
    expect(mock.export()).toEqual(before);
  }
});

test('POST /__admin/seed accepts a state from GET /__admin/state, and rejects an invalid state with 422', async () => {
  const { admin } = await serveAdmin();
  const source = serverOf();
  source.add.organization({ name: 'Exported' });
  const state = JSON.parse(JSON.stringify(source.export()));

  expect((await admin('POST', '/seed', state)).status).toBe(204);
  expect((await admin('GET', '/state')).data).toEqual(state);

  const rejected = { status: 422, message: 'state.boards must be a list' };
  expect(await admin('POST', '/seed', { ...state, boards: null })).toMatchObject(rejected);
  expect((await admin('GET', '/state')).data).toEqual(state);
});
