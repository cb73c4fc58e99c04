// Explores two jobs that create a ticket for each order. The first job retries after any error. The second job
// searches for the ticket before it creates one.

import type { Worktrack } from 'worktrack';
import { converges, exploreFaults, noDuplicates } from 'worktrack/explore';
import { createMockServer } from 'worktrack/mock-server';

const orders = ['Order 1', 'Order 2', 'Order 3'];
const mock = createMockServer();
const project = mock.add.project().id;
const board = mock.add.board({ project, name: 'Orders' }).id;

async function naiveJob(client: Worktrack): Promise<void> {
  for (const title of orders) {
    const create = () => client.tickets.create(project, { board_id: board, title });
    await create().catch(create).catch(create);
  }
}

async function carefulJob(client: Worktrack): Promise<void> {
  for (const title of orders) {
    const body = { board_id: board, title };
    await client.tickets.findOrCreate(project, body, { q: title, match: (ticket) => ticket.title === title });
  }
}

console.log('The job that retries after any error:');
const naive = await exploreFaults(mock, ({ client }) => naiveJob(client), { check: noDuplicates() });
console.log(String(naive));

console.log('\nThe job that searches first:');
const check = [noDuplicates(), converges()];
const careful = await exploreFaults(mock, ({ client }) => carefulJob(client), { check });
console.log(String(careful));
