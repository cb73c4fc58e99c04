import { describe, expect, test } from 'vitest';
import { createMockServer } from 'worktrack/mock-server';
import { type Answer, origin, wire } from './support.js';
import { type Mock, serve } from './world.js';

const tickets = '/projects/prj_apollo/tickets';
const boards = '/projects/prj_apollo/boards';
const documents = '/organizations/org_acme/documents';
const notifications = '/organizations/org_acme/notifications';

type Send = (mock: Mock) => Promise<Answer>;

/** Request, and what the refusal says of each field. */
const refusals: [what: string, send: Send, errors: Record<string, string>][] = [
  [
    'a full board',
    (mock) => wire(mock).delete('/boards/brd_todo', { move_to_board_id: 'brd_doing' }),
    {
      move_to_board_id: 'names board "Doing", whose WIP limit of 2 would be exceeded: 1 on it, 3 to arrive',
    },
  ],
  [
    'a target that is needed for several tickets',
    (mock) => wire(mock).delete('/boards/brd_todo'),
    { move_to_board_id: 'is required: 3 tickets stand on the board' },
  ],
  [
    'a target that is needed for one ticket',
    (mock) => wire(mock).delete('/boards/brd_doing'),
    { move_to_board_id: 'is required: 1 ticket stands on the board' },
  ],
  [
    'a target that is the board itself',
    (mock) => wire(mock).delete('/boards/brd_todo', { move_to_board_id: 'brd_todo' }),
    { move_to_board_id: 'must not be the board that is deleted' },
  ],
  [
    'a target that is no board of the project',
    (mock) => wire(mock).delete('/boards/brd_todo', { move_to_board_id: 'brd_zeus' }),
    { move_to_board_id: 'names no live board of the project: "brd_zeus"' },
  ],
  [
    'a board that is none of the project, by its id',
    (mock) => wire(mock).post(tickets, { board_id: 'brd_zeus', title: 'x' }),
    { board_id: 'names no live board of the project: "brd_zeus"' },
  ],
  [
    'a board that is none of the project, by its slug',
    (mock) => wire(mock).post(tickets, { board_slug: 'nothing', title: 'x' }),
    { board_slug: 'names no live board of the project: "nothing"' },
  ],
  [
    'a list of boards that is no permutation of them',
    (mock) => wire(mock).put(`${boards}/reorder`, { board_ids: ['brd_done', 'brd_x', 'brd_done', 'brd_x'] }),
    {
      board_ids:
        'must name the live boards of the project, each exactly once; missing: brd_todo, brd_doing; ' +
        'not among them: brd_x; named more than once: brd_done, brd_x',
    },
  ],
  [
    'a list of tickets with many that do not belong',
    (mock) =>
      wire(mock).put(`${tickets}/reorder`, {
        board_id: 'brd_doing',
        ticket_ids: ['tkt_d', '1', '2', '3', '4', '5', '6', '7'],
      }),
    {
      ticket_ids:
        'must name the live tickets of the board, each exactly once; not among them: 1, 2, 3, 4, 5 and 2 more',
    },
  ],
  [
    'a list of tickets with five that do not belong',
    (mock) =>
      wire(mock).put(`${tickets}/reorder`, {
        board_id: 'brd_doing',
        ticket_ids: ['tkt_d', '1', '2', '3', '4', '5'],
      }),
    {
      ticket_ids: 'must name the live tickets of the board, each exactly once; not among them: 1, 2, 3, 4, 5',
    },
  ],
  [
    'people and labels of a ticket, each entry by its place',
    (mock) =>
      wire(mock).patch('/tickets/tkt_b', {
        assignee_ids: ['usr_bob', 'usr_cat'],
        label_ids: ['lbl_zeus', 'lbl_bug'],
      }),
    {
      'assignee_ids.1': '"usr_cat" is no user who can see this project',
      'label_ids.0': '"lbl_zeus" is no label of this project',
    },
  ],
  [
    'editors and project of a document, together',
    (mock) => wire(mock).post(documents, { title: 'x', editor_ids: ['usr_eve'], project_id: 'prj_other' }),
    {
      'editor_ids.0': '"usr_eve" is no user of this organization',
      project_id: 'names no project of this organization: "prj_other"',
    },
  ],
  [
    'recipients of a notification',
    (mock) =>
      wire(mock).post(notifications, { title: 'x', body: 'y', user_ids: ['usr_eve', 'usr_bob', 'no"body'] }),
    {
      'user_ids.0': '"usr_eve" is no user of this organization',
      'user_ids.2': '"no\\"body" is no user of this organization',
    },
  ],
];

