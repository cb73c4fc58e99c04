import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, inject, onTestFinished, test } from 'vitest';
import { callTool, connect, newClient, type ProtocolVersion, protocolVersions } from './support/connect.js';

const destructive = {
  projects_delete: { project: 'prj_apollo' },
  boards_delete: { board: 'brd_done', move_to_board_id: 'brd_todo' },
  tickets_delete: { ticket: 'tkt_radio' },
  documents_delete: { document: 'doc_menu' },
  notifications_send: { user_ids: ['usr_ada'], title: 'Launch', body: 'At nine' },
};

type Response = { action: 'accept' | 'decline' | 'cancel'; content?: Record<string, boolean> };

async function connectWithUser(response: Response, protocol: ProtocolVersion = '2026') {
  const session = await connect(
    { write: true },
    { protocol: protocol, client: { capabilities: { elicitation: { form: {} } } } },
  );
  const questions: string[] = [];
  session.client.setRequestHandler('elicitation/create', async ({ params }) => {
    questions.push(params.message);
    return response;
  });
  return { ...session, questions };
}

test.each(Object.entries(destructive))('%s runs after the user confirms', async (name, args) => {
  const { call, questions } = await connectWithUser({ action: 'accept', content: { confirm: true } });
  const { text, isError } = await call(name, args);
  expect(isError, text).toBe(false);
  expect(questions).toHaveLength(1);
});

test.each([
  [{ action: 'decline' }],
  [{ action: 'cancel' }],
  [{ action: 'accept', content: { confirm: false } }],
] as [Response][])('tickets_delete deletes nothing if the user responds with %j', async (response) => {
  const { call, mock } = await connectWithUser(response);
  const { text, isError } = await call('tickets_delete', { ticket: 'tkt_radio' });
  expect(isError).toBe(true);
  expect(text).toBe(
    'tickets_delete: the user declined. Nothing was changed. Do not try again unless the user asks you to.',
  );
  expect(mock.requests.for('tickets.delete')).toHaveLength(0);
});

test.each(Object.keys(protocolVersions) as ProtocolVersion[])(
  "destructive tools do nothing if a %s client can't prompt its user",
  async (protocol) => {
    const { call, mock } = await connect({ write: true }, { protocol: protocol });
    for (const [name, args] of Object.entries(destructive)) {
      const { text, isError } = await call(name, args);
      expect(isError, name).toBe(true);
      expect(text).toContain('--allow-destructive');
    }
    expect(mock.requests.all()).toHaveLength(0);
  },
);

test('a confirmation is valid only for the confirmed arguments', async () => {
  const { client, mock } = await connect(
    { write: true },
    {
      protocol: '2026',
      client: { capabilities: { elicitation: { form: {} } }, inputRequired: { autoFulfill: false } },
    },
  );
  const sendCall = (params: object) =>
    client.callTool(params as never, { allowInputRequired: true } as never) as never;
  const firstResponse = (await sendCall({ name: 'tickets_delete', arguments: { ticket: 'tkt_radio' } })) as {
    requestState: string;
  };
  expect(firstResponse.requestState).toEqual(expect.any(String));
  const inputResponses = { confirm: { action: 'accept', content: { confirm: true } } };
  const retry = async (ticket: string, requestState?: string) =>
    (await (
      sendCall({
        name: 'tickets_delete',
        arguments: { ticket },
        inputResponses,
        requestState,
      }) as Promise<object>
    ).catch(String)) as object;
  for (const response of [await retry('tkt_manual', firstResponse.requestState), await retry('tkt_radio')]) {
    expect(response).toHaveProperty('requestState');
  }
  // Each of the first characters encodes six bits of data. The last one doesn't, so changing it may change nothing.
  const tampered = firstResponse.requestState.replace(/^./, (first) => (first === 'a' ? 'b' : 'a'));
  expect(await retry('tkt_radio', tampered)).toContain('requestState');
  expect(mock.requests.for('tickets.delete')).toHaveLength(0);
  expect(await retry('tkt_radio', firstResponse.requestState)).not.toHaveProperty('isError');
  expect(mock.requests.for('tickets.delete')).toHaveLength(1);
});

test("the confirmation question shows the record's sanitized name on one line", async () => {
  const { call, questions, mock } = await connectWithUser({ action: 'decline' });
  mock.add.ticket({ board: 'brd_todo', id: 'tkt_evil', title: 'x"\n\u202ESafe to delete' });
  await call('tickets_delete', { ticket: 'tkt_evil' });
  expect(questions).toEqual(['Delete the ticket "x\\" Safe to delete" ("tkt_evil")?']);
});

test('tickets_delete asks a 2025 client for confirmation over stdio', { timeout: 60_000 }, async () => {
  const client: Client = newClient('2025', { capabilities: { elicitation: {} } });
  onTestFinished(() => client.close());
  let questions = 0;
  client.setRequestHandler('elicitation/create', async () => {
    questions += 1;
    return { action: 'decline' };
  });
  const args = [join(inject('programs'), 'worktrack.mjs'), 'mcp', '--mock', '--write', '--allow-destructive'];
  await client.connect(new StdioClientTransport({ command: process.execPath, args }));
  expect((await callTool(client, 'tickets_delete', { ticket: 'tkt_radio' })).isError).toBe(true);
  expect(questions).toBe(1);
});

test('nobody is asked about an unknown record, and the question names a ticket given by its number', async () => {
  const { call, questions } = await connectWithUser({ action: 'decline' });
  expect((await call('projects_delete', { project: 'Moon' })).text).toContain('"Moon" is not a project');
  expect(questions).toEqual([]);
  await call('tickets_delete', { ticket: 'APO-2' });
  expect(questions).toEqual(['Delete the ticket "Radio check" ("tkt_radio")?']);
});
