import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { controlSweeps, memoryBook } from 'worktrack/jobs';
import { expect, test } from 'worktrack/testing/vitest';
import { listenOnLoopback } from '../support/loopback.js';
import { postToChat } from './guide/post-to-chat.js';
import { triggerCi } from './guide/trigger-ci.js';

/** Starts a server that receives JSON and responds first with the given statuses and then always with 200. */
async function startReceiver(...statuses: number[]) {
  const received: { path: string | undefined; body: unknown }[] = [];
  const server = createServer(async (request, response) => {
    received.push({ path: request.url, body: await json(request) });
    response.writeHead(statuses.shift() ?? 200).end();
  });
  return { received, url: `http://127.0.0.1:${await listenOnLoopback(server)}` };
}

test('the recipe "Post to chat" posts each new ticket even if the chat service is temporarily unavailable', async ({
  mock,
  client,
}) => {
  const sweep = controlSweeps(mock, client);
  const { received, url } = await startReceiver(503);
  const board = mock.add.board({ project: mock.add.project().id });
  const book = memoryBook();
  const run = () => postToChat(client, board.project_id, book, url);
  const first = run();
  const rejected = expect(first).rejects.toThrow('the chat responded with 503');
  await sweep();
  for (const title of ['One', 'Two']) mock.add.ticket({ board: board.id, title, priority: 'high' });
  await sweep();
  await rejected;
  void run();
  await sweep();
  expect(received.map(({ body }) => body)).toEqual(
    ['One', 'One', 'Two'].map((title) => ({ text: `New ticket: ${title} (high)` })),
  );
});

test('the recipe "Trigger CI" starts a workflow only for tickets that are moved to the board', async ({
  mock,
  client,
}) => {
  const sweep = controlSweeps(mock, client);
  const { received, url } = await startReceiver();
  const project = mock.add.project().id;
  const [todo, ready] = ['To do', 'Ready for release'].map((name) => mock.add.board({ project, name }).id);
  const ticket = mock.add.ticket({ board: todo as string });
  const other = mock.add.ticket({ board: ready as string });
  void triggerCi(client, project, memoryBook(), url);
  await sweep();
  await client.tickets.move(ticket.id, { board_id: ready as string });
  await client.tickets.move(other.id, { board_id: todo as string });
  await sweep();
  expect(received).toEqual([
    {
      path: '/dispatches',
      body: { event_type: 'release', client_payload: { ticket: ticket.number, change: expect.any(String) } },
    },
  ]);
});