describe('a refusal names every field that is wrong, and says the same in its message', () => {
  test.each(refusals)('%s', async (_, send, errors) => {
    const { status, body } = await send(serve());
    expect(status).toBe(422);
    expect(body.errors).toEqual(
      Object.fromEntries(Object.entries(errors).map(([field, text]) => [field, [text]])),
    );
    expect(body.message).toBe(
      Object.entries(errors)
        .map(([field, text]) => `${field} ${text}`)
        .join('; '),
    );
  });
});

describe('a refusal before any rule says why', () => {
  test.each<[what: string, send: Send, message: string]>([
    [
      'no credential',
      (mock) => wire(mock, null).get('/tickets/tkt_a'),
      'No credential: send authorization: Bearer <token>.',
    ],
    [
      'a wrong credential',
      (mock) => wire(mock, 'wt_x').get('/tickets/tkt_a'),
      'The credential is not valid.',
    ],
    [
      'a missing scope',
      (mock) => wire(mock, 'wt_only_tickets:read').delete('/tickets/tkt_a'),
      'The credential "only tickets:read" lacks the scope tickets:write.',
    ],
    [
      'another organization',
      (mock) => wire(mock).get('/tickets/tkt_other'),
      'The credential belongs to another organization.',
    ],
    ['a wrong method', (mock) => wire(mock).get('/boards/brd_x'), 'This path takes PATCH, DELETE, not GET.'],
    ['a missing record', (mock) => wire(mock).patch('/boards/brd_x', {}), 'There is no board "brd_x".'],
    ['a body that is no JSON', (mock) => wire(mock).post(tickets, '{'), 'The body is not JSON.'],
  ])('%s', async (_, send, message) => {
    const { body } = await send(serve());
    expect(body.message).toBe(message);
    expect(body).not.toHaveProperty('errors');
  });

  test('a body that is too large, with the limit', async () => {
    const mock = createMockServer({ bodyLimit: 2000 });
    const { status, body } = await wire(mock, 'wt_default').post('/organizations/org_default/projects', {
      name: 'x'.repeat(2000),
      key: 'K',
    });
    expect([status, body.message]).toEqual([413, 'The body is larger than 2,000 bytes.']);
  });

  test('no credential, where it travels in a header of its own', async () => {
    const mock = createMockServer({ wire: { credential: { header: 'x-api-key', scheme: '' } } });
    const answer = await mock.fetch(`${origin}/api/v1/organizations/org_default`);
    expect((await answer.json()).message).toBe('No credential: send x-api-key: <token>.');
    expect(answer.headers.has('www-authenticate')).toBe(false);
  });

  test('a 401 names the scheme that is wanted, and no other refusal does', async () => {
    const api = wire(serve(), 'wt_x');
    expect((await api.get('/tickets/tkt_a')).headers.get('www-authenticate')).toBe('Bearer');
    expect((await api.get('/nothing')).headers.has('www-authenticate')).toBe(false);
    expect((await wire(serve()).get('/tickets/tkt_x')).headers.has('www-authenticate')).toBe(false);
  });
});

test.each(['/tickets/', '/tickets/%zz', '/projects//tickets'])(
  'GET %s names no record, and so no operation',
  async (path) => {
    const { status, body } = await wire(serve()).get(path);
    expect([status, body.message]).toEqual([404, expect.stringContaining(`No operation matches GET`)]);
  },
);

test.each([
  [201, 40],
  [413, 41],
])('answers %i where a body of at most 40 bytes is announced with %i', async (status, length) => {
  const mock = createMockServer({ bodyLimit: 40 });
  const answer = await mock.fetch(`${origin}/api/v1/organizations/org_default/projects`, {
    method: 'POST',
    headers: { authorization: 'Bearer wt_default', 'content-length': String(length) },
    body: '{"name":"A","key":"A"}',
  });
  expect(answer.status).toBe(status);
});
