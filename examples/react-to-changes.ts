// Reacts to changes without webhooks: comments on tickets that are moved to Done, and notifies the project's
// members about critical tickets. The program ignores the changes that it made itself, so it can't trigger
// itself.

import { type Ticket, Worktrack } from 'worktrack';
import { type Change, memoryBook, readChanges } from 'worktrack/jobs';
import { createMockServer } from 'worktrack/mock-server';

const mock = createMockServer();
const options = { ...mock.clientOptions(), fetch: mock.fetch };
const bot = new Worktrack(options);
const colleague = new Worktrack(options);

const project = await bot.projects.create({ name: 'Apollo', key: 'APO' });
mock.add.user({ name: 'Ada', role: 'owner' });
const todo = await bot.boards.create(project.id, { name: 'To do' });
const done = await bot.boards.create(project.id, { name: 'Done', is_done: true });
const radio = await bot.tickets.create(project.id, { board_id: todo.id, title: 'Radio' });
const engine = await bot.tickets.create(project.id, { board_id: todo.id, title: 'Engine' });

const feed = {
  client: bot,
  project: project.id,
  include: ['ticket'],
  // With `sqliteBook(path)`, a restarted program picks up where it left off.
  book: memoryBook(),
} as const;
/** When the bot last wrote to each ticket. */
const ownWrites = new Map<string, string>();
await react(); // the first run only records the current state

await colleague.tickets.move(radio.id, { board_id: done.id });
await colleague.tickets.update(engine.id, { priority: 'critical' });
await react();
const written = await bot.tickets.update(radio.id, { title: 'Radio check' });
ownWrites.set(written.id, written.updated_at);
await react(); // ignores its own change

/** Run this once a minute, or use `watchChanges`, which waits between its reads. */
async function react(): Promise<void> {
  const { changes, commit } = await readChanges(feed);
  console.log(`${changes.filter((change) => !isOwn(change)).length} changes`);
  for (const change of changes) {
    if (!isOwn(change)) await handle(change);
    // If the program stops before this line, it handles this change again the next time it runs.
    await commit(change);
  }
}

/** Whether the bot's own update is the last one. */
function isOwn({ recordId, after }: Change): boolean {
  const written = ownWrites.get(recordId);
  return written !== undefined && (after as Ticket | null)?.updated_at === written;
}

async function handle(change: Change): Promise<void> {
  if (change.type === 'ticket.moved' && change.after.board_id === done.id) {
    await bot.tickets.comments.create(change.recordId, { body_html: '<p>Well done!</p>' });
    console.log(`${change.after.title} is done.`);
  } else if (change.type === 'ticket.updated' && change.after.priority === 'critical') {
    const members = await bot.projects.members.list(project.id);
    const { title } = change.after;
    await bot.notifications.send({
      user_ids: members.map(({ id }) => id),
      title: `${title} is critical`,
      body: 'Please have a look.',
    });
    console.log(`Notified ${members.map(({ name }) => name).join(', ')} of ${title}.`);
  }
}
