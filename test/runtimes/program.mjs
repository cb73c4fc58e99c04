import { RequestAbortedError, UnprocessableError, Worktrack } from 'worktrack';
import { createMockServer } from 'worktrack/mock-server';

/**
 * Makes the same calls to an in-process mock server and to an HTTP mock server.
 *
 * @param {{ baseUrl: string, token: string, organization: string }} served client options for connecting to
 * the server over HTTP
 * @throws Error if a result differs from the expected one
 */
export async function main(served) {
  const mock = createMockServer();
  await play(new Worktrack({ ...mock.clientOptions(), fetch: mock.fetch }));
  await play(new Worktrack(served));
}

async function play(client) {
  const project = await client.projects.create({ name: 'Apollo', key: 'APO' });
  const todo = await client.boards.create(project.id, { name: 'To do' });
  const doing = await client.boards.create(project.id, { name: 'Doing', wip_limit: 1 });
  const due_at = new Date('2027-01-01');
  for (const title of ['Launch', 'Orbit', 'Land']) {
    await client.tickets.create(project.id, { board_id: todo.id, title, due_at });
  }
  const [first, second] = await client.tickets.list(project.id, { per_page: 2 }).toArray({ limit: 9 });
  await client.tickets.move(first.id, { board_id: doing.id });

  const rejection = await client.tickets.move(second.id, { board_id: doing.id }).catch((error) => error);
  expect('a rejection', rejection instanceof UnprocessableError && rejection.code, 'wip_limit_reached');

  const titles = [];
  for await (const { title } of client.tickets.list(project.id, { per_page: 1 })) titles.push(title);
  expect('three pages', titles.sort().join(), 'Land,Launch,Orbit');

  const aborted = await client.projects.list({ signal: AbortSignal.abort() }).catch((error) => error);
  expect('an abort', aborted instanceof RequestAbortedError, true);

  await client.projects.delete(project.id);
  const notFound = await client.projects.get(project.id).catch((error) => error);
  expect('a deleted project', notFound.status, 404);
}

function expect(what, actual, expected) {
  if (actual !== expected) throw new Error(`${what}: ${String(actual)} instead of ${String(expected)}`);
}
