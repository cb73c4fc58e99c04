import { describe, expect, test } from 'vitest';
import { createMockServer, type MockServer } from 'worktrack/mock-server';
import { send, serverOf } from './support/server.js';

describe('mock.add', () => {
  test('generates names and creates parents if none are given', async () => {
    const mock = createMockServer();
    const project = mock.add.project();
    const label = mock.add.label({ name: 'bug' });
    const board = mock.add.board({ project: project.key, wip_limit: 1 });
    const ticket = mock.add.ticket({ labels: ['bug'], assignees: ['Default user'], tags: ['infra'] });
    const document = mock.add.document({ project: project.key });

    expect([project.name, board.name, ticket.title, document.title]).toEqual([
      'Project 1',
      'Board 1',
      'Ticket 1',
      'Document 1',
    ]);
    const others = [mock.add.label(), mock.add.user(), mock.add.organization()];
    expect(others.map(({ name }) => name)).toEqual(['Label', 'User 2', 'Organization 2']);
    expect(ticket).toMatchObject({
      board_id: board.id,
      number: 1,
      position: 0,
      labels: [label],
      creator: null,
    });
    expect(document.project_id).toBe(project.id);
    expect(mock.state.tickets.get(ticket.id)).toEqual(ticket);
    const { json } = await send(mock, 'GET', `/tickets/${ticket.id}`, undefined, 'wt_default');
    expect(json.data).toEqual(ticket);
  });

  test('adds nested records, organizations, and users', () => {
    const mock = createMockServer();
    const organization = mock.add.organization({ name: 'Other', credentials: [{ token: 'wt_other' }] });
    const user = mock.add.user({ name: 'Eve', role: 'admin', organization: 'Other' });
    mock.add.project({
      organization: organization.id,
      boards: [{ name: 'B', tickets: [{ title: 'T', assignees: ['Eve'] }] }],
    });

    expect(mock.state.tickets.all()).toMatchObject([{ assignees: [{ id: user.id, name: 'Eve' }] }]);
    expect(mock.clientOptions({ token: 'wt_other' }).organization).toBe(organization.id);
  });

  const tooLong = { ticket: 'tkt_1', body_html: 'x'.repeat(200_001) };
  test.each<[message: string, (add: MockServer['add']) => unknown]>([
    ['organization.id: "org_acme" is taken by another record', (add) => add.organization({ id: 'org_acme' })],
    [
      'user.organization: is required unless there is exactly one organization (found 2)',
      (add) => add.user(),
    ],
    ['user.id: "usr_ada" is taken by', (add) => add.user({ organization: 'Acme', id: 'usr_ada' })],
    ['label.project: is required unless there is exactly one project (found 2)', (add) => add.label()],
    ['project.organization: is required unless there is exactly one', (add) => add.project()],
    ['project.members[0]: no user "Eve"', (add) => add.project({ organization: 'Acme', members: ['Eve'] })],
    ['board.project: is required unless there is exactly one project (found 2)', (add) => add.board()],
    ['board.id: "brd_todo" is taken by', (add) => add.board({ project: 'Apollo', id: 'brd_todo' })],
    ['ticket.board: is required unless there is exactly one board (found 2)', (add) => add.ticket()],
    [
      'ticket.assignees[0]: no user "nobody" in organization "Acme"',
      (add) => add.ticket({ board: 'brd_todo', tags: ['new'], assignees: ['nobody'] }),
    ],
    ['ticket.number: 1 is taken', (add) => add.ticket({ board: 'brd_todo', number: 1 })],
    ['ticket.titel: unknown field; did you mean "title"?', (add) => add.ticket({ titel: 'x' } as object)],
    // The parent counts as a field.
    ['ticket.bord: unknown field; did you mean "board"?', (add) => add.ticket({ bord: 'x' } as object)],
    ['tags, created_at, updated_at, board', (add) => add.ticket({ xyz: 1 } as object)],
    [
      'document.project: no project "Elsewhere"',
      (add) => add.document({ organization: 'Acme', project: 'Elsewhere' }),
    ],
    ['comment.ticket: is required unless there is exactly one ticket (found 2)', (add) => add.comment()],
    ['comment.ticket: no ticket "x" in the server', (add) => add.comment({ ticket: 'x' })],
    ['comment.document: no document "x" in the server', (add) => add.comment({ document: 'x' })],
    ['comment: expected a ticket or a document', (add) => add.comment({ ticket: 'tkt_1', document: 'x' })],
    ['comment.author: no user "Eve"', (add) => add.comment({ ticket: 'tkt_1', author: 'Eve' })],
    ['comment.body: unknown field; did you mean', (add) => add.comment({ body: 'x' } as object)],
    ['comment.body_html: must be at most 200,000 characters', (add) => add.comment(tooLong)],
    ['notification.id: "ntf" is taken by', (add) => add.notification({ user: 'Bob', id: 'ntf' })],
    ['notification.user: is required unless there is exactly one user', (add) => add.notification()],
    ['notification.user: no user "Eve"', (add) => add.notification({ user: 'Eve' })],
    ['notification.url', (add) => add.notification({ user: 'Bob', url: 'https://example.com' })],
  ])('throws a SeedError without adding anything: %s', (message, add) => {
    const mock = serverOf();
    mock.add.notification({ user: 'Bob', id: 'ntf' });
    const before = mock.export();

    expect(() => add(mock.add)).toThrow(
      expect.objectContaining({ name: 'SeedError', message: expect.stringContaining(message) }),
    );
    expect(mock.export()).toEqual(before);
  });

  test('ignores deleted records, including the boards and tickets of a deleted project', async () => {
    const mock = serverOf();
    mock.add.board({ id: 'brd_other', project: 'Elsewhere' });
    await send(mock, 'DELETE', '/projects/prj_apollo');

    expect(mock.add.ticket().board_id).toBe('brd_other');
    expect(mock.add.board().project_id).toBe('prj_other');
    expect(() => mock.add.board({ project: 'Apollo' })).toThrow('board.project: no project "Apollo"');
    expect(() => mock.add.comment({ ticket: 'Launch' })).toThrow('comment.ticket: no ticket "Launch"');
    expect(() => mock.add.ticket({ board: 'brd_todo' })).toThrow('ticket.board: no board "brd_todo"');
  });
});

