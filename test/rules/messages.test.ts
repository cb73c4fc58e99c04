import { describe, expect, test } from 'vitest';
import { createMockServer } from 'worktrack/mock-server';
import { type ApiResponse, origin, rawApi } from './requests.js';
import { type Mock, serve } from './world.js';

const tickets = '/projects/prj_apollo/tickets';
const boards = '/projects/prj_apollo/boards';
const documents = '/organizations/org_acme/documents';
const notifications = '/organizations/org_acme/notifications';

type Api = ReturnType<typeof rawApi>;

/** Requests that violate rules, with the expected message for each field. */
const rejections: [send: (api: Api) => Promise<ApiResponse>, errors: Record<string, string>][] = [
  [
    (api) => api.delete('/boards/brd_todo', { move_to_board_id: 'brd_doing' }),
    {
      move_to_board_id:
        'would exceed the WIP limit of board "Doing": it has 1 ticket and a limit of 2, and this would add 3',
    },
  ],
  [
    (api) => api.delete('/boards/brd_todo'),
    { move_to_board_id: 'is required because the board has 3 tickets' },
  ],
  [
    (api) => api.delete('/boards/brd_doing'),
    { move_to_board_id: 'is required because the board has 1 ticket' },
  ],
  [
    (api) => api.delete('/boards/brd_todo', { move_to_board_id: 'brd_todo' }),
    { move_to_board_id: 'must be a different board' },
  ],
  [
    (api) => api.delete('/boards/brd_todo', { move_to_board_id: 'brd_zeus' }),
    { move_to_board_id: '"brd_zeus" is not a board in this project' },
  ],
  [
    (api) => api.post(tickets, { board_id: 'brd_zeus', title: 'x' }),
    { board_id: '"brd_zeus" is not a board in this project' },
  ],
  [
    (api) => api.post(tickets, { board_id: `${'x'.repeat(58)}🚀🚀`, title: 'x' }),
    { board_id: `"${'x'.repeat(58)}…" is not a board in this project` },
  ],
  [
    (api) => api.post(tickets, { board_slug: 'nothing', title: 'x' }),
    { board_slug: '"nothing" is not a board in this project' },
  ],
  [
    (api) => api.put(`${boards}/reorder`, { board_ids: ['brd_done', 'brd_x', 'brd_done', 'brd_x'] }),
    {
      board_ids:
        'must contain each board in the project exactly once; missing: "brd_todo", "brd_doing"; ' +
        'unknown: "brd_x"; duplicate: "brd_done", "brd_x"',
    },
  ],
  [
    (api) =>
      api.put(`${tickets}/reorder`, {
        board_id: 'brd_doing',
        ticket_ids: ['tkt_d', '1', '2', '3', '4', '5', '6', '7'],
      }),
    {
      ticket_ids:
        'must contain each ticket on the board exactly once; unknown: "1", "2", "3", "4", "5" and 2 more',
    },
  ],
  [
    (api) =>
      api.put(`${tickets}/reorder`, {
        board_id: 'brd_doing',
        ticket_ids: ['tkt_d', '1', '2', '3', '4', '5'],
      }),
    { ticket_ids: 'must contain each ticket on the board exactly once; unknown: "1", "2", "3", "4", "5"' },
  ],
  [
    (api) =>
      api.patch('/tickets/tkt_b', {
        assignee_ids: ['usr_bob', 'usr_cat'],
        label_ids: ['lbl_zeus', 'lbl_bug'],
      }),
    {
      'assignee_ids.1': '"usr_cat" is not a member of this project',
      'label_ids.0': '"lbl_zeus" is not a label in this project',
    },
  ],
  [
    (api) => api.post(documents, { title: 'x', editor_ids: ['usr_eve'], project_id: 'prj_other' }),
    {
      'editor_ids.0': '"usr_eve" is not a user in this organization',
      project_id: '"prj_other" is not a project in this organization',
    },
  ],
  [
    (api) => api.post(notifications, { title: 'x', body: 'y', user_ids: ['usr_eve', 'usr_bob', 'no"body'] }),
    {
      'user_ids.0': '"usr_eve" is not a user in this organization',
      'user_ids.2': '"no\\"body" is not a user in this organization',
    },
  ],
];

describe('error messages', () => {
  test('E-1 an error response lists every invalid field, both in `errors` and in its message', async () => {
    for (const [send, errors] of rejections) {
      const { status, body } = await send(rawApi(serve()));
      const messages = Object.entries(errors).map(([field, text]) => [field, `${field} ${text}`] as const);
      expect({ status, ...body }, JSON.stringify(errors)).toMatchObject({
        status: 422,
        errors: Object.fromEntries(messages.map(([field, message]) => [field, [message]])),
        message: messages.map(([, message]) => message).join('; '),
      });
      expect(Object.keys(body.errors)).toEqual(Object.keys(errors));
    }
  });

  test('E-1 an error response contains only a message and a code if no field is invalid', async () => {
    const [none, invalid, readOnly, api] = [null, 'wt_x', 'wt_only_tickets:read', 'wt_acme'].map((token) =>
      rawApi(serve(), token),
    ) as [Api, Api, Api, Api];
    const missing = 'Missing credential. Send authorization: Bearer <token>.';
    const lacksScope = 'The credential "only tickets:read" lacks the tickets:write scope.';
    const cases: [response: ApiResponse, message: string][] = [
      [await none.get('/tickets/tkt_a'), missing],
      [await invalid.get('/tickets/tkt_a'), 'The credential is invalid.'],
      [await readOnly.delete('/tickets/tkt_a'), lacksScope],
      [await api.get('/tickets/tkt_other'), 'The credential belongs to another organization.'],
      [await api.get('/boards/brd_x'), 'This path supports PATCH, DELETE, not GET.'],
      [await api.patch('/boards/brd_x', {}), 'No board has the ID "brd_x".'],
      [await api.post(tickets, '{'), "The body isn't valid JSON."],
    ];
    for (const [{ body }, message] of cases) {
      expect(body.message).toBe(message);
      expect(body, message).not.toHaveProperty('errors');
    }
  });

  test('C-27 the error message for a missing credential includes the custom header name', async () => {
    const mock = createMockServer({ wire: { credential: { header: 'x-api-key', scheme: '' } } });
    const response = await mock.fetch(`${origin}/api/v1/organizations/org_default`);
    expect((await response.json()).message).toBe('Missing credential. Send x-api-key: <token>.');
    expect(response.headers.has('www-authenticate')).toBe(false);
  });

  test('E-4 only a 401 response has a WWW-Authenticate header', async () => {
    const api = rawApi(serve(), 'wt_x');
    expect((await api.get('/tickets/tkt_a')).headers.get('www-authenticate')).toBe('Bearer');
    expect((await api.get('/nothing')).headers.has('www-authenticate')).toBe(false);
    expect((await rawApi(serve()).get('/tickets/tkt_x')).headers.has('www-authenticate')).toBe(false);
  });
});

test('E-17 the mock server limits the request rate only if `rateLimit` is set', async () => {
  const limited = createMockServer({ rateLimit: { limit: 2 } });
  const [unlimited, path] = [createMockServer(), '/organizations/org_default'];
  const statuses = async (mock: Mock) => {
    const api = rawApi(mock, 'wt_default');
    return [await api.get(path), await api.get(path), await api.get(path)].map(({ status }) => status);
  };
  expect(await statuses(unlimited)).toEqual([200, 200, 200]);
  expect(await statuses(limited)).toEqual([200, 200, 429]);
});
