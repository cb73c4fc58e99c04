// Gets a project's analytics: how many tickets are done, open, or overdue, and how many are on each board.

import { connect, createProject } from './support/connect.js';
import { drawProgress } from './support/draw-board.js';

const { client } = await connect();
const project = await createProject(client);
const todo = await client.boards.create(project.id, { name: 'To do' });
const done = await client.boards.create(project.id, { name: 'Done', is_done: true });

const yesterday = new Date(Date.now() - 86_400_000);
await client.tickets.create(project.id, { board_id: todo.id, title: 'Fuel' });
await client.tickets.create(project.id, { board_id: todo.id, title: 'Doors', due_at: yesterday });
await client.tickets.create(project.id, { board_id: done.id, title: 'Crew', due_at: yesterday });

const analytics = await client.projects.analytics.get(project.id);
console.log(drawProgress(analytics.completion_percentage));
console.log(
  `${analytics.total} tickets: ${analytics.done} done, ${analytics.open} open, ${analytics.overdue} overdue.`,
);
for (const { board_name, count } of analytics.by_board) {
  console.log(`${board_name.padEnd(6)} ${'■'.repeat(count)} ${count}`);
}

await client.projects.delete(project.id);
