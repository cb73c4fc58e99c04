// The reference server over HTTP, with 100,000 tickets: what `worktrack mock` runs.
import { listen } from 'worktrack/mock-server/node';
import { apollo } from './world.js';

const server = await listen({ world: apollo(100_000) });
process.send?.(server.url);
process.on('disconnect', () => process.exit());
