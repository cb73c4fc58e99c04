// Starts an HTTP mock server with the given number of tickets, as `worktrack mock` does.
import { listen } from 'worktrack/mock-server/node';
import { apollo } from './world.js';

const server = await listen({ world: apollo(Number(process.argv[2])) });
process.send?.({ url: server.url });
process.on('disconnect', () => process.exit());
