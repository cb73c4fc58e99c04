import { createMockServer } from 'worktrack/mock-server';
import { exploreFaults, noDuplicates, type Workflow } from 'worktrack/testing';
import { expect, test } from 'worktrack/testing/vitest';

const orders = ['Order 1', 'Order 2', 'Order 3'];

test('shows what a job that retries after any error does', async () => {
  const mock = createMockServer();
  const project = mock.add.project().id;
  const board = mock.add.board({ project, name: 'Orders' }).id;

  const importOrders: Workflow = async ({ client }) => {
    for (const title of orders) {
      const create = () => client.tickets.create(project, { board_id: board, title });
      await create().catch(create).catch(create);
    }
  };
  const report = await exploreFaults(mock, importOrders, {
    check: noDuplicates(),
  });

  expect(report).toMatchObject({ runs: 40, survived: false });
  expect(String(report)).toMatchInlineSnapshot(`
    "The workflow survived 26 of 40 runs.

      tickets.create 1  response_lost, truncated, malformed, crash_after
                        → noDuplicates: duplicate ticket "Order 1"
      tickets.create 2  response_lost, truncated, malformed
                        → noDuplicates: duplicate ticket "Order 2"
      tickets.create 2  crash_before, crash_after
                        → noDuplicates: duplicate ticket "Order 1"
      tickets.create 3  response_lost, truncated, malformed
                        → noDuplicates: duplicate ticket "Order 3"
      tickets.create 3  crash_before, crash_after
                        → noDuplicates: duplicate ticket "Order 1"

    response_lost:tickets.create:1
      noDuplicates: duplicate ticket "Order 1"
      difference from the run without failures:
      + ticket "Order 1"
      requests: tickets.create ×4
      to reproduce:
        mock.faults.add({ operation: 'tickets.create', after: 0, times: 1, error: 'response_lost' });

    response_lost:tickets.create:2
      noDuplicates: duplicate ticket "Order 2"
      difference from the run without failures:
      + ticket "Order 2"
      requests: tickets.create ×4
      to reproduce:
        mock.faults.add({ operation: 'tickets.create', after: 1, times: 1, error: 'response_lost' });

    crash_before:tickets.create:2
      noDuplicates: duplicate ticket "Order 1"
      difference from the run without failures:
      + ticket "Order 1"
      requests: tickets.create ×5
      to reproduce:
        await exploreFaults(mock, workflow, { check, replay: 'crash_before:tickets.create:2' });"
  `);
});
