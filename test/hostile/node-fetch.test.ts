import { nodeFetch } from 'worktrack/node';
import { use } from './support/listen.js';

// Run the tests in these files with nodeFetch() instead of fetch.
use(nodeFetch());
await import('./any-response.test.js');
await import('./sockets.test.js');
