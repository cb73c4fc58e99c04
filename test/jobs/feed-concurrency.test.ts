import { describe, expect, it } from 'vitest';
import type { Ticket } from 'worktrack';
import { type Change, memoryBook, readChanges } from 'worktrack/jobs';
import { isLong } from '../properties/runs.js';
import { startBusyProject } from '../support/busy-project.js';
import { connect } from '../support/clients.js';

/** A busy project, and a client between whose requests people change tickets. */
function start(seed: number, tickets: number) {
  const busy = startBusyProject(seed, tickets);
  const { mock, random, newTitle, write } = busy;
  const edit = () => ({ title: newTitle(), description_html: `<p>${random()}</p>` });
  /** The number of writes between two consecutive requests of the feed. */
  const pace = { rate: 0 };
  let due = 0;
  const client = connect(mock, {
    fetch: async (...args) => {
      for (due += pace.rate; due >= 1; due--) await write(edit);
      return mock.fetch(...args);
    },
  });
  return { ...busy, client, pace };
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
      const { mock, project, client, live, pace } = start(seed, seed % 4 === 0 ? many : few);
      const book = memoryBook();
      const known = new Map(
        live().map((ticket) => [ticket.id, mock.state.tickets.get(ticket.id) as unknown as Ticket]),
      );
      const options = { client, project, include: ['ticket'], book } as const;
      expect((await readChanges(options)).changes).toEqual([]);
      const ids = new Set<string>();
      const sweeps = isLong ? 170 : 12;
      // Nobody changes anything during the last two sweeps.
      for (let sweep = 0; sweep < sweeps + 2; sweep++) {
        pace.rate = sweep < sweeps ? ([0.1, 0.5, 1, 3, 5][sweep % 5] as number) : 0;
        const { changes, commit } = await readChanges(options);
        for (const { id } of changes) {
          expect(ids.has(id), `change ${id} came twice`).toBe(false);
          ids.add(id);
        }
        const now = new Set(live().map(({ id }) => id));
        apply(known, changes, (id) => !now.has(id));
        await commit();
      }
      expect((await readChanges(options)).changes).toEqual([]);
      const expected = await client.tickets.list(project, { per_page: 200 }).toArray({ limit: Infinity });
      expect([...known.keys()].sort()).toEqual(expected.map(({ id }) => id).sort());
      for (const ticket of expected)
        expect(compared(known.get(ticket.id) as Ticket)).toEqual(compared(ticket));
    },
  );
});
