import { expect, it } from 'vitest';
import { pull } from 'worktrack/jobs';
import { createMockServer } from 'worktrack/mock-server';
import { isLong } from '../properties/runs.js';
import { connect } from '../support/clients.js';
import { credential } from './support/records.js';
import { generator } from './support/rows.js';
import { lost, setUp } from './support/set-up.js';

const tickets = isLong ? 5000 : 600;

it.each(['position', 'created', 'updated'] as const)(
  'a pull contains each ticket once if people change tickets sorted by %s and some responses are lost',
  async (order) => {
    const { deployment, records, project, board, client } = await setUp({ order });
    const done = records.addBoard(project, 'Done').id;
    for (let index = 0; index < tickets; index++)
      records.addTicket(project, { board_id: index % 4 ? board : done, title: `Bug ${index}` }, credential);
    const before = [...records.tickets.keys()];
    const random = generator(7);
    const pick = (from: string) => {
      const onBoard = records.onBoard(from);
      return onBoard[Math.floor(random() * onBoard.length)]?.id as string;
    };
    const changes = [
      () => records.moveTicket(pick(board), done, Math.floor(random() * 100)),
      () => records.moveTicket(pick(done), board, Math.floor(random() * 100)),
      () => records.updateTicket(pick(board), { priority: 'high' }),
      () => records.deleteTicket(pick(board)),
    ];
    deployment.intercept = async ({ operation, count }) => {
      if (operation === 'tickets.list') changes[Math.floor(random() * changes.length)]?.();
      return count % 7 === 3 ? lost : undefined;
    };

    const world = await pull(client, { documents: false, keep: ['ids', 'titles'] });
    const mock = createMockServer({ world });
    const copies = await connect(mock).tickets.list(project).toArray({ complete: true });
    const ids = copies.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(before.filter((id) => records.tickets.has(id) && !ids.includes(id))).toEqual([]);
    expect(copies.length).toBeGreaterThan(tickets * 0.9);
    for (const { id, title } of copies) expect(records.tickets.get(id)?.title ?? title).toBe(title);
  },
);
