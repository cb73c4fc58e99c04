import { type ImportTicketsOptions, importTickets, memoryBook } from 'worktrack/jobs';
import { createMockServer } from 'worktrack/mock-server';
import { connect } from '../../support/clients.js';
import { skipWaits } from '../../support/timers.js';

export interface Row {
  id: string;
  title: string;
  text?: string;
}

/** Creates rows with distinct titles. */
export const rowsOf = (count: number): Row[] =>
  Array.from({ length: count }, (_, index) => ({ id: `r${index}`, title: `Step ${index} of the plan` }));

export const one: Row[] = [{ id: 'r1', title: 'Fuel the rocket' }];

/** Creates a mock server with one board and a function that imports rows into it without waiting. */
export function setUp() {
  skipWaits();
  const mock = createMockServer();
  const project = mock.add.project();
  const board = mock.add.board({ project: project.id, name: 'To do' });
  const client = connect(mock, { retry: { limit: 2, maxDelay: 1 } });
  const book = memoryBook();
  const toTicket = ({ title, text }: Row) => ({ board_id: board.id, title, description_html: text ?? null });
  const run = (options: Partial<ImportTicketsOptions<Row>> = {}) =>
    importTickets<Row>({
      client,
      project: project.id,
      source: 'Jira',
      rows: rowsOf(10),
      key: ({ id }) => id,
      toTicket,
      book,
      settleDelay: 0,
      ...options,
    });
  const titles = () =>
    mock.state.tickets
      .filter((ticket) => ticket.board_id === board.id)
      .sort((one, other) => one.position - other.position)
      .map(({ title }) => title);
  const stateOf = async (key: string) => (await book.get([`row:${key}`])).get(`row:${key}`)?.state;
  return { mock, project, board, client, book, toTicket, run, titles, stateOf };
}

export const titlesOf = (rows: Row[]) => rows.map(({ title }) => title);

/** Returns the error of a call that must fail. */
export async function errorOf(call: Promise<unknown>): Promise<Error> {
  const [result] = await Promise.allSettled([call]);
  if (result.status === 'fulfilled') throw new Error('the call succeeded');
  return result.reason as Error;
}
