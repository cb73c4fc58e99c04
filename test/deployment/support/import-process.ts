// This process runs a sync with a file ledger, or a BullMQ worker. Tests start, kill, and restart it.
import { Worktrack } from 'worktrack';
import { fileLedger, syncTickets, ticketTarget } from 'worktrack/jobs';
import { createImportWorker, type ImportConnection } from 'worktrack/jobs/bullmq';
import { type Row, versionOf } from './rows.js';

export interface ProcessOptions {
  client: { baseUrl: string; token: string; organization: string };
  project: string;
  board: string;
  concurrency: number;
  /** The path of the ledger and the number of rows, for a sync. */
  ledger?: string;
  count?: number;
  /** The board for rows that are done. */
  done?: string;
  /** The queue's connection, for a worker. */
  queue?: ImportConnection;
  lookupDelay?: number;
  /** By default, three seconds. A worker that a busy machine suspends for longer may create a second record. */
  stalledAfter?: number;
}

const options = JSON.parse(process.argv[2] ?? '') as ProcessOptions;
const { project, board, count = 0, concurrency, lookupDelay = 30, stalledAfter = 3000 } = options;
const client = new Worktrack({ ...options.client, logLevel: 'off', retry: { maxDelay: 20 } });
const toTicket = ({ title, text, isDone }: Row) => ({
  board_id: isDone && options.done ? options.done : board,
  title,
  description_html: text,
});
const settings = { concurrency, lookupDelay, retry: { limit: 49, delay: 5, maxDelay: 50 } };

// Exit when the test process exits, because nothing else would stop this process.
process.on('disconnect', () => process.exit(2));

if (options.queue) {
  const target = ticketTarget({ client, project, toTicket });
  await createImportWorker<Row>({
    ...options.queue,
    ...settings,
    target,
    stalledAfter,
    bullmqOptions: { drainDelay: 0.5 },
  });
  process.send?.('ready');
} else {
  const ledger = await fileLedger(options.ledger ?? '');
  const run = { ...settings, client, project, toTicket, ledger, key: ({ id }: Row) => id };
  const report = await syncTickets<Row>({ ...run, rows: versionOf(2, count), onMissing: 'archive' });
  await ledger.close();
  process.send?.(JSON.stringify(report), () => process.exit(0));
}
