// This process runs a BullMQ worker. Tests start, kill, and restart it.
import { Worktrack } from 'worktrack';
import { ticketTarget } from 'worktrack/jobs';
import { createImportWorker, type ImportConnection } from 'worktrack/jobs/bullmq';
import type { Row } from './rows.js';

export interface ProcessOptions {
  client: { baseUrl: string; token: string; organization: string };
  project: string;
  board: string;
  concurrency: number;
  /** The queue's connection. */
  queue: ImportConnection;
  lookupDelay?: number;
  /** By default, three seconds. A worker that a busy machine suspends for longer may create a second record. */
  stalledAfter?: number;
}

const options = JSON.parse(process.argv[2] ?? '') as ProcessOptions;
const { project, board, concurrency, lookupDelay = 30, stalledAfter = 3000 } = options;
const client = new Worktrack({ ...options.client, logLevel: 'off', retry: { maxDelay: 20 } });
const toTicket = ({ title, text }: Row) => ({ board_id: board, title, description_html: text });

// Exit when the test process exits, because nothing else would stop this process.
process.on('disconnect', () => process.exit(2));

await createImportWorker<Row>({
  ...options.queue,
  ...{ concurrency, lookupDelay, stalledAfter, retry: { limit: 49, delay: 5, maxDelay: 50 } },
  target: ticketTarget({ client, project, toTicket }),
  bullmqOptions: { drainDelay: 0.5 },
});
process.send?.('ready');
