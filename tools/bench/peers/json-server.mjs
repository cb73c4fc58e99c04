// Runs json-server with the given number of tickets in memory.
import { createApp } from 'json-server/lib/app.js';

const [tickets, ticket] = process.argv.slice(2).map((text) => JSON.parse(text));
const data = {
  tickets: Array.from({ length: tickets }, (_, index) => ({
    ...ticket,
    id: `tkt_${index}`,
    title: `Ticket ${index}`,
  })),
};
const server = createApp({ data, write: async () => {} }).listen(
  0,
  () => process.send?.({ url: `http://127.0.0.1:${server.address().port}/tickets?_page=1&_per_page=50` }),
  '127.0.0.1',
);
process.on('disconnect', () => process.exit());
