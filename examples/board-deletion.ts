// Deletes a board and moves its tickets to a board with enough room.

import { UnprocessableError } from 'worktrack';
import { connect, createProject } from './support/connect.js';

const { client } = await connect();
const project = await createProject(client);
const ideas = await client.boards.create(project.id, { name: 'Ideas' });
const limited = await client.boards.create(project.id, { name: 'Limited', wip_limit: 1 });
const unlimited = await client.boards.create(project.id, { name: 'Unlimited' });
await client.tickets.create(project.id, { board_id: ideas.id, title: 'Land on the sea' });
await client.tickets.create(project.id, { board_id: ideas.id, title: 'Land on land' });

await attempt('without a target board', () => client.boards.delete(ideas.id));
await attempt('with a full target board', () =>
  client.boards.delete(ideas.id, { move_to_board_id: limited.id }),
);
await attempt('with an unlimited target board', () =>
  client.boards.delete(ideas.id, { move_to_board_id: unlimited.id }),
);

const moved = await client.tickets.list(project.id, { board_id: unlimited.id });
console.log(`${unlimited.name} now has: ${moved.data.map(({ title }) => title).join(', ')}.`);

await client.projects.delete(project.id);

async function attempt(target: string, call: () => Promise<void>): Promise<void> {
  try {
    await call();
    console.log(`Delete ${target}: succeeded.`);
  } catch (error) {
    if (!(error instanceof UnprocessableError)) throw error;
    console.log(`Delete ${target}: ${error.code}. ${error.message}`);
  }
}
