const { test } = require('@jest/globals');
const { expect, withFixtures } = require('worktrack/testing/jest');

test(
  'a new ticket is added at the end of its board',
  withFixtures(async ({ mock, client }) => {
    const project = await client.projects.create({ name: 'Apollo', key: 'APO' });
    const board = await client.boards.create(project.id, { name: 'To do' });

    await client.tickets.create(project.id, { board_id: board.id, title: 'Fuel' });
    const ticket = await client.tickets.create(project.id, { board_id: board.id, title: 'Doors' });

    expect(ticket).toMatchObject({ number: 2, position: 1, priority: 'normal' });
    expect(mock).toHaveReceivedTimes('tickets.create', 2);
  }),
);
