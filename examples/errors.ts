// Every error has a class, a code and an outcome: what became of the request.

import { isWorktrackError, Worktrack } from 'worktrack';
import { connect } from './support/connect.js';

const { client } = await connect();

await show('A title that is too long never leaves', () =>
  client.projects.create({ name: 'x'.repeat(181), key: 'APO' }),
);
await show('A project that does not exist', () => client.projects.get('prj_unknown'));
await show('A ticket on a board that does not exist', async () => {
  const project = await client.projects.create({ name: 'Apollo', key: 'APO' });
  try {
    await client.tickets.create(project.id, { board_id: 'brd_unknown', title: 'Launch' });
  } finally {
    await client.projects.delete(project.id);
  }
});
await show('A token that nobody issued', () => client.organization.get({ token: 'wt_wrong' }));
await show('A caller who changed his mind', () => client.projects.list({ signal: AbortSignal.abort() }));
await show('A client that cannot work', async () => new Worktrack({ baseUrl: 'not a url', token: 'wt' }));

async function show(title: string, call: () => Promise<unknown>): Promise<void> {
  try {
    await call();
    console.log(`${title}: nothing went wrong`);
  } catch (error) {
    if (!isWorktrackError(error)) throw error;
    console.log(`${title}\n  ${error.name} (${error.code}), ${error.outcome}\n  ${error.message}`);
  }
}
