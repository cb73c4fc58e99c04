import { describe, expect, it } from 'vitest';
import { type Ticket, Worktrack } from 'worktrack';
import { type Change, memorySnapshot, readChanges } from 'worktrack/changes';
import { createMockServer } from 'worktrack/mock-server';
import { Random } from '../../mock-server/state/ids.js';
import { isLong } from '../properties/runs.js';

/** A server with a project. Other people change the project's tickets between the feed's requests. */
async function startBusyProject(seed: number, tickets: number) {
  const generator = new Random(seed);
  const random = () => generator.next();
  const mock = createMockServer({ now: 'real' });
  const project = mock.add.project();
  const boards = Array.from({ length: 4 }, () => mock.add.board({ project: project.id }).id);
  for (let index = 0; index < tickets; index++) {
    mock.add.ticket({ board: boards[index % 4] as string, title: `T${index}` });
  }
  const people = new Worktrack({ ...mock.clientOptions(), fetch: mock.fetch });
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  const live = () => mock.state.tickets.filter(({ project_id }) => project_id === project.id);
  const ids = live().map(({ id }) => id);
  let created = 0;
  const write = async () => {
    const kind = random();
    const index = Math.floor(random() * ids.length);
    const ticket = ids[index];
    if (kind < 0.2 || !ticket) {
      const { id } = await people.tickets.create(project.id, {
        board_id: pick(boards),
        title: `N${created++}`,
      });
      ids.push(id);
    } else if (kind < 0.65) {
      await people.tickets.move(ticket, { board_id: pick(boards), position: Math.floor(random() * 50) });
    } else if (kind < 0.75) {
      ids.splice(index, 1);
      await people.tickets.delete(ticket);
    } else if (kind < 0.85) {
      await people.tickets.update(ticket, { archived: random() < 0.5 });
    } else {
      await people.tickets.update(ticket, {
        title: `E${created++}`,
        description_html: `<p>${random()}</p>`,
      });
    }
  };
  /** The number of writes between two consecutive requests of the feed. */
  let rate = 0;
  let due = 0;
  const client = new Worktrack({
    ...mock.clientOptions(),
    fetch: async (...args) => {
      for (due += rate; due >= 1; due--) await write();
      return mock.fetch(...args);
    },
  });
  return {
    mock,
    project,
    client,
    live,
    setRate: (next: number) => {
      rate = next;
    },
  };
}

/** Applies changes to a consumer's copy of the records, and rejects changes that contradict it. */
function apply(known: Map<string, Ticket>, changes: readonly Change[], wasDeleted: (id: string) => boolean) {
  for (const change of changes) {
    if (change.type === 'ticket.created') {
      expect(known.has(change.recordId), `${change.recordId} was created twice`).toBe(false);
      known.set(change.recordId, change.after);
    } else if (change.type === 'ticket.deleted') {
      expect(wasDeleted(change.recordId), `${change.recordId} still exists`).toBe(true);
      expect(known.delete(change.recordId)).toBe(true);
    } else if (change.type.startsWith('ticket.')) {
      expect(known.has(change.recordId)).toBe(true);
      known.set(change.recordId, change.after as Ticket);
    }
  }
}

const compared = ({ board_id, title, description_html, archived_at }: Ticket) => ({
  board_id,
  title,
  description_html,
  archived_at,
});

describe('readChanges during concurrent writes', () => {
  it.each(Array.from({ length: isLong ? 60 : 2 }, (_, seed) => seed))(
    'reports every change exactly once, and no false deletions (seed %i)',
    { timeout: isLong ? 300_000 : 30_000 },
    async (seed) => {
      const [many, few] = isLong ? [1100, 450] : [650, 250];
      const { mock, project, client, live, setRate } = await startBusyProject(
        seed,
        seed % 4 === 0 ? many : few,
      );
      const snapshot = memorySnapshot();
      const known = new Map(
        live().map((ticket) => [ticket.id, mock.state.tickets.get(ticket.id) as unknown as Ticket]),
      );
      const options = { client, project: project.id, include: ['ticket'], snapshot } as const;
      expect((await readChanges(options)).changes).toEqual([]);
      const ids = new Set<string>();
      for (let sweep = 0; sweep < (isLong ? 170 : 12); sweep++) {
        setRate([0.1, 0.5, 1, 3, 5][sweep % 5] as number);
        const { changes, ack } = await readChanges(options);
        for (const { id } of changes) {
          expect(ids.has(id), `change ${id} came twice`).toBe(false);
          ids.add(id);
        }
        const now = new Set(live().map(({ id }) => id));
        apply(known, changes, (id) => !now.has(id));
        await ack();
      }
      setRate(0);
      for (let quiet = 0; quiet < 2; quiet++) {
        const { changes, ack } = await readChanges(options);
        const now = new Set(live().map(({ id }) => id));
        apply(known, changes, (id) => !now.has(id));
        await ack();
      }
      expect((await readChanges(options)).changes).toEqual([]);
      const expected = await client.tickets.list(project.id, { per_page: 200 }).toArray({ limit: Infinity });
      expect([...known.keys()].sort()).toEqual(expected.map(({ id }) => id).sort());
      for (const ticket of expected)
        expect(compared(known.get(ticket.id) as Ticket)).toEqual(compared(ticket));
    },
  );
});
