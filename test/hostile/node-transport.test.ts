import { nodeTransport } from 'worktrack/node';
import { use } from './support/listen.js';

// Run the tests in these files with nodeTransport() instead of fetch.
use(nodeTransport());
await import('./any-response.test.js');
await import('./sockets.test.js');
