import { nodeTransport } from 'worktrack/node';
import { use } from './support/listen.js';

// The same tests as over fetch, over node:http.
use(nodeTransport());
await import('./any-response.test.js');
await import('./sockets.test.js');
