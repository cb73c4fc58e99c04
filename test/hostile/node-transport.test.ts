import { nodeTransport } from 'worktrack/node';
import { use } from './support/listen.js';

// Whatever holds for the client over fetch holds for it over node:http: the same tests, once more.
use(nodeTransport());
await import('./any-answer.test.js');
await import('./sockets.test.js');
