// The server has a bad day on purpose; the client repeats what is safe to repeat, and only that.

import { ServerError, Worktrack } from 'worktrack';
import { createMockServer } from 'worktrack/mock-server';

const mock = createMockServer();
let badAnswers = 0;
let requests = 0;
const client = new Worktrack({
  ...mock.clientOptions(),
  fetch: async (input, init) => {
    requests += 1;
    if (badAnswers === 0) return mock.fetch(input, init);
    badAnswers -= 1;
    return new Response('Out for lunch', { status: 503, headers: { 'retry-after': '0' } });
  },
});

badAnswers = 2;
const projects = await client.projects.list();
console.log(`projects.list: ${projects.length} projects, after ${requests} requests.`);

badAnswers = 1;
try {
  await client.projects.create({ name: 'Apollo', key: 'APO' });
} catch (error) {
  if (!(error instanceof ServerError)) throw error;
  console.log(`projects.create: ${error.status} after ${error.attempts} attempt, outcome ${error.outcome}.`);
}

// The outcome is unknown, so look before sending it again.
if ((await client.projects.list()).length === 0) {
  const project = await client.projects.create({ name: 'Apollo', key: 'APO' });
  console.log(`It was not there; now it is: ${project.name}.`);
}
