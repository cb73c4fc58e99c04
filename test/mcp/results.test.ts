import { expect, test } from 'vitest';
import type { OperationId } from 'worktrack/contract';
import { connect, failed } from './support/connect.js';

const newTicket = { project: 'prj_apollo', board_id: 'brd_todo', title: 'Splashdown' };

test('a server offers only read-only tools by default, and no tools that control the mock server', async () => {
  const { client } = await connect();
  for (const { name, annotations } of (await client.listTools()).tools) {
    expect(annotations?.readOnlyHint, name).toBe(true);
  }
});

test('the tools option selects tools by name or prefix', async () => {
  const { client } = await connect({ write: true, tools: ['tickets_comments_*', 'boards_list'] });
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['boards_list', 'tickets_comments_create']);
});

// The client retries idempotent operations twice.
test.each([
  ['tickets_create', newTicket, 'Check with tickets_list (q: the title) before you try again.', 1],
  [
    'tickets_move',
    { ticket: 'tkt_radio', board_id: 'brd_doing' },
    'Check with tickets_get before you try again.',
    3,
  ],
  [
    'projects_update',
    { project: 'prj_apollo', name: 'X' },
    'Check with projects_get before you try again.',
    3,
  ],
  ['boards_update', { board: 'brd_doing', name: 'X' }, 'Check with boards_list before you try again.', 3],
  ['boards_create', { project: 'prj_apollo', name: 'X' }, 'Check with boards_list before you try again.', 1],
  [
    'tickets_comments_create',
    { ticket: 'tkt_radio', body_html: 'x' },
    'Ask the user to check before you try again.',
    1,
  ],
])('%s reports an unknown outcome if the response is lost', async (tool, args, advice, requests) => {
  const { call, mock } = await connect({ write: true });
  const operation = tool.replaceAll('_', '.') as OperationId;
  mock.faults.add({ error: 'response_lost', operation });
  const { text, isError } = await call(tool, args);
  expect(isError).toBe(true);
  expect(text).toContain('The change may or may not have been made.');
  expect(text).toContain(advice);
  const sent = mock.requests.all().filter((request) => request.operation === operation);
  expect(sent).toHaveLength(requests);
});

test("an error never suggests a tool that the server doesn't offer", async () => {
  const { call, mock } = await connect({ write: true, tools: ['tickets_create'] });
  mock.faults.add({ error: 'response_lost', operation: 'tickets.create' });
  expect((await call('tickets_create', newTicket)).text).toContain(
    'Ask the user to check before you try again.',
  );
});

test("a tool reports that a write succeeded even if the response can't be read", async () => {
  const { call, mock } = await connect({ write: true });
  mock.faults.add({ error: 'malformed', operation: 'tickets.create' });
  expect((await call('tickets_create', newTicket)).text).toContain('The change WAS made');
});

test.each([
  [{ status: 401 }, 'The API token is missing or invalid'],
  [{ status: 403 }, 'may lack the tickets:read scope'],
  [{ status: 429, retryAfter: 1000 }, 'Wait 1000 seconds before the next call.'],
])('a tool explains the error response %j', async (fault, explanation) => {
  const { call, mock } = await connect();
  mock.faults.add(fault);
  const result = await call('tickets_get', { ticket: 'tkt_radio' });
  expect(result).toEqual(failed(explanation));
  expect(result.text).not.toContain('wt_example');
});

test('a tool reports all invalid arguments in one error, without sending a request', async () => {
  const { call, mock } = await connect({ write: true });
  const { text } = await call('tickets_create', { ...newTicket, priority: 'urgent', due_at: 'tomorrow' });
  expect(text).toMatch(/^tickets_create: nothing was sent: priority must be one of: .*; due_at must be/);
  expect((await call('tickets_create', { project: 'prj_apollo', title: 'Splashdown' })).text).toBe(
    'tickets_create: nothing was sent: board_id or board_slug is required, but not both',
  );
  expect((await call('tickets_get', {})).text).toBe('tickets_get: missing argument: ticket');
  expect((await call('tickets_list', { project: 'prj_apollo', fields: ['titel'] })).text).toContain(
    'fields: unknown field "titel"; did you mean "title"?',
  );
  expect((await call('boards_list', { project: 'prj_apollo', per_page: 500 })).text).toContain(
    'from 1 to 200',
  );
  expect(mock.requests.all()).toHaveLength(0);
});

test('every list tool supports the `fields`, `page`, and `per_page` arguments', async () => {
  const { call } = await connect();
  const { text } = await call('boards_list', {
    project: 'prj_apollo',
    fields: ['slug', 'position'],
    per_page: 2,
    page: 2,
  });
  expect(text).toContain('boards 3-4 of 4');
  expect(text).toContain('id | slug | position\n');
  expect((await call('boards_list', { project: 'prj_apollo', page: 9 })).text).toContain('past the end');
});

test('after a call to mock_seed, tools use the new credential', async () => {
  const { call, mock } = await connect({ mockTools: true });
  const world = { organizations: [{ name: 'Other', projects: [{ name: 'Gemini', key: 'GEM' }] }] };
  expect((await call('mock_seed', { world })).text).toBe(
    'mock_seed: done. 1 project, 0 boards, 0 tickets, 0 documents.',
  );
  expect((await call('projects_list')).text).toContain('GEM | Gemini');
  expect((await call('mock_seed', { world: { organisations: [] } })).isError).toBe(true);
  expect(mock.state.projects.all()).toHaveLength(1);
});

test('mock_seed rejects a world without organizations, because no credential would be left for later calls', async () => {
  const { call } = await connect({ mockTools: true });
  expect(await call('mock_seed', { world: { organizations: [] } })).toEqual({
    text: 'mock_seed: world must have at least one organization',
    isError: true,
  });
  expect((await call('projects_list')).text).toContain('Apollo');
});

test.each([
  [{}, 'pass status, error, or latency_ms'],
  [{ times: 1 }, 'pass status, error, or latency_ms'],
  [{ error: 'connection', retry_after: 3 }, 'retry_after requires status'],
  [{ error: 'slow' }, 'error must be one of connection, response_lost, truncated, malformed (got "slow")'],
  [{ status: 503, error: 'connection' }, 'faults: options "status" and "error" are mutually exclusive'],
])(
  "mock_fault rejects %j with an error that uses the names of the tool's arguments",
  async (args, problem) => {
    const { call, mock } = await connect({ mockTools: true });
    expect(await call('mock_fault', args)).toEqual({ text: `mock_fault: ${problem}`, isError: true });
    expect(mock.faults.list()).toEqual([]);
  },
);

test("concurrent calls from different sessions don't affect each other", async () => {
  const [one, other] = [await connect(), await connect({}, { protocol: '2026' })];
  const calls = Array.from({ length: 10 }, (_, index) =>
    (index % 2 ? one : other).call('tickets_get', {
      ticket: index % 3 ? 'tkt_radio' : 'tkt_manual',
      fields: ['title'],
    }),
  );
  for (const [index, { text }] of (await Promise.all(calls)).entries()) {
    expect(text).toContain(index % 3 ? 'title: Radio check' : 'title: Crew manual');
  }
});
