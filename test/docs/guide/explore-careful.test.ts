import { converges, exploreFaults, noDuplicates, type Workflow } from 'worktrack/explore';
import { createMockServer } from 'worktrack/mock-server';
import { expect, test } from 'worktrack/testing/vitest';

const orders = ['Order 1', 'Order 2', 'Order 3'];

test('imports each order exactly once', async () => {
  const mock = createMockServer();
  const project = mock.add.project().id;
  const board = mock.add.board({ project, name: 'Orders' }).id;

  const importOrders: Workflow = async ({ client }) => {
    for (const title of orders) {
      const body = { board_id: board, title };
      await client.tickets.findOrCreate(project, body, {
        q: title,
        match: (ticket) => ticket.title === title,
      });
    }
  };
  const report = await exploreFaults(mock, importOrders, { check: [noDuplicates(), converges()] });

  expect(report).toSurvive();
});
