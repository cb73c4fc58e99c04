// Replaces a project's boards with a simpler set and keeps all tickets in the same order. Each old board is
// deleted with one request that also moves its tickets, so no ticket is ever without a board. After a
// failure, you can run the example again.

import { UnprocessableError } from 'worktrack';
import { connect, createProject, deleteProject } from './support/connect.js';

/** The new board for each old one. */
const plan: Record<string, string> = {
  Ideas: 'To do',
  Backlog: 'To do',
  'In progress': 'Doing',
  'In review': 'Doing',
};
const limits: Record<string, number> = { Doing: 2 };

const { client } = await connect();
const project = await createProject(client);
for (const [name, titles] of Object.entries({
  Ideas: ['Moon base'],
  Backlog: ['Heat shield'],
  'In progress': ['Radio', 'Engine'],
  'In review': ['Parachute'],
})) {
  const board = await client.boards.create(project.id, { name });
  for (const title of titles) await client.tickets.create(project.id, { board_id: board.id, title });
}

await migrate(project.id);
for (const { id, name, wip_limit } of await client.boards.list(project.id)) {
  const tickets = await client.tickets.list(project.id, { board_id: id }).toArray({ complete: true });
  console.log(`${name} (limit ${wip_limit ?? 'none'}): ${tickets.map(({ title }) => title).join(', ')}`);
}

await deleteProject(client, project.id);

async function migrate(id: string): Promise<void> {
  const boards = await client.boards.list(id);
  const boardNamed = async (name: string) =>
    boards.find((board) => board.name === name) ?? (await client.boards.create(id, { name }));
  for (const [from, to] of Object.entries(plan)) {
    const target = await boardNamed(to);
    if (!boards.includes(target)) boards.push(target);
    const old = boards.find(({ name }) => name === from);
    // An earlier run may have already deleted the board.
    if (old) await client.boards.delete(old.id, { move_to_board_id: target.id });
  }
  for (const [name, wip_limit] of Object.entries(limits)) {
    const board = await boardNamed(name);
    const { total } = await client.tickets.list(id, { board_id: board.id, per_page: 1 });
    if (total > wip_limit) console.log(`${name} has ${total} tickets, more than its limit of ${wip_limit}.`);
    await client.boards.update(board.id, { wip_limit });
  }
  try {
    const [board] = await client.boards.list(id);
    const full = await boardNamed('Doing');
    const [ticket] = (await client.tickets.list(id, { board_id: board?.id })).data;
    if (ticket) await client.tickets.move(ticket.id, { board_id: full.id });
  } catch (error) {
    if (!(error instanceof UnprocessableError)) throw error;
    console.log(`From now on: ${error.code}.`);
  }
}
