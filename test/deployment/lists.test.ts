import { describe, expect, it } from 'vitest';
import { bulk, NotFoundError } from 'worktrack';
import { isLong } from '../properties/runs.js';
import { credential, type Ticket } from './support/records.js';
import { generator } from './support/rows.js';
import { lost, setUp } from './support/set-up.js';

const size = isLong ? { tickets: 5000, reads: 60 } : { tickets: 300, reads: 3 };

/**
 * Starts a deployment with tickets on two boards. Before each page of a list is read, colleagues make
 * `changes` changes to tickets.
 */
async function setUpChangingList(options: Parameters<typeof setUp>[0], seed: number, changes: number) {
  const setting = await setUp(options);
  const { deployment, records, project, board } = setting;
  const done = records.addBoard(project, 'Done').id;
  const title = (index: number) => `${index % 3 === 0 ? 'Spam' : 'Bug'} ${index}`;
  for (let index = 0; index < size.tickets; index++)
    records.addTicket(project, { board_id: index % 4 ? board : done, title: title(index) }, credential);
  const random = generator(seed);
  const pick = (tickets: Ticket[]) => tickets[Math.floor(random() * tickets.length)]?.id ?? '';

  const change = [
    () => records.moveTicket(pick(records.onBoard(board)), board, Math.floor(random() * 1000)),
    () => records.moveTicket(pick(records.onBoard(board)), done, Math.floor(random() * 1000)),
    () => records.moveTicket(pick(records.onBoard(done)), board, Math.floor(random() * 1000)),
    () => records.updateTicket(pick(records.onBoard(board)), { priority: 'high' }),
    () => records.deleteTicket(pick(records.onBoard(board))),
    // If many tickets are created within the second in which a read starts, the read continues for the rest
    // of that second.
    () => random() < 0.2 && deployment.addTicketByHand(project, { board_id: board, title: 'Another idea' }),
  ];
  const startChanging = () => {
    deployment.intercept = async ({ operation }) => {
      if (operation === 'tickets.list')
        for (let index = 0; index < changes; index++) change[Math.floor(random() * change.length)]?.();
      return undefined;
    };
  };
  return { ...setting, startChanging };
}

describe('a list that changes while the client reads it', () => {
  it.each(['position', 'created', 'updated'] as const)(
    "is read completely if it's sorted by %s",
    async (order) => {
      const { records, client, project, startChanging } = await setUpChangingList({ order }, 11, 1);
      startChanging();
      let missed = 0;
      for (let read = 0; read < size.reads; read++) {
        const before = [...records.tickets.keys()];
        const list = client.tickets.list(project, { per_page: isLong ? 200 : 25 });
        const found = new Set((await list.toArray({ complete: true })).map(({ id }) => id));
        missed += before.filter((id) => records.tickets.has(id) && !found.has(id)).length;
      }
      expect(missed).toBe(0);
    },
    600_000,
  );

  it.each(['position', 'created', 'updated'] as const)(
    "can be passed to bulk to delete all its tickets if it's sorted by %s",
    async (order) => {
      const { deployment, records, client, project, startChanging } = await setUpChangingList(
        { order },
        13,
        1,
      );
      startChanging();
      const change = deployment.intercept;
      deployment.intercept = async (request) =>
        request.operation === 'tickets.delete' && request.count % 10 === 1 ? lost : change(request);
      const { failures } = await bulk(client.tickets.list(project, { q: 'spam', per_page: 25 }), ({ id }) =>
        client.tickets.delete(id),
      );
      // A colleague may have deleted a ticket after it was listed.
      const errors = failures.map(({ error }) => error);
      expect(errors.filter((error) => !(error instanceof NotFoundError))).toEqual([]);
      const left = [...records.tickets.values()].filter(({ title }) => title.startsWith('Spam'));
      expect(left.map(({ title }) => title)).toEqual([]);
    },
  );

  it('is read to the end by a plain `for await` loop even if one of its pages contains no new tickets', async () => {
    const { deployment, records, client, project, board } = await setUpChangingList({}, 14, 0);
    // Before each page is read, another user adds 25 tickets to the start of the list.
    deployment.intercept = async ({ query }) => {
      for (let index = 0; query.page && Number(query.page) < 5 && index < 25; index++) {
        const { id } = deployment.addTicketByHand(project, { board_id: board, title: `Urgent ${index}` });
        records.moveTicket(id, board, 0);
      }
      return undefined;
    };
    const before = [...records.tickets.keys()];
    const found = new Set<string>();
    for await (const { id } of client.tickets.list(project, { per_page: 25 })) found.add(id);
    expect(before.filter((id) => !found.has(id))).toEqual([]);
  });
});
