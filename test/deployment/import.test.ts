import { describe, expect, it } from 'vitest';
import { lost, setUpImport } from './support/set-up.js';

describe('an import with a file ledger', () => {
  it.each(['position', 'created', 'updated'] as const)(
    'creates no second record if a colleague moves it to another board, with lists by %s',
    async (order) => {
      const { deployment, records, project, board, run } = await setUpImport({ order });
      const done = records.addBoard(project, { name: 'Done' }).id;
      for (let index = 0; index < 450; index++)
        deployment.addTicketByHand(project, { board_id: board, title: `Deploy the service ${index}` });
      deployment.intercept = async ({ operation }) => {
        if (operation === 'tickets.create' && deployment.requests('tickets.create') === 1) return lost;
        const [ticket] = records.onBoard(board).filter(({ creator }) => creator?.type === 'api_credential');
        if (ticket && operation === 'tickets.list') records.moveTicket(ticket.id, done);
        return undefined;
      };
      const { outcome } = await run([{ id: 'r1', title: 'Deploy the service' }]);
      expect(outcome).toMatchObject({ lost: 0, duplicates: 0 });
    },
  );
});
