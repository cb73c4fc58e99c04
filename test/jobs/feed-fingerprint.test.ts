import { afterEach, expect, it, vi } from 'vitest';
import type { Ticket } from 'worktrack';
import { createMockServer } from 'worktrack/mock-server';
import { digest, fingerprint } from '../../addons/jobs/watched-fields.js';

afterEach(() => {
  vi.unstubAllGlobals();
});

function someTicket(): Ticket {
  const mock = createMockServer();
  const board = mock.add.board({ project: mock.add.project().id });
  const { id } = mock.add.ticket({ board: board.id, title: 'One', description_html: '<p>Text</p>' });
  return mock.state.tickets.get(id) as unknown as Ticket;
}

const reference = (id: string) => ({ id, name: id });

it.each(['Node.js', 'browsers'])(
  'a fingerprint changes exactly if a remembered field changes (in %s)',
  (where) => {
    const ticket = { ...someTicket(), assignees: [], labels: [], tags: [] } as Ticket;
    if (where === 'browsers') vi.stubGlobal('process', undefined);
    const own = fingerprint('ticket', ticket);
    const changed: Partial<Record<keyof Ticket, unknown>>[] = [
      { title: 'Onf' },
      { title: 'On', description_html: 'e<p>Text</p>' },
      { title: null },
      { title: undefined },
      { board_id: 'brd_2' },
      { labels: [reference('lbl_1')] },
      { labels: [reference('lbl_1'), reference('lbl_2')] },
      { tags: [reference('lbl_1')] },
      { archived_at: '2026-01-01T00:00:00Z' },
      { due_at: '2026-01-01T00:00:00Z' },
      { updated_at: '2026-01-01T00:00:01Z' },
    ];
    const prints = changed.map((fields) => fingerprint('ticket', { ...ticket, ...fields } as Ticket));
    expect(new Set([own, ...prints]).size).toBe(changed.length + 1);
    expect(fingerprint('ticket', { ...ticket, position: 7 })).toBe(own);
    const labels = ['lbl_2', 'lbl_1'].map(reference) as Ticket['labels'];
    expect(fingerprint('ticket', { ...ticket, labels })).toBe(prints[6]);
    expect(digest('1')).not.toBe(digest(1));
  },
);
