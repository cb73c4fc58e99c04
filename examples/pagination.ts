// Gets one page of a list, iterates over all items and pages, and collects the first few items in an array.

import { connect, createProject } from './support/connect.js';

const { client } = await connect();
const project = await createProject(client);
const board = await client.boards.create(project.id, { name: 'To do' });
for (let number = 1; number <= 7; number++) {
  await client.tickets.create(project.id, { board_id: board.id, title: `Step ${number}` });
}

const first = await client.tickets.list(project.id, { per_page: 3 });
console.log(`Page ${first.current_page} of ${first.last_page}, ${first.total} tickets in total.`);

const second = await first.next();
console.log(`The next page starts with ${second?.data[0]?.title}.`);

const titles: string[] = [];
for await (const ticket of client.tickets.list(project.id, { per_page: 3 })) titles.push(ticket.title);
console.log(`Item by item: ${titles.join(', ')}.`);

for await (const page of client.tickets.list(project.id, { per_page: 3 }).pages()) {
  console.log(`Page ${page.current_page} has ${page.data.length} tickets.`);
}

const firstFive = await client.tickets.list(project.id, { per_page: 3 }).toArray({ limit: 5 });
console.log(`The array has ${firstFive.length} tickets.`);

await client.projects.delete(project.id);
