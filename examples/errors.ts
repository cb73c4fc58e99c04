// Prints the class, code, and outcome of various errors.

import { Worktrack, WorktrackError } from 'worktrack';
import { connect, createProject } from './support/connect.js';

const { client } = await connect();

await show('A name that is too long', () => client.projects.create({ name: 'x'.repeat(181), key: 'APO' }));
await show('An unknown project', () => client.projects.get('prj_unknown'));
await show('A ticket on an unknown board', async () => {
  const project = await createProject(client);
  try {
    await client.tickets.create(project.id, { board_id: 'brd_unknown', title: 'Launch' });
  } finally {
    await client.projects.delete(project.id);
  }
});
await show('An unknown token', () => client.organization.get({ token: 'wt_wrong' }));
await show('An aborted call', () => client.projects.list({ signal: AbortSignal.abort() }));
await show(
  'A client with an invalid base URL',
  async () => new Worktrack({ baseUrl: 'not a url', token: 'wt' }),
);

async function show(title: string, call: () => Promise<unknown>): Promise<void> {
  try {
    await call();
    console.log(`${title}: no error`);
  } catch (error) {
    if (!(error instanceof WorktrackError)) throw error;
    console.log(`${title}\n  ${error.name} (${error.code}), ${error.outcome}\n  ${error.message}`);
  }
}
