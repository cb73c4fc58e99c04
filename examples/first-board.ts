// Creates a project with two boards and moves a ticket between them.

import { connect, createProject } from './support/connect.js';

const { client } = await connect();

const project = await createProject(client);
const todo = await client.boards.create(project.id, { name: 'To do' });
const doing = await client.boards.create(project.id, { name: 'Doing', wip_limit: 3 });

const ticket = await client.tickets.create(project.id, {
  board_id: todo.id,
  title: 'Launch',
  priority: 'high',
  due_at: new Date('2027-01-01'),
});
console.log(`${project.key}-${ticket.number} “${ticket.title}” is on ${todo.name}.`);

const moved = await client.tickets.move(ticket.id, { board_id: doing.id });
console.log(`It is now on ${doing.name} at position ${moved.position}. Work started at ${moved.started_at}.`);

await client.projects.delete(project.id);
