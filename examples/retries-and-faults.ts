// Simulates server errors. The client retries only requests that are safe to retry.

import { ConnectionError, ServerError, Worktrack } from 'worktrack';
import { createMockServer } from 'worktrack/mock-server';

const mock = createMockServer();
const client = new Worktrack({ ...mock.clientOptions(), fetch: mock.fetch });

mock.faults.add({ operation: 'projects.list', status: 503, retryAfter: 0, times: 2 });
const projects = await client.projects.list();
console.log(`projects.list: ${projects.length} projects, after ${mock.requests.length} requests.`);

mock.faults.add({ operation: 'projects.create', status: 503, times: 1 });
try {
  await client.projects.create({ name: 'Apollo', key: 'APO' });
} catch (error) {
  if (!(error instanceof ServerError)) throw error;
  console.log(`projects.create: ${error.status} after ${error.attempts} attempt, outcome ${error.outcome}.`);
}

// The outcome is unknown, so check whether the project exists before you create it again.
console.log(`Projects on the server: ${(await client.projects.list()).length}.`);

mock.faults.add({ operation: 'projects.create', error: 'response_lost', times: 1 });
try {
  await client.projects.create({ name: 'Apollo', key: 'APO' });
} catch (error) {
  if (!(error instanceof ConnectionError)) throw error;
  console.log(`projects.create: ${error.name}, outcome ${error.outcome}.`);
}
console.log(`Projects on the server: ${(await client.projects.list()).length}.`);
