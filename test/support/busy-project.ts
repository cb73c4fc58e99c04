import type { Ticket, UpdateTicket } from 'worktrack';
import { createMockServer } from 'worktrack/mock-server';
import { Random } from '../../mock-server/state/ids.js';
import { connect } from './clients.js';

/** Starts a server with a project whose tickets people change at random. */
export function startBusyProject(seed: number, tickets: number) {
  const generator = new Random(seed);
  const random = () => generator.next();
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  const mock = createMockServer({ now: 'real' });
  const project = mock.add.project().id;
  const boards = Array.from({ length: 5 }, () => mock.add.board({ project }).id);
  for (let index = 0; index < tickets; index++)
    mock.add.ticket({ board: boards[index % boards.length] as string, title: `T${index}` });
  const people = connect(mock);
  const live = () => mock.state.tickets.filter(({ project_id }) => project_id === project);
  const ids = live().map(({ id }) => id);
  const newTitle = () => `Title ${random()}`;

  /** Makes one change. Returns the changed ticket, or the ID of the deleted one. */
  async function write(edit: () => UpdateTicket): Promise<Ticket | string> {
    const kind = random();
    const index = Math.floor(random() * ids.length);
    const id = ids[index];
    if (kind < 0.2 || !id) {
      const ticket = await people.tickets.create(project, { board_id: pick(boards), title: newTitle() });
      ids.push(ticket.id);
      return ticket;
    }
    if (kind < 0.65)
      return people.tickets.move(id, { board_id: pick(boards), position: Math.floor(random() * 50) });
    if (kind < 0.85) return people.tickets.update(id, kind < 0.75 ? { archived: random() < 0.5 } : edit());
    ids.splice(index, 1);
    await people.tickets.delete(id);
    return id;
  }
  return { mock, project, boards, people, live, random, pick, newTitle, write };
}
