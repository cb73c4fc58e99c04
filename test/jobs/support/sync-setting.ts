import type { Ticket } from 'worktrack';
import {
  importTickets,
  memoryBook,
  planSync,
  type SyncPlan,
  type SyncTicketsOptions,
  syncTickets,
} from 'worktrack/jobs';
import { createMockServer, type MockServer } from 'worktrack/mock-server';
import { connect } from '../../support/clients.js';
import { skipWaits } from '../../support/timers.js';
import type { Row as ImportRow } from './import-setting.js';

export interface Row extends ImportRow {
  board?: string;
  priority?: Ticket['priority'];
  archived?: boolean;
}

type Rows = SyncTicketsOptions<Row>['rows'];
type More = Partial<SyncTicketsOptions<Row>>;

/** Replaces the rows with the given IDs. */
export const edit = (rows: Row[], edits: Record<string, Partial<Row>>) =>
  rows.map((row) => ({ ...row, ...edits[row.id] }));

/** Creates a mock server with two boards, and functions that sync rows with it without waiting. */
export function setUp() {
  skipWaits();
  const mock = createMockServer();
  const project = mock.add.project();
  const board = mock.add.board({ project: project.id, name: 'To do' });
  const done = mock.add.board({ project: project.id, name: 'Done' });
  const client = connect(mock, { retry: { limit: 0, maxDelay: 1 } });
  const book = memoryBook();
  const options = (rows: Rows, more: More = {}) => ({
    client,
    project: project.id,
    source: 'Jira',
    rows,
    key: ({ id }: Row) => id,
    toTicket: ({ title, board: slug = 'to-do', text, priority, archived }: Row) => ({
      title,
      board_slug: slug,
      ...(text !== undefined && { description_html: text }),
      ...(priority && { priority }),
      ...(archived !== undefined && { archived }),
    }),
    book,
    settleDelay: 0,
    ...more,
  });
  const sync = (rows: Rows, more?: More) => syncTickets<Row>(options(rows, more));
  /** Plans a sync, and returns the plan as it's read from a file. */
  const plan = async (rows: Rows, more?: More): Promise<SyncPlan> =>
    JSON.parse(JSON.stringify(await planSync<Row>(options(rows, more))));
  const runImport = (rows: Rows) => {
    const { client, project, source, key, toTicket, book } = options(rows);
    return importTickets<Row>({ client, project, source, rows, key, toTicket, book, settleDelay: 0 });
  };
  const tickets = () => mock.state.tickets.all();
  const idOf = async (key: string) => {
    const entry = (await book.get([`row:${key}`])).get(`row:${key}`);
    return (entry?.value as { id: string } | undefined)?.id ?? '';
  };
  const ticketOf = async (key: string) => client.tickets.get(await idOf(key));
  return {
    mock,
    project,
    board,
    done,
    client,
    book,
    sync,
    plan,
    runImport,
    options,
    tickets,
    idOf,
    ticketOf,
  };
}

export const writesOf = (mock: MockServer) => mock.requests.all().filter(({ method }) => method !== 'GET');
