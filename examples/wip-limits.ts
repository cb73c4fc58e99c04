// Moves two tickets to a board with a WIP limit of 1. The server rejects the second move.

import { UnprocessableError } from 'worktrack';
import { connect, createProject } from './support/connect.js';

const { client } = await connect();
const project = await createProject(client);
const todo = await client.boards.create(project.id, { name: 'To do' });
const doing = await client.boards.create(project.id, { name: 'Doing', wip_limit: 1 });

for (const title of ['Guidance', 'Radio']) {
  const ticket = await client.tickets.create(project.id, { board_id: todo.id, title });
  try {
    await client.tickets.move(ticket.id, { board_id: doing.id });
    console.log(`${title} is in progress.`);
  } catch (error) {
    if (!(error instanceof UnprocessableError) || error.code !== 'wip_limit_reached') throw error;
    console.log(`${title} has to wait: ${error.message}`);
  }
}

await client.boards.update(doing.id, { wip_limit: null });
const [waiting] = (await client.tickets.list(project.id, { board_id: todo.id })).data;
if (waiting) {
  await client.tickets.move(waiting.id, { board_id: doing.id, position: 0 });
  console.log(`After the limit was removed, ${waiting.title} is first on ${doing.name}.`);
}

await client.projects.delete(project.id);
