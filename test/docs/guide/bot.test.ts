import type { Worktrack } from 'worktrack';
import { controlSweeps, memoryBook, watchChanges } from 'worktrack/jobs';
import { expect, test } from 'worktrack/testing/vitest';

/** Asks for a due date when somebody moves a ticket without one. */
async function runBot(client: Worktrack, project: string) {
  const feed = watchChanges({ client, project, book: memoryBook() });
  for await (const change of feed) {
    if (change.type !== 'ticket.moved' || change.after.due_at !== null) continue;
    await client.tickets.comments.create(change.recordId, { body_html: '<p>When will this be done?</p>' });
  }
}

test('the bot asks for a due date when a ticket is moved', async ({ mock, client, clientWith }) => {
  const sweep = controlSweeps(mock, client);
  const project = mock.add.project();
  const [todo, doing] = [mock.add.board({ project: project.id }), mock.add.board({ project: project.id })];
  const ticket = mock.add.ticket({ board: todo.id });

  void runBot(client, project.id);
  await sweep(); // The feed has read the existing records.
  await clientWith().tickets.move(ticket.id, { board_id: doing.id });
  await sweep(); // The bot has handled the change.

  expect(mock).toHaveReceivedTimes('tickets.comments.create', 1, { params: { ticket: ticket.id } });
});
