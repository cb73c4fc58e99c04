// The reference server over HTTP, with so many tickets: what `worktrack mock` runs.
import { listen } from 'worktrack/mock-server/node';
import { apollo } from './world.js';

const server = await listen({ world: apollo(Number(process.argv[2])) });
process.send?.({ url: server.url });
process.on('disconnect', () => process.exit());
