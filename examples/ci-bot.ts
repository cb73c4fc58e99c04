// Opens a ticket when a build fails, comments on it if the build keeps failing, and moves it to Done when the
// build passes again. A key identifies the ticket, so neither a lost response nor a second run creates
// another ticket.

import { connect, createProject, deleteProject } from './support/connect.js';

interface Build {
  branch: string;
  number: number;
  passed: boolean;
}

const { client } = await connect();
const project = await createProject(client);
const todo = await client.boards.create(project.id, { name: 'To do' });
const done = await client.boards.create(project.id, { name: 'Done', is_done: true });

for (const build of [
  { branch: 'feature/login', number: 1, passed: false },
  { branch: 'feature/login', number: 2, passed: false },
  { branch: 'feature/login', number: 3, passed: true },
  { branch: 'feature/login', number: 4, passed: true },
]) {
  console.log(`Build ${build.number}: ${await report(build)}`);
}

await deleteProject(client, project.id);

async function report(build: Build): Promise<string> {
  return build.passed ? close(build) : open(build);
}

async function open({ branch, number }: Build): Promise<string> {
  const ticket = await client.tickets.findOrCreate(
    project.id,
    {
      board_id: todo.id,
      title: `The build of ${branch} fails`,
      description_html: `<p>First failed build: ${number}.</p>`,
      priority: 'high',
    },
    { key: `build-${branch}` },
  );
  if (ticket.description_html?.includes(`First failed build: ${number}.`)) return `opened #${ticket.number}`;
  // If the response is lost, the comment isn't retried, because it could then appear twice.
  await client.tickets.comments.create(ticket.id, { body_html: `<p>Build ${number} fails, too.</p>` });
  return `commented on #${ticket.number}`;
}

async function close({ branch, number }: Build): Promise<string> {
  const ticket = await client.tickets.findByKey(project.id, `build-${branch}`);
  if (!ticket) return 'nothing to close';
  await client.tickets.move(ticket.id, { board_id: done.id });
  // Replacing the description removes the key, so the next failure opens a new ticket.
  await client.tickets.update(ticket.id, { description_html: `<p>Fixed by build ${number}.</p>` });
  return `closed #${ticket.number}`;
}
