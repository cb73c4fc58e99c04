import { describe, expect, test } from 'vitest';
import { createMockServer } from 'worktrack/mock-server';
import { type Answer, origin, wire } from './support.js';
import { type Mock, serve } from './world.js';

const tickets = '/projects/prj_apollo/tickets';
const boards = '/projects/prj_apollo/boards';
const documents = '/organizations/org_acme/documents';
const notifications = '/organizations/org_acme/notifications';

type Send = (mock: Mock) => Promise<Answer>;

/** A request, and the message for each field. */
const rejections: [what: string, send: Send, errors: Record<string, string>][] = [
  [
    'a full board',
    (mock) => wire(mock).delete('/boards/brd_todo', { move_to_board_id: 'brd_doing' }),
    {
      move_to_board_id:
        'would exceed the WIP limit of board "Doing": it has 1 of 2 tickets, and 3 more would arrive',
    },
  ],
  [
    'no target for several tickets',
    (mock) => wire(mock).delete('/boards/brd_todo'),
    { move_to_board_id: 'is required: the board has 3 tickets' },
  ],
  [
    'no target for one ticket',
    (mock) => wire(mock).delete('/boards/brd_doing'),
    { move_to_board_id: 'is required: the board has 1 ticket' },
  ],
  [
    'the deleted board as its own target',
    (mock) => wire(mock).delete('/boards/brd_todo', { move_to_board_id: 'brd_todo' }),
    { move_to_board_id: 'must not be the deleted board itself' },
  ],
  [
    'a target of another project',
    (mock) => wire(mock).delete('/boards/brd_todo', { move_to_board_id: 'brd_zeus' }),
    { move_to_board_id: '"brd_zeus" is not a live board of this project' },
  ],
  [
    'an unknown board id',
    (mock) => wire(mock).post(tickets, { board_id: 'brd_zeus', title: 'x' }),
    { board_id: '"brd_zeus" is not a live board of this project' },
  ],
  [
    'an unknown board slug',
    (mock) => wire(mock).post(tickets, { board_slug: 'nothing', title: 'x' }),
    { board_slug: '"nothing" is not a live board of this project' },
  ],
  [
    'a reorder with missing, unknown and duplicated boards',
    (mock) => wire(mock).put(`${boards}/reorder`, { board_ids: ['brd_done', 'brd_x', 'brd_done', 'brd_x'] }),
    {
      board_ids:
        'must contain each live board of the project exactly once; missing: "brd_todo", "brd_doing"; ' +
        'unknown: "brd_x"; duplicated: "brd_done", "brd_x"',
    },
  ],
  [
    'a reorder with seven unknown tickets',
    (mock) =>
      wire(mock).put(`${tickets}/reorder`, {
        board_id: 'brd_doing',
        ticket_ids: ['tkt_d', '1', '2', '3', '4', '5', '6', '7'],
      }),
    {
      ticket_ids:
        'must contain each live ticket of the board exactly once; unknown: "1", "2", "3", "4", "5" and 2 more',
    },
  ],
  [
    'a reorder with five unknown tickets',
    (mock) =>
      wire(mock).put(`${tickets}/reorder`, {
        board_id: 'brd_doing',
        ticket_ids: ['tkt_d', '1', '2', '3', '4', '5'],
      }),
    {
      ticket_ids: 'must contain each live ticket of the board exactly once; unknown: "1", "2", "3", "4", "5"',
    },
  ],
  [
    'invalid assignees and labels, each by its index',
    (mock) =>
      wire(mock).patch('/tickets/tkt_b', {
        assignee_ids: ['usr_bob', 'usr_cat'],
        label_ids: ['lbl_zeus', 'lbl_bug'],
      }),
    {
      'assignee_ids.1': '"usr_cat" is not a user who can see this project',
      'label_ids.0': '"lbl_zeus" is not a label of this project',
    },
  ],
  [
    'an invalid editor and an invalid project together',
    (mock) => wire(mock).post(documents, { title: 'x', editor_ids: ['usr_eve'], project_id: 'prj_other' }),
    {
      'editor_ids.0': '"usr_eve" is not a user of this organization',
      project_id: '"prj_other" is not a project of this organization',
    },
  ],
  [
    'invalid recipients',
    (mock) =>
      wire(mock).post(notifications, { title: 'x', body: 'y', user_ids: ['usr_eve', 'usr_bob', 'no"body'] }),
    {
      'user_ids.0': '"usr_eve" is not a user of this organization',
      'user_ids.2': '"no\\"body" is not a user of this organization',
    },
  ],
];

describe('an error response lists every invalid field, and its message repeats them', () => {
  test.each(rejections)('%s', async (_, send, errors) => {
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

describe('an error response before any rule states the reason', () => {
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
    ['a malformed body', (mock) => wire(mock).post(tickets, '{'), "The body isn't valid JSON."],
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

  test('no credential, with a custom credential header', async () => {
    const mock = createMockServer({ wire: { credential: { header: 'x-api-key', scheme: '' } } });
    const answer = await mock.fetch(`${origin}/api/v1/organizations/org_default`);
    expect((await answer.json()).message).toBe('No credential: send x-api-key: <token>.');
    expect(answer.headers.has('www-authenticate')).toBe(false);
  });

  test('only a 401 has a WWW-Authenticate header', async () => {
    const api = wire(serve(), 'wt_x');
    expect((await api.get('/tickets/tkt_a')).headers.get('www-authenticate')).toBe('Bearer');
    expect((await api.get('/nothing')).headers.has('www-authenticate')).toBe(false);
    expect((await wire(serve()).get('/tickets/tkt_x')).headers.has('www-authenticate')).toBe(false);
  });
});

test.each(['/tickets/', '/tickets/%zz', '/projects//tickets'])(
  'GET %s matches no operation',
  async (path) => {
    const { status, body } = await wire(serve()).get(path);
    expect([status, body.message]).toEqual([404, expect.stringContaining(`No operation matches GET`)]);
  },
);

test.each([
  [201, 40],
  [413, 41],
])('responds with %i if the limit is 40 bytes and Content-Length is %i', async (status, length) => {
  const mock = createMockServer({ bodyLimit: 40 });
  const answer = await mock.fetch(`${origin}/api/v1/organizations/org_default/projects`, {
    method: 'POST',
    headers: { authorization: 'Bearer wt_default', 'content-length': String(length) },
    body: '{"name":"A","key":"A"}',
  });
  expect(answer.status).toBe(status);
});
