import { expect, onTestFinished, test, vi } from 'vitest';
import { createMcpHandler, type McpHandler, type McpHandlerOptions } from 'worktrack/mcp';
import {
  apollo,
  asking,
  bearer,
  callTool,
  confirmed,
  connect,
  localTransport,
  newClient,
  type ProtocolVersion,
  respondWith,
} from './support/connect.js';

const destructive = {
  projects_delete: { project: 'prj_apollo' },
  boards_delete: { board: 'brd_done', move_to_board_id: 'brd_todo' },
  tickets_delete: { ticket: 'tkt_radio' },
  documents_delete: { document: 'doc_menu' },
  notifications_send: { user_ids: ['usr_ada'], title: 'Launch', body: 'At nine' },
};

async function connectWithUser(
  response: Parameters<typeof respondWith>[1],
  options: Partial<McpHandlerOptions> = {},
) {
  const session = await connect({ write: true, ...options }, { protocol: '2026', client: asking });
  return { ...session, questions: respondWith(session.client, response) };
}

test.each(Object.entries(destructive))(
  '%s asks the user once and runs if the user confirms',
  async (name, args) => {
    const { call, questions } = await connectWithUser(confirmed);
    const { text, isError } = await call(name, args);
    expect(isError, text).toBe(false);
    expect(questions).toHaveLength(1);
  },
);

test.each([
  { action: 'decline' },
  { action: 'cancel' },
  { action: 'accept', content: { confirm: false } },
] as const)("tickets_delete doesn't delete anything if the user responds with %j", async (response) => {
  const { call, mock } = await connectWithUser(response);
  expect(await call('tickets_delete', { ticket: 'tkt_radio' })).toEqual({
    isError: true,
    text: 'tickets_delete: the user declined. Nothing was changed. Do not try again unless the user asks you to.',
  });
  expect(mock.requests.for('tickets.delete')).toHaveLength(0);
});

test.each([
  ['2025', 'over HTTP, only clients with MCP version 2026-07-28 or later can ask for it'],
  ['2026', "this client can't ask for it"],
] as [ProtocolVersion, string][])(
  "if a %s client can't ask its user over HTTP, destructive tools aren't listed and have no effect",
  async (protocol, reason) => {
    const { client, call, mock } = await connect({ write: true }, { protocol: protocol });
    const listed = (await client.listTools()).tools.map(({ name }) => name);
    for (const [name, args] of Object.entries(destructive)) {
      expect(listed).not.toContain(name);
      expect(await call(name, args)).toEqual({
        isError: true,
        text: `${name} requires the user's confirmation, but ${reason}. Nothing was changed. Ask the user to do this without you.`,
      });
    }
    expect(mock.requests.all().every(({ method }) => method === 'GET')).toBe(true);
  },
);

test('an approval is valid in every process that uses the same key and isFirstUse function', async () => {
  const used = new Set<string>();
  const confirmations = {
    key: 'a key that both of the processes have',
    isFirstUse: async (id: string) => used.size < used.add(id).size,
  };
  const mock = apollo();
  const handlers = [1, 2].map(() =>
    createMcpHandler({ authToken: bearer, mock, write: true, confirmations }),
  );
  let turn = 0;
  const client = newClient('2026', asking);
  onTestFinished(() => client.close());
  respondWith(client, confirmed);
  const alternate: McpHandler['fetch'] = (request) => (handlers[turn++ % 2] as McpHandler).fetch(request);
  await client.connect(localTransport({ fetch: alternate }));
  expect((await callTool(client, 'tickets_delete', { ticket: 'tkt_radio' })).isError).toBe(false);
  expect(used.size).toBe(1);
});

test('if isFirstUse fails, the tool reports that nothing was changed', async () => {
  const error = new Error('Redis is unavailable');
  const onError = vi.fn();
  const confirmations = {
    key: 'a key that only this test process has',
    isFirstUse: () => Promise.reject(error),
  };
  const { call, mock } = await connectWithUser(confirmed, { confirmations, onError });
  expect(await call('tickets_delete', { ticket: 'tkt_radio' })).toEqual({
    isError: true,
    text: "tickets_delete failed: internal error while confirming the call; see this MCP server's log. Nothing was changed.",
  });
  expect(onError.mock.calls).toEqual([[error]]);
  expect(mock.requests.for('tickets.delete')).toHaveLength(0);
});

test("the user isn't asked about records that don't exist, and a question about a ticket number includes the ticket's title", async () => {
  const { call, questions } = await connectWithUser({ action: 'decline' });
  expect((await call('projects_delete', { project: 'Moon' })).text).toContain('"Moon" is not a project');
  expect(questions).toEqual([]);
  await call('tickets_delete', { ticket: 'APO-2' });
  expect(questions).toEqual(['Delete the ticket "Radio check" (number 2 of the project "Apollo" (APO))?']);
});

test.each([
  [
    'projects_delete',
    { project: 'APO' },
    'Delete the project "Apollo" (APO), including 4 boards and 5 tickets?',
  ],
  [
    'boards_delete',
    { board: 'brd_doing', move_to_board_id: 'brd_todo' },
    'Delete the board "Doing" of the project "Apollo" (APO) and move its tickets to "To do"?',
  ],
  ['documents_delete', { document: 'doc_menu' }, 'Delete the document "Dinner menu" (draft, ID doc_menu)?'],
  [
    'notifications_send',
    { user_ids: ['usr_ada', 'Bob'], title: 'Launch', body: `${'word '.repeat(300)}\nlast`, url: '/app/x' },
    `Send this notification to Ada, Bob?\nTitle: Launch\n> ${'word '.repeat(300)}\n> last\nLink: /app/x`,
  ],
])(
  'the confirmation question for %s contains names and everything that will be sent',
  async (tool, args, question) => {
    const { call, questions } = await connectWithUser({ action: 'decline' });
    await call(tool, args);
    expect(questions).toEqual([question]);
  },
);

test.each([
  ['boards_delete', { board: 'brd_none' }],
  ['tickets_delete', { ticket: 'tkt_none' }],
  ['documents_delete', { document: 'doc_none' }],
  ['notifications_send', { user_ids: ['usr_none'], title: 'T', body: 'B' }],
  ['notifications_send', { user_ids: ['usr_ada'], title: 'T', body: 'x'.repeat(2001) }],
])("%s doesn't ask the user to confirm the invalid arguments %j", async (tool, args) => {
  const { call, questions } = await connectWithUser(confirmed);
  expect((await call(tool, args)).isError).toBe(true);
  expect(questions).toEqual([]);
});
