import { expect, test } from 'vitest';
import { Worktrack } from 'worktrack';
import { createMockServer } from 'worktrack/mock-server';

test('a full board rejects a ticket, and both boards stay unchanged', async () => {
  const mock = createMockServer();
  const client = new Worktrack({ ...mock.clientOptions(), fetch: mock.fetch });
  const project = await client.projects.create({ name: 'Apollo', key: 'APO' });
  const todo = await client.boards.create(project.id, { name: 'To do' });
  const doing = await client.boards.create(project.id, { name: 'Doing', wip_limit: 1 });
  await client.tickets.create(project.id, { board_id: doing.id, title: 'Guidance' });
  const radio = await client.tickets.create(project.id, { board_id: todo.id, title: 'Radio' });

  const move = client.tickets.move(radio.id, { board_id: doing.id });

  await expect(move).rejects.toMatchObject({ name: 'UnprocessableError', code: 'wip_limit_reached' });
  expect(await client.tickets.get(radio.id)).toEqual(radio);
});
