import { nodeTransport } from 'worktrack/node';
import { use } from './support/listen.js';

// The same tests with the transport over node:http instead of fetch.
use(nodeTransport());
await import('./any-response.test.js');
await import('./sockets.test.js');
