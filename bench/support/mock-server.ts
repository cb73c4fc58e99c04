// Starts an HTTP mock server, like `worktrack mock`, with the given number of tickets.
import { listen } from 'worktrack/mock-server/node';
import { apollo } from './world.js';

const server = await listen({ world: apollo(Number(process.argv[2])) });
process.send?.({ url: server.url });
process.on('disconnect', () => process.exit());
