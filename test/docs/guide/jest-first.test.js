const { expect, test } = require('@jest/globals');
const { Worktrack } = require('worktrack');
const { createMockServer } = require('worktrack/mock-server');
const { matchers } = require('worktrack/testing');

expect.extend(matchers);

test('a new ticket is added at the end of its board', async () => {
  const mock = createMockServer();
  const client = new Worktrack({ ...mock.clientOptions(), fetch: mock.fetch });
  const project = await client.projects.create({ name: 'Apollo', key: 'APO' });
  const board = await client.boards.create(project.id, { name: 'To do' });

  await client.tickets.create(project.id, { board_id: board.id, title: 'Fuel' });
  const ticket = await client.tickets.create(project.id, { board_id: board.id, title: 'Doors' });

  expect(ticket).toMatchObject({ number: 2, position: 1, priority: 'normal' });
  expect(mock).toHaveReceivedTimes('tickets.create', 2);
});