describe('mock.credentials', () => {
  const statusOf = async (mock: ReturnType<typeof serverOf>, token: string) =>
    (await send(mock, 'GET', '/tickets/tkt_1', undefined, token)).status;

  test('adds and revokes credentials and changes their scopes while the server runs', async () => {
    const mock = serverOf();
    const { token, scopes } = mock.credentials.add({ name: 'New', scopes: ['boards:read'] });
    expect(scopes).toEqual(['boards:read']);
    expect(await statusOf(mock, token)).toBe(403);

    mock.credentials.setScopes(token, ['tickets:read']);
    expect(await statusOf(mock, token)).toBe(200);

    mock.credentials.revoke(token);
    expect(await statusOf(mock, token)).toBe(401);
  });

  test('replaces only the token when a credential is rotated', async () => {
    const mock = serverOf();
    const rotated = mock.credentials.rotate('wt_ci', 'wt_new');

    expect([await statusOf(mock, 'wt_ci'), await statusOf(mock, 'wt_new')]).toEqual([401, 200]);
    expect(rotated).toMatchObject({ id: 'crd_ci', name: 'CI bot', token: 'wt_new' });
  });

  test('never generates a token that was revoked', async () => {
    const mock = serverOf();
    const { token } = mock.credentials.add();
    mock.credentials.revoke(token);
    const next = mock.credentials.add();
    mock.credentials.rotate(next.token);
    mock.credentials.add();

    expect([await statusOf(mock, token), await statusOf(mock, next.token)]).toEqual([401, 401]);
  });

  test('never generates a token that is already in use', () => {
    const credentialsOf = (token: string) =>
      createMockServer({
        world: { organizations: [{ id: 'org', name: 'Acme', credentials: [{ id: 'crd', token }] }] },
      }).credentials;
    const { token } = credentialsOf('wt_ci').add();

    expect(credentialsOf(token).add().token).toMatch(/^wt_\w+$/);
    expect(credentialsOf(token).add().token).not.toBe(token);
  });

  test('numbers the default names separately for each organization', () => {
    const { credentials } = serverOf();
    const add = (organization: string) => credentials.add({ organization });

    expect([add('org_acme').name, add('org_other').name, add('org_acme').name]).toEqual([
      'API credential',
      'API credential',
      'API credential 2',
    ]);
  });

  test('rejects invalid arguments', () => {
    const { credentials } = serverOf();

    expect(() => credentials.add({ org: 'x' } as object)).toThrow(/expected one of: .*, organization$/);
    expect(() => credentials.revoke('nobody')).toThrow('credential: no credential has the token "nobody"');
    expect(() => credentials.add({ id: 'crd_ci' })).toThrow('credential.id: "crd_ci" is taken');
    expect(() => credentials.add({ token: 'wt_ci' })).toThrow('credential.token: "wt_ci" is already used');
    expect(() => credentials.add({ organization: 'x' })).toThrow('unknown organization "x"');
    expect(() => credentials.setScopes('wt_ci', undefined as never)).toThrow(
      'credential.scopes: is required',
    );
    expect(() => credentials.setScopes('wt_ci', ['tickets:raed' as 'tickets:read'])).toThrow(
      'credential.scopes[0]',
    );
    expect(() => credentials.rotate('wt_ci', 'wt_read')).toThrow(
      'credential.token: "wt_read" is already used by another credential',
    );
    expect(() => credentials.rotate('wt_ci', 'tök€n')).toThrow('credential.token: must be printable ASCII');
    expect(() => credentials.add({ token: 'a b' })).toThrow('credential.token: must be printable ASCII');
  });

  test('is restored by mock.reset()', async () => {
    const mock = serverOf();
    mock.credentials.revoke('wt_ci');
    mock.reset();

    expect(await statusOf(mock, 'wt_ci')).toBe(200);
  });
});

