import {
  type ImportTarget,
  type ImportTicketsOptions,
  importTickets,
  type Ledger,
  memoryLedger,
  type RunImportOptions,
  runImport,
} from '../../../addons/jobs/import/index.js';
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

/** Creates a mock server with one board. */
export function startServer(retries: number) {
  const mock = createMockServer();
  const project = mock.add.project();
  const board = mock.add.board({ project: project.id, name: 'To do' });
  const client = connect(mock, { retry: { limit: retries, maxDelay: 1 } });
  const ledger: Ledger = memoryLedger();
  return { mock, project, board, client, ledger };
}

/** Creates a mock server with one board and a function that imports rows into it without waiting. */
export function setUp() {
  skipWaits();
  const server = startServer(2);
  const { mock, project, board, client, ledger } = server;
  const run = (options: Partial<ImportTicketsOptions<Row>> = {}) =>
    importTickets<Row>({
      client,
      project: project.id,
      rows: rowsOf(10),
      key: ({ id }) => id,
      toTicket: ({ title, text }) => ({
        board_id: board.id,
        title,
        ...(text !== undefined && { description_html: text }),
      }),
      ledger,
      lookupDelay: 0,
      retry: { delay: 1, maxDelay: 2 },
      ...options,
    });
  const titles = () =>
    mock.state.tickets
      .filter((ticket) => ticket.board_id === board.id)
      .sort((one, other) => one.position - other.position)
      .map(({ title }) => title);
  return { ...server, run, titles };
}

/** Imports rows into a custom target, one at a time. */
export const importInto = (
  target: Partial<ImportTarget<Row>>,
  rows = rowsOf(2),
  options: Partial<RunImportOptions<Row>> = {},
) =>
  runImport<Row>({
    rows,
    key: ({ id }) => id,
    ledger: memoryLedger(),
    lookupDelay: 0,
    concurrency: 1,
    retry: { limit: 1, delay: 1, maxDelay: 1 },
    target: { scope: 'things', toPayload: (row) => row, create: async () => ({ id: 'x' }), ...target },
    ...options,
  });

export const titlesOf = (rows: Row[]) => rows.map(({ title }) => title);

/** Returns the CPU time of a call in milliseconds, which, unlike elapsed time, doesn't depend on other processes. */
export function cpuTimeOf(call: () => void): number {
  const start = process.cpuUsage();
  call();
  return process.cpuUsage(start).user / 1000;
}
