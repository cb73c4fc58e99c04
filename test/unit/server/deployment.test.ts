import { describe, expect, test } from 'vitest';
import { Worktrack } from 'worktrack';
import { createMockServer, type Deployment, deploymentWire, type MockServer } from 'worktrack/mock-server';

const archived_at = '2026-01-01T00:00:00Z';

const world = {
  organizations: [
    {
      id: 'org_1',
      name: 'Acme',
      users: [{ id: 'ada', name: 'Ada', role: 'owner' as const }],
      projects: [
        {
          id: 'apollo',
          name: 'Apollo',
          boards: [
            {
              id: 'todo',
              name: 'To do',
              wip_limit: 2,
              tickets: [
                { id: 'one', title: 'One' },
                { id: 'two', title: 'Two', archived_at },
              ],
            },
            { id: 'secret', name: 'Secret', is_hidden: true },
          ],
        },
        { id: 'gemini', name: 'Gemini', archived_at },
      ],
      documents: [
        { id: 'plan', title: 'Plan' },
        { id: 'old', title: 'Old', archived_at },
      ],
    },
  ],
};

const serverWith = (deployment: Deployment) => createMockServer({ world, deployment });

async function send(mock: MockServer, method: string, path: string, body?: unknown) {
  const { baseUrl, token } = mock.clientOptions();
  const response = await mock.fetch(`${baseUrl}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

const idsOf = (records: { id: string }[]) => records.map(({ id }) => id);

const tickets = '/projects/apollo/tickets';
const boards = '/projects/apollo/boards';
const projects = '/organizations/org_1/projects';
const documents = '/organizations/org_1/documents';

describe('createMockServer({ deployment })', () => {
  test('behaves as without settings if they equal the defaults', async () => {
    const defaults: Required<Deployment> = {
      statuses: { validation_failed: 422 },
      errorEnvelope: 'flat',
      recordEnvelope: 'data',
      pageEnvelope: 'nested',
      pastLastPage: 'empty',
      archivedInLists: 'listed',
      hiddenBoards: 'listed',
      listOrder: 'oldest_first',
      archivedInWipLimits: 'counted',
      creator: 'credential',
      slugs: { separator: '-', fallback: 'board', firstSuffix: 2 },
      defaultBoards: [],
      boardForNewTickets: null,
      emptyStrings: 'accepted',
      unknownFields: 'ignored',
      emptyFields: 'null',
      notExpressed: ['something else'],
    };
    for (const [method, path, body] of [
      ['GET', `${tickets}?per_page=1&page=2`],
      ['GET', `${tickets}?page=9`],
      ['GET', documents],
      ['GET', projects],
      ['GET', boards],
      ['POST', boards, { name: '', unknown: 1 }],
      ['POST', tickets, { title: 'Three', board_id: 'todo' }],
      ['POST', tickets, { title: 'Four', board_id: 'secret' }],
    ] as const) {
      const [one, other] = [serverWith(defaults), createMockServer({ world })];
      expect(await send(one, method, path, body)).toEqual(await send(other, method, path, body));
    }
  });

  test('statuses replaces the statuses of errors', async () => {
    const mock = serverWith({ statuses: { validation_failed: 400, not_found: 410 } });
    expect((await send(mock, 'POST', boards, {})).status).toBe(400);
    expect((await send(mock, 'GET', '/tickets/none')).status).toBe(410);
    const full = { title: 'Full', board_id: 'todo' };
    expect((await send(mock, 'POST', tickets, full)).status).toBe(422);
  });

  const message = 'name is required';
  test.each<[NonNullable<Deployment['errorEnvelope']>, unknown]>([
    ['flat', { message, errors: { name: [message] }, code: 'validation_failed' }],
    ['message', { message }],
    ['nested', { error: { message, errors: { name: [message] }, code: 'validation_failed' } }],
    ['list', { errors: [{ field: 'name', message, code: 'validation_failed' }] }],
    [
      'problem',
      {
        title: 'validation_failed',
        status: 422,
        detail: message,
        errors: { name: [message] },
        code: 'validation_failed',
      },
    ],
  ])('errorEnvelope: %s formats errors, and the client reads them', async (errorEnvelope, body) => {
    const mock = serverWith({ errorEnvelope });
    expect((await send(mock, 'POST', boards, {})).body).toEqual(body);
    const { wire } = mock.clientOptions();
    const expected = { message, code: 'validation_failed', errors: { name: [message] } };
    expect(wire?.error.decode(body)).toEqual(errorEnvelope === 'message' ? { message } : expected);
    expect(wire?.error.decode(['other'])).toEqual({});
    const missing = await send(mock, 'GET', '/tickets/none');
    expect(wire?.error.decode(missing.body).message).toContain('none');
  });

  test('recordEnvelope: none returns records without an envelope', async () => {
    const mock = serverWith({ recordEnvelope: 'none' });
    expect((await send(mock, 'GET', '/tickets/one')).body).toMatchObject({ id: 'one' });
    const client = new Worktrack({ ...mock.clientOptions(), fetch: mock.fetch });
    expect(await client.tickets.get('one')).toMatchObject({ id: 'one' });
    expect(idsOf(await client.boards.list('apollo'))).toEqual(['todo', 'secret']);
    expect(deploymentWire({ recordEnvelope: 'none' }).envelope.decode('text')).toBeUndefined();
  });

  test.each<[NonNullable<Deployment['pageEnvelope']>, object]>([
    ['nested', { data: { data: [{ id: 'two' }], current_page: 2, total: 2, next_page_url: null } }],
    ['flat', { data: [{ id: 'two' }], current_page: 2, total: 2, next_page_url: null }],
    ['meta', { data: [{ id: 'two' }], meta: { current_page: 2, total: 2 }, links: { next: null } }],
  ])('pageEnvelope: %s formats pages, and the client reads them', async (pageEnvelope, page) => {
    const mock = serverWith({ pageEnvelope });
    expect((await send(mock, 'GET', `${tickets}?per_page=1&page=2`)).body).toMatchObject(page);
    const client = new Worktrack({ ...mock.clientOptions(), fetch: mock.fetch });
    expect(idsOf(await client.tickets.list('apollo', { per_page: 1 }).toArray({ limit: 9 }))).toEqual([
      'one',
      'two',
    ]);
  });

  test.each([
    ['empty', 200],
    ['not_found', 404],
    ['rejected', 422],
  ] as const)('pastLastPage: %s returns %i after the last page', async (pastLastPage, status) => {
    const mock = serverWith({ pastLastPage });
    expect((await send(mock, 'GET', `${tickets}?per_page=2&page=1`)).status).toBe(200);
    expect((await send(mock, 'GET', `${tickets}?per_page=2&page=2`)).status).toBe(status);
    expect((await send(mock, 'GET', `${tickets}?q=none`)).status).toBe(200);
  });

  test('archivedInLists: hidden omits archived records, and pages have no gaps', async () => {
    const mock = serverWith({ archivedInLists: 'hidden' });
    const { body } = await send(mock, 'GET', `${tickets}?per_page=1`);
    expect([idsOf(body.data.data), body.data.total]).toEqual([['one'], 1]);
    expect(idsOf((await send(mock, 'GET', documents)).body.data.data)).toEqual(['plan']);
    expect(idsOf((await send(mock, 'GET', projects)).body.data)).toEqual(['apollo']);
    expect(idsOf((await send(mock, 'GET', boards)).body.data)).toEqual(['todo', 'secret']);
  });

  test('hiddenBoards: hidden omits hidden boards', async () => {
    const mock = serverWith({ hiddenBoards: 'hidden' });
    expect(idsOf((await send(mock, 'GET', boards)).body.data)).toEqual(['todo']);
  });

  test('listOrder: newest_first reverses documents and projects, and keeps tickets', async () => {
    const mock = serverWith({ listOrder: 'newest_first' });
    expect(idsOf((await send(mock, 'GET', `${documents}?per_page=1`)).body.data.data)).toEqual(['old']);
    expect(idsOf((await send(mock, 'GET', projects)).body.data)).toEqual(['gemini', 'apollo']);
    expect(idsOf((await send(mock, 'GET', tickets)).body.data.data)).toEqual(['one', 'two']);
  });

  test('archivedInWipLimits: not_counted leaves room for another ticket', async () => {
    const mock = serverWith({ archivedInWipLimits: 'not_counted' });
    const ticket = { title: 'Three', board_id: 'todo' };
    expect((await send(mock, 'POST', tickets, ticket)).status).toBe(201);
    expect((await send(mock, 'POST', tickets, ticket)).status).toBe(422);
  });

  test("creator: owner credits the organization's owner", async () => {
    const mock = serverWith({ creator: 'owner' });
    const ada = { type: 'user', id: 'ada', name: 'Ada' };
    const ticket = await send(mock, 'POST', tickets, { title: 'Three', board_id: 'secret' });
    expect(ticket.body.data.creator).toEqual(ada);
    const document = await send(mock, 'POST', documents, { title: 'New' });
    expect(document.body.data).toMatchObject({ author: ada, author_id: 'ada' });
    expect((await send(mock, 'GET', documents)).body.data.data[0]).toMatchObject({ author: ada });
    expect((await send(mock, 'GET', '/tickets/one')).body.data.creator).toEqual(ada);
    const comment = await send(mock, 'POST', '/tickets/one/comments', { body_html: 'x' });
    expect(comment.body.data).not.toMatchObject({ author: ada });
  });

  test('slugs determines the slugs of new boards', async () => {
    const mock = serverWith({ slugs: { separator: '_', fallback: 'spalte', firstSuffix: 1 } });
    const slugOf = async (name: string) => (await send(mock, 'POST', boards, { name })).body.data.slug;
    expect([await slugOf('In review'), await slugOf('In review'), await slugOf('…')]).toEqual([
      'in_review',
      'in_review_1',
      'spalte',
    ]);
  });

  test('defaultBoards and boardForNewTickets override the settings in seed data', async () => {
    const deployment: Deployment = {
      defaultBoards: [{ name: 'Inbox', wip_limit: 3 }],
      boardForNewTickets: 'inbox',
    };
    const settings = { default_boards: [{ name: 'Other' }], default_board: 'other' };
    const mock = createMockServer({ world: { ...world, settings }, deployment });
    const project = await send(mock, 'POST', projects, { name: 'New', key: 'NEW' });
    const { id } = project.body.data;
    const [inbox] = (await send(mock, 'GET', `/projects/${id}/boards`)).body.data;
    expect(inbox).toMatchObject({ name: 'Inbox', slug: 'inbox', wip_limit: 3 });
    const ticket = await send(mock, 'POST', `/projects/${id}/tickets`, { title: 'Fuel' });
    expect(ticket.body.data.board_id).toBe(inbox.id);
    expect(mock.clientOptions()).toMatchObject({ defaultBoard: true });
  });

  test('emptyStrings: rejected rejects empty required strings only', async () => {
    const mock = serverWith({ emptyStrings: 'rejected' });
    expect((await send(mock, 'POST', boards, { name: '' })).body.errors).toEqual({
      name: ['name is required'],
    });
    expect((await send(mock, 'POST', boards, { name: 'Done', color: '' })).status).toBe(201);
    expect((await send(mock, 'GET', boards)).status).toBe(200);
  });

  test('unknownFields: rejected rejects unknown fields', async () => {
    const mock = serverWith({ unknownFields: 'rejected' });
    expect((await send(mock, 'PATCH', '/tickets/one', { estimate: 3 })).status).toBe(422);
  });

  test('emptyFields: omitted omits null from records and pages, but not from the page info', async () => {
    const mock = serverWith({ emptyFields: 'omitted' });
    expect((await send(mock, 'GET', '/tickets/one')).body.data).not.toHaveProperty('due_at');
    const { data } = (await send(mock, 'GET', tickets)).body;
    expect(data.data[0]).not.toHaveProperty('due_at');
    expect(data).toHaveProperty('next_page_url', null);
  });
});

const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;

test.each<[string, string | object, string]>([
  ['invalid JSON', '{', 'not valid JSON'],
  ['a list', '[]', 'must be an object'],
  ['an unknown setting', { creators: 'owner' }, 'unknown field "creators"; did you mean "creator"?'],
  ['a field named constructor', '{"constructor":1}', 'constructor'],
  ['a field named toString', '{"toString":1}', 'toString'],
  ['a field named __proto__', '{"__proto__":{"creator":"owner"}}', '__proto__'],
  ['an unknown status', '{"statuses":{"constructor":400}}', 'statuses'],
  [
    'a status that means success',
    { statuses: { not_found: 200 } },
    'statuses.not_found must be at least 400',
  ],
  ['a value named constructor', { creator: 'constructor' }, 'creator must be one of'],
  ['a value named toString', { errorEnvelope: 'toString' }, 'errorEnvelope must be one of'],
  [
    'a suffix of 2^53 - 1',
    { slugs: { separator: '-', fallback: 'b', firstSuffix: Number.MAX_SAFE_INTEGER } },
    'slugs.firstSuffix must be at most 1,000',
  ],
  ['too many boards', { defaultBoards: Array.from({ length: 101 }, () => ({ name: 'x' })) }, 'defaultBoards'],
  ['deep nesting', `{"slugs":${deep}}`, 'slugs must be an object'],
  ['deep nesting in an unknown field', `{"x":${deep}}`, 'x'],
])('createMockServer rejects a deployment with %s', (_, deployment, problem) => {
  expect(() => createMockServer({ deployment: deployment as Deployment })).toThrow(
    expect.objectContaining({ name: 'TypeError', message: expect.stringContaining(problem) }),
  );
});
