// Simulates the day of an agent that works for a small team. Each step is an MCP tool call that runs against
// an in-memory mock server. In a real agent, a model chooses these calls.

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createMcpHandler } from 'worktrack/mcp';
import { createMockServer } from 'worktrack/mock-server';
import { acme } from './support/connect.js';

const authToken = 'a-bearer-token-between-agent-and-server';
const mock = createMockServer({ world: acme, now: '2026-01-05T09:00:00Z' });
const handler = createMcpHandler({ mock, authToken, write: true });

const agent = new Client(
  { name: 'agent', version: '1.0.0' },
  { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: 'auto' } },
);
// Simulates a user who confirms every deletion and notification.
agent.setRequestHandler('elicitation/create', async ({ params }) => {
  console.log(`       ? ${params.message} Yes.`);
  return { action: 'accept', content: { confirm: true } };
});
await agent.connect(
  new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), {
    fetch: (url, init) => handler.fetch(new Request(url, init)),
    requestInit: { headers: { authorization: `Bearer ${authToken}` } },
  }),
);

log('09:00', 'Create a project with four boards, two of them with a WIP limit.');
const project = idIn(
  await call('projects_create', { name: 'Apollo', key: 'APO', description: 'The launch' }),
);
const todo = idIn(await call('boards_create', { project, name: 'To do' }));
const doing = idIn(await call('boards_create', { project, name: 'Doing', wip_limit: 2 }));
const review = idIn(await call('boards_create', { project, name: 'Review', wip_limit: 1 }));
await call('boards_create', { project, name: 'Done', is_done: true });

log('09:10', 'Create the tickets for the launch.');
await call('projects_members_list', { project });
const add = async (title: string, fields: object = {}) =>
  idIn(await call('tickets_create', { project, board_id: todo, title, ...fields }));
const guidance = await add('Guidance program', { priority: 'critical', assignee_ids: ['usr_ada'] });
await add('Heat shield tests', { priority: 'high', assignee_ids: ['usr_grace'] });
const manual = await add('Crew manual', { due_at: '2026-01-04T09:00:00Z' });
const dinner = await add('Launch-day dinner', { priority: 'low' });
const radio = await add('Radio check', { due_at: '2026-01-04T09:00:00Z' });

log('09:30', 'Start two tickets.');
const move = (number: number, board: string, position?: number) =>
  call('tickets_move', { ticket: `APO-${number}`, board_id: board, position });
await move(1, 'Doing');
await move(2, 'Doing');

log('10:15', 'Try to start a third ticket. The tool returns an error:');
console.log(indent(await call('tickets_move', { ticket: radio, board_id: doing }, 'fails')));

log('11:00', 'Move the guidance program to Review, and start the radio check.');
await move(1, 'Review');
await move(5, 'Doing', 0);
await call('tickets_comments_create', {
  ticket: guidance,
  body_html: '<p>Please check the restart logic.</p>',
});

log('13:30', 'Move the dinner to the top of the backlog.');
await call('tickets_reorder', { project, board_id: todo, ticket_ids: [dinner, manual] });
console.log(indent(await call('board_overview', { project: 'APO' })));

log('14:00', 'Finish the guidance program, and write a runbook.');
await move(1, 'Done');
const runbook = idIn(
  await call('documents_create', {
    project_id: project,
    title: 'Launch runbook',
    tag_names: ['launch', 'ops'],
  }),
);
await call('documents_update', { document: runbook, status: 'published' });
await call('documents_comments_create', { document: runbook, body_html: '<p>On the wall.</p>' });
console.log(indent(await call('documents_list', { tags: ['launch', 'ops'] })));

log('15:30', 'Delete the Review board and move its ticket back to Doing.');
await move(2, 'Review');
await call('boards_delete', { board: review, move_to_board_id: doing });
await call('tickets_update', { ticket: radio, priority: 'highest' });
await move(5, 'Done');

log('17:00', 'Notify everyone.');
await call('notifications_send', {
  user_ids: ['usr_ada', 'usr_grace'],
  title: 'Apollo: two down, three to go',
  body: 'Guidance and radio are done.',
  url: '/app/projects/apollo',
});

log('17:30', 'Summarize the week:');
console.log(indent(await call('weekly_summary', { project: 'APO' })));
await call('documents_delete', { document: runbook });
await call('projects_delete', { project });
await agent.close();

async function call(name: string, args: Record<string, unknown>, expected?: 'fails'): Promise<string> {
  const { content, isError = false } = await agent.callTool({ name, arguments: args });
  const text = content[0]?.type === 'text' ? content[0].text : '';
  if (isError !== (expected === 'fails')) throw new Error(`${name}: ${text}`);
  return text;
}

/** Extracts the ID from a tool result. A model would read the ID from the text. */
function idIn(text: string): string {
  const [, id] = /^id: (\S+)$/m.exec(text) ?? [];
  if (!id) throw new Error(`no ID in: ${text}`);
  return id;
}

function log(time: string, text: string): void {
  console.log(`${time}  ${text}`);
}

function indent(text: string): string {
  return text.replace(/^/gm, '       ');
}
