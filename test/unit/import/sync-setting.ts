import { vi } from 'vitest';
import type { Ticket } from 'worktrack';
import { planSync, type SyncTicketsOptions, syncTickets, ticketTarget } from '../../../addons/jobs/import/index.js';
import type { MockServer } from 'worktrack/mock-server';
import { type Row as ImportRow, startServer } from './setting.js';

export interface Row extends ImportRow {
  board?: string;
  priority?: Ticket['priority'];
  archived?: boolean;
}

/** Replaces the rows with the given IDs. */
export const edit = (rows: Row[], edits: Record<string, Partial<Row>>) =>
  rows.map((row) => ({ ...row, ...edits[row.id] }));

/** A mock server with two boards, and functions that plan syncs and sync rows with it. */
export function setUp() {
  const server = startServer(0);
  const { mock, project, client, ledger } = server;
  const done = mock.add.board({ project: project.id, name: 'Done' });
  const options = (rows: SyncTicketsOptions<Row>['rows'], more: Partial<SyncTicketsOptions<Row>> = {}) => ({
    client,
    project: project.id,
    rows,
    key: ({ id }: Row) => id,
    toTicket: ({ title, board: slug = 'to-do', text, priority, archived }: Row) => ({
      title,
      board_slug: slug,
      ...(text !== undefined && { description_html: text }),
      ...(priority && { priority }),
      ...(archived !== undefined && { archived }),
    }),
    ledger,
    lookupDelay: 0,
    retry: { limit: 20, delay: 1, maxDelay: 2 },
    ...more,
  });
  const sync = (rows: SyncTicketsOptions<Row>['rows'], more?: Partial<SyncTicketsOptions<Row>>) =>
    syncTickets<Row>(options(rows, more));
  const plan = (rows: Iterable<Row>, more: Partial<SyncTicketsOptions<Row>> = {}) => {
    const { client: _, project: id, toTicket, ...rest } = options(rows, more);
    return planSync<Row>({ ...rest, target: ticketTarget({ client, project: id, toTicket }) });
  };
  /** Returns a plan as it's read from a file. */
  const review = async (...args: Parameters<typeof plan>) => JSON.parse(JSON.stringify(await plan(...args)));
  const tickets = () => mock.state.tickets.all();
  const idOf = async (key: string) => {
    for await (const entry of ledger.entries('done')) if (entry.key === key) return `${entry.recordId}`;
    throw new Error(`no record for ${key}`);
  };
  const ticketOf = async (key: string) => client.tickets.get(await idOf(key));
  return { ...server, done, sync, plan, review, options, tickets, idOf, ticketOf };
}

/** Lets an hour pass, as if the machine were suspended: meanwhile, the monotonic clock stops. */
export const suspend = () => vi.setSystemTime(Date.now() + 3_600_000);

export const writesOf = (mock: MockServer) => mock.requests.all().filter(({ method }) => method !== 'GET');
