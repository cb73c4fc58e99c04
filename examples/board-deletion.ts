// A board with tickets on it is deleted only if the tickets have somewhere to go.

import { UnprocessableError } from 'worktrack';
import { connect } from './support/connect.js';

const { client } = await connect();
const project = await client.projects.create({ name: 'Apollo', key: 'APO' });
const ideas = await client.boards.create(project.id, { name: 'Ideas' });
const narrow = await client.boards.create(project.id, { name: 'Narrow', wip_limit: 1 });
const wide = await client.boards.create(project.id, { name: 'Wide' });
await client.tickets.create(project.id, { board_id: ideas.id, title: 'Land on the sea' });
await client.tickets.create(project.id, { board_id: ideas.id, title: 'Land on land' });

await attempt('to nowhere', () => client.boards.delete(ideas.id));
await attempt('to a board too narrow', () => client.boards.delete(ideas.id, { move_to_board_id: narrow.id }));
await attempt('to a wide one', () => client.boards.delete(ideas.id, { move_to_board_id: wide.id }));

const rescued = await client.tickets.list(project.id, { board_id: wide.id });
console.log(`On ${wide.name}: ${rescued.data.map(({ title }) => title).join(', ')}.`);

await client.projects.delete(project.id);

async function attempt(where: string, call: () => Promise<void>): Promise<void> {
  try {
    await call();
    console.log(`Tickets ${where}: deleted.`);
  } catch (error) {
    if (!(error instanceof UnprocessableError)) throw error;
    console.log(`Tickets ${where}: ${error.reason}. ${error.message}`);
  }
}
