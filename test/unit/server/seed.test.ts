import { describe, expect, test } from 'vitest';
import { scopes } from 'worktrack/contract';
import {
  createMockServer,
  type DocumentSeed,
  type OrganizationSeed,
  type ProjectSeed,
  SeedError,
  type TicketSeed,
} from 'worktrack/mock-server';

const serverWith = (organization: Partial<OrganizationSeed>) =>
  createMockServer({ world: { organizations: [{ id: 'org', name: 'Acme', ...organization }] } });

const users = [
  { id: 'usr_ada', name: 'Ada', role: 'owner' as const },
  { id: 'usr_bob', name: 'Bob' },
  { id: 'usr_bob2', name: 'Bob' },
];

describe('createMockServer', () => {
  test('resolves references in seed data by ID or name, without creating duplicates', () => {
    const mock = serverWith({
      users,
      projects: [
        {
          id: 'prj',
          name: 'Apollo',
          key: 'APO',
          members: ['usr_bob'],
          labels: [{ id: 'lbl', name: 'bug', color: 'red' }],
          tags: [{ id: 'tag', name: 'infra' }],
          boards: [
            {
              name: 'To do',
              tickets: [
                {
                  id: 'tkt',
                  title: 'Launch',
                  assignees: ['Ada', 'usr_bob', 'usr_ada'],
                  labels: ['bug'],
                  tags: ['infra', 'infra', 'new'],
                  creator: 'Ada',
                },
              ],
            },
          ],
        },
      ],
      documents: [{ id: 'doc', title: 'Runbook', project: 'APO', editors: ['usr_bob2'], author: 'usr_ada' }],
    });

    expect(mock.state.tickets.get('tkt')).toMatchObject({
      assignees: [
        { id: 'usr_ada', name: 'Ada' },
        { id: 'usr_bob', name: 'Bob' },
      ],
      labels: [{ id: 'lbl', name: 'bug', color: 'red' }],
      tags: [{ id: 'tag', name: 'infra' }, { name: 'new' }],
      creator: { type: 'user', id: 'usr_ada', name: 'Ada' },
      api_credential_id: null,
    });
    expect(mock.state.documents.get('doc')).toMatchObject({
      project_id: 'prj',
      editors: [{ id: 'usr_bob2', name: 'Bob' }],
      author: { type: 'user', id: 'usr_ada' },
      author_id: 'usr_ada',
    });
  });

  type Rejection = [path: string, message: string, Partial<OrganizationSeed>];
  const list = <Item>(...items: Item[]) => items;
  const inProject = (fields: Partial<ProjectSeed>) => ({ projects: [{ name: 'P', ...fields }] });
  const tickets = (...seeds: TicketSeed[]) => inProject({ boards: [{ name: 'B', tickets: seeds }] });
  const documents = (...seeds: Partial<DocumentSeed>[]) => ({
    documents: seeds.map((seed) => ({ title: 'd', ...seed })),
  });

  const taken = '"x" is taken by another record';
  const ids = list({ id: 'x', name: 'A' }, { id: 'x', name: 'B' });
  const noUser = 'no user "usr_x" in organization "Acme"';
  const project = 'projects[0]';
  const board = 'projects[0].boards[0]';
  const ticket = 'projects[0].boards[0].tickets[0]';

  test.each<Rejection>([
    [
      `${board}.tickets[1].assignees[0]`,
      noUser,
      tickets({ title: 'a' }, { title: 'b', assignees: ['usr_x'] }),
    ],
    [`${ticket}.creator`, noUser, tickets({ title: 'a', creator: 'usr_x' })],
    [
      `${ticket}.assignees[1]`,
      'user "usr_bob" is not a member of project "P"',
      tickets({ title: 'a', assignees: ['Ada', 'usr_bob'] }),
    ],
    [`${ticket}.labels[0]`, 'no label "bug" in project "P"', tickets({ title: 'a', labels: ['bug'] })],
    [`${project}.members[1]`, '2 users are named "Bob"; use the ID', inProject({ members: ['Ada', 'Bob'] })],
    ['documents[0].project', 'no project "x" in organization "Acme"', documents({ project: 'x' })],
    ['documents[1].author', noUser, documents({}, { author: 'usr_x' })],
    ['documents[0].editors[1]', noUser, documents({ editors: ['Ada', 'usr_x'] })],
    ['users[1].id', taken, { users: ids }],
    ['credentials[1].id', taken, { credentials: list({ id: 'x', token: 'a' }, { id: 'x', token: 'b' }) }],
    ['projects[1].id', taken, { projects: ids }],
    [`${project}.labels[1].id`, taken, inProject({ labels: ids })],
    [`${project}.boards[1].id`, taken, inProject({ boards: ids })],
    [`${board}.tickets[1].id`, taken, tickets({ id: 'x', title: 'a' }, { id: 'x', title: 'b' })],
    ['documents[1].id', taken, documents({ id: 'x' }, { id: 'x' })],
    ['tags[1].id', '"x" is taken by another tag', { tags: ids }],
    ['tags[1].name', '"x" is taken by another tag', { tags: list({ name: 'x' }, { name: 'x' }) }],
    [
      `${project}.tags[1].name`,
      '"x" is taken by another tag',
      inProject({ tags: list({ id: 'a', name: 'x' }, { id: 'b', name: 'x' }) }),
    ],
    [
      'credentials[1].token',
      '"t" is already used by another credential',
      { credentials: list({ token: 't' }, { token: 't' }) },
    ],
    [
      `${project}.boards[1].slug`,
      '"a" is taken by another board in the project',
      inProject({ boards: list({ name: 'A' }, { name: 'B', slug: 'a' }) }),
    ],
    [
      `${board}.tickets[1].number`,
      '1 is taken by another ticket in the project',
      tickets({ title: 'a' }, { title: 'b', number: 1 }),
    ],
    [`${ticket}.number`, 'must be at least 1 (got 0)', tickets({ title: 'a', number: 0 })],
    ['documents[0].title', 'must be at most 500 characters (got 501)', documents({ title: 'x'.repeat(501) })],
    [
      'created_at',
      'must be a date-time (RFC 3339), such as 2026-12-01T09:00:00Z',
      { created_at: '2026-02-30T00:00:00Z' },
    ],
    [
      'documents[0].published_at',
      'is invalid for a draft; set the status to "published"',
      documents({ published_at: '2026-01-01T00:00:00Z' }),
    ],
    ['users[0].role', 'must be one of: owner, admin, member', { users: [{ name: 'Ada', role: 'onwer' }] }],
    ['documents[10].title', 'must be a string', documents(...new Array(10).fill({}), { title: 5 as never })],
    ...['', '.', '..', 'a\nb', 'a\0'].map(
      (id): Rejection => [
        `${project}.id`,
        'must be a non-empty ID without control characters, and not "." or ".."',
        { projects: [{ id, name: 'P' }] },
      ],
    ),
    ...['tök€n', ' padded ', 'two words', 'line\nbreak', 'nul\0', ''].map(
      (token): Rejection => [
        'credentials[0].token',
        'must be printable ASCII characters without spaces',
        { credentials: [{ token }] },
      ],
    ),
  ])('rejects invalid seed data: %s %s: %j', (path, message, organization) => {
    expect(() => serverWith({ users, ...organization })).toThrow(
      new SeedError(`organizations[0].${path}`, message),
    );
  });

  test("throws a one-line error if a string isn't valid JSON", () => {
    expect(() => createMockServer({ world: '{"a":\n\n  x}' })).toThrow(
      expect.objectContaining({
        name: 'SeedError',
        path: '',
        message: expect.stringMatching(/^The seed data isn't valid JSON: .*"\{"a": x\}".*$/),
      }),
    );
  });

  test('reports all unknown fields and type errors together', () => {
    const world = JSON.stringify({ organizations: [{ name: 1, users: {}, projcts: [] }] });

    expect(() => createMockServer({ world })).toThrow(
      new SeedError(
        'organizations[0].name',
        'must be a string\norganizations[0].users: must be a list\n' +
          'organizations[0].projcts: unknown field; did you mean "projects"?',
      ),
    );
  });
});

describe('seed data defaults', () => {
  const now = '2026-01-01T00:00:00.000Z';
  const times = { created_at: now, updated_at: now };
  const id = expect.stringMatching(/^[0-9A-Z]{26}$/);

  test('fill in every field that is omitted', () => {
    const { state } = serverWith({
      users: [{ name: 'Ada' }],
      credentials: [{ token: 't' }],
      projects: [
        {
          name: 'a—1b2',
          labels: [{ name: 'bug' }],
          boards: [{ name: 'To do', tickets: [{ title: 'T', labels: ['bug'] }] }],
        },
      ],
      documents: [{ title: 'D' }, { title: 'E', status: 'published' }],
    });

    expect(state.organizations.all()).toEqual([{ id: 'org', name: 'Acme', ...times }]);
    expect(state.users.all()).toEqual([
      { id, organization_id: 'org', name: 'Ada', email: 'ada@example.com', role: 'member' },
    ]);
    expect(state.credentials.all()).toEqual([
      { id, organization_id: 'org', token: 't', name: 'API credential', scopes },
    ]);
    const [project] = state.projects.all();
    expect(project).toEqual({
      id,
      organization_id: 'org',
      name: 'a—1b2',
      key: 'A1B',
      description: null,
      archived_at: null,
      ...times,
    });
    const [board] = state.boards.all();
    expect(board).toEqual({
      id,
      project_id: project?.id,
      name: 'To do',
      slug: 'to-do',
      color: null,
      position: 0,
      wip_limit: null,
      is_done: false,
      is_hidden: false,
      ...times,
    });
    expect(state.tickets.all()).toMatchObject([
      {
        id,
        project_id: project?.id,
        board_id: board?.id,
        number: 1,
        title: 'T',
        position: 0,
        started_at: null,
        completed_at: null,
        api_credential_id: null,
        creator: null,
        assignees: [],
        labels: [{ id, name: 'bug', color: null }],
        tags: [],
        archived_at: null,
        ...times,
      },
    ]);
    const document = {
      id,
      organization_id: 'org',
      project_id: null,
      author_id: null,
      author: null,
      api_credential_id: null,
      title: 'D',
      status: 'draft',
      tags: [],
      editors: [],
      published_at: null,
      archived_at: null,
      ...times,
    };
    expect(state.documents.all()).toMatchObject([
      document,
      { ...document, title: 'E', status: 'published', published_at: now },
    ]);
  });

  test("don't replace fields that are set", () => {
    const on = (day: number) => `2025-01-0${day}T00:00:00.000Z`;
    const own = { created_at: on(1), updated_at: on(2) };
    const user = { id: 'usr', name: 'Ada', email: 'a@b.test', role: 'admin' };
    const credential = { id: 'crd', token: 't', name: 'CI', scopes: ['tickets:read' as const] };
    const project = { id: 'prj', name: 'Apollo', key: 'X', description: 'd', archived_at: on(3), ...own };
    const board = {
      id: 'brd',
      name: 'Done',
      slug: 's',
      color: 'red',
      wip_limit: 3,
      is_done: true,
      is_hidden: true,
      ...own,
    };
    const ticket = {
      id: 'tkt',
      number: 7,
      title: 'T',
      description_html: 'h',
      priority: 'high',
      due_at: on(3),
      started_at: on(4),
      completed_at: on(5),
      archived_at: on(6),
      ...own,
    };
    const document = {
      id: 'doc',
      title: 'D',
      caption: 'c',
      content_html: 'h',
      status: 'published',
      published_at: on(3),
      archived_at: on(4),
      ...own,
    };
    const mock = serverWith({
      ...own,
      users: [user],
      credentials: [credential],
      projects: [
        {
          ...project,
          labels: [{ id: 'lbl', name: 'bug', color: 'blue' }],
          boards: [{ ...board, tickets: [{ ...ticket, labels: ['lbl', 'bug'], creator: null }] }],
        },
      ],
      documents: [
        { ...document, project: 'X', editors: ['Ada', 'usr'], tags: ['x', 'x'] },
        { title: 'E', status: 'published', published_at: null, project: null, author: null },
      ],
    });

    expect(mock.state.organizations.get('org')).toEqual({ id: 'org', name: 'Acme', ...own });
    expect(mock.state.users.get('usr')).toMatchObject(user);
    expect(mock.state.credentials.all()).toMatchObject([credential]);
    expect(mock.state.projects.get('prj')).toMatchObject(project);
    expect(mock.state.boards.get('brd')).toMatchObject(board);
    expect(mock.state.tickets.get('tkt')).toMatchObject({
      ...ticket,
      labels: [{ id: 'lbl', name: 'bug', color: 'blue' }],
    });
    expect(mock.state.documents.all()).toMatchObject([
      { ...document, project_id: 'prj', editors: [{ id: 'usr', name: 'Ada' }], tags: [{ name: 'x' }] },
      { title: 'E', published_at: null, project_id: null, author: null },
    ]);
  });

  test('convert dates to UTC, set updated_at to created_at, and set completed_at for tickets on done boards', () => {
    const mock = serverWith({
      created_at: '2025-01-01T02:00:00+02:00',
      projects: [
        {
          name: 'P',
          boards: [
            {
              name: 'Erledigt!',
              is_done: true,
              tickets: [
                { id: 'tkt', title: 'a', created_at: '2025-05-01T00:00:00Z' },
                { id: 'tkt_null', title: 'b', completed_at: null },
              ],
            },
            { name: '看板', wip_limit: 1, tickets: [{ title: 'b' }, { title: 'c' }] },
            { name: 'board' },
          ],
        },
      ],
    });

    expect(mock.state.organizations.get('org')).toMatchObject({
      created_at: '2025-01-01T00:00:00.000Z',
      updated_at: '2025-01-01T00:00:00.000Z',
    });
    expect(mock.state.tickets.get('tkt')).toMatchObject({
      completed_at: '2025-05-01T00:00:00.000Z',
      number: 1,
    });
    expect(mock.state.tickets.get('tkt_null')?.completed_at).toBeNull();
    expect(mock.state.boards.all().map(({ slug }) => slug)).toEqual(['erledigt', 'board', 'board-2']);
  });

  test('give numbered names to credentials without a name', () => {
    const mock = serverWith({ credentials: [{ token: 'wt_a' }, { token: 'wt_b' }] });
    mock.credentials.add();

    expect(mock.state.credentials.all().map(({ name }) => name)).toEqual([
      'API credential',
      'API credential 2',
      'API credential 3',
    ]);
  });

  test('never contain an ID that occurs in the seed data', () => {
    const first = serverWith({ projects: [{ name: 'P' }, { name: 'Q' }] });
    const [, second] = first.state.projects.all();
    const later = serverWith({ projects: [{ id: second?.id, name: 'Q' }, { name: 'P' }, { name: 'R' }] });

    expect(new Set(later.state.projects.all().map(({ id }) => id)).size).toBe(3);
  });
});

test('createMockServer starts with one organization, one owner, and one credential by default', () => {
  const { state } = createMockServer();

  expect(state.organizations.all()).toMatchObject([{ id: 'org_default', name: 'Default organization' }]);
  expect(state.users.all()).toMatchObject([{ id: 'usr_default', name: 'Default user', role: 'owner' }]);
  expect(state.credentials.all()).toMatchObject([
    { id: 'crd_default', token: 'wt_default', name: 'Default credential', scopes },
  ]);
});

test("createMockServer rejects seed data that isn't an object", () => {
  expect(() => createMockServer({ world: '[]' })).toThrow('world: must be an object');
  expect(() => createMockServer({ world: 'null' })).toThrow('world: ');
});

test("if tags have no ID in the seed data, they're identified by name", () => {
  const mock = serverWith({ tags: [{ name: 'ops' }, { name: 'infra' }] });

  expect(mock.export().documentTags.map(({ tag }) => tag.name)).toEqual(['ops', 'infra']);
});