test('an error about a missing record includes the path of the argument', () => {
  const mock = createMockServer({ world: { organizations: [] } });

  expect(() => mock.credentials.add()).toThrow('credential.organization: unknown organization ""');
  expect(() => mock.clientOptions()).toThrow('The server has no credential. Add one to the seed data');
  expect(() => mock.clientOptions({ token: 'x' })).toThrow('The server has no credential for "x"');
});

test('mock.add.ticket accepts an unused ticket number and rejects one that is already used in the project', () => {
  const mock = serverOf();
  const { id: other } = mock.add.board({ project: 'Elsewhere' });
  mock.add.ticket({ board: other, number: 5 });
  mock.add.ticket({ board: 'brd_todo', number: 10 });

  expect(() => mock.add.ticket({ board: 'brd_todo', number: 10 })).toThrow('ticket.number: 10 is taken');
  expect(mock.add.ticket({ board: 'brd_todo', number: 5 }).number).toBe(5);
  expect(() => mock.add.ticket({ board: 'brd_todo', number: 5 })).toThrow('ticket.number: 5 is taken');
  expect(mock.add.ticket({ board: 'brd_todo', number: 12 }).number).toBe(12);
});

test('mock.add.label rejects the ID of another label in the project, but accepts the ID of a label in another project', () => {
  const mock = serverOf();
  mock.add.label({ project: 'Apollo', id: 'lbl', name: 'bug' });

  expect(mock.add.label({ project: 'Elsewhere', id: 'lbl', name: 'bug' }).id).toBe('lbl');
  expect(() => mock.add.label({ project: 'Apollo', id: 'lbl', name: 'idea' })).toThrow(
    'label.id: "lbl" is taken by another record',
  );
});

test('mock.add generates emails, keys, and slugs for names with non-ASCII characters', () => {
  const mock = createMockServer();

  expect(mock.add.user({ name: '  Zoë d’Été! ' }).email).toBe('zoe-d-ete@example.com');
  expect(mock.add.user({ name: '李' }).email).toBe('user@example.com');
  expect(mock.add.project({ name: '—' }).key).toBe('PRJ');
  expect(mock.add.board({ name: '看板' }).slug).toBe('board');
});

describe('mock.add.comment', () => {
  test('adds a comment by a credential or a user', () => {
    const mock = serverOf();
    const { author, created_at, id, ...comment } = mock.add.comment({
      ticket: 'Launch',
      body_html: '<p>Go</p>',
    });
    expect(comment).toEqual({ ticket_id: 'tkt_1', body_html: '<p>Go</p>' });
    expect(author).toEqual({ type: 'api_credential', id: 'crd_ci', name: 'CI bot' });
    expect(created_at).toBe('2026-01-01T00:00:00.000Z');
    expect(mock.state.comments.get(id)).toEqual({ ...comment, author, created_at, id });

    const document = mock.add.document({ organization: 'Acme' });
    expect(
      mock.add.comment({
        id: 'cmt',
        document: document.id,
        author: 'Ada',
        created_at: '2025-01-01T00:00:00Z',
      }),
    ).toEqual({
      id: 'cmt',
      document_id: document.id,
      body_html: 'Comment',
      author: { type: 'user', id: 'usr_ada', name: 'Ada' },
      created_at: '2025-01-01T00:00:00.000Z',
    });
  });

  test('requires an author if the organization has no credential', () => {
    const mock = serverOf();
    mock.add.ticket({ id: 'tkt_other', board: mock.add.board({ project: 'Elsewhere' }).id });
    expect(() => mock.add.comment({ ticket: 'tkt_other' })).toThrow('comment.author: is required');
  });
});

describe('mock.add.notification', () => {
  test('adds a notification for a user', () => {
    const mock = serverOf();
    const notification = mock.add.notification({ user: 'Bob', title: 'Ready', url: '/app/tickets' });
    expect(notification).toEqual({
      id: notification.id,
      organization_id: 'org_acme',
      user_id: 'usr_bob',
      title: 'Ready',
      body: 'Ready',
      url: '/app/tickets',
      created_at: '2026-01-01T00:00:00.000Z',
    });
    expect(mock.state.notifications.all()).toEqual([notification]);
    expect(mock.add.notification({ user: 'Bob' }).title).toBe('Notification 2');
    expect(createMockServer().add.notification().user_id).toBe('usr_default');
  });
});
