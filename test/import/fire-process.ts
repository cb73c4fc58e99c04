// The fire tests start, kill, and restart this process. The process runs either an import with a file ledger or
// a BullMQ worker.
import { Worktrack } from 'worktrack';
import { fileLedger, importTickets, ticketTarget } from 'worktrack/import';
import { createImportWorker } from 'worktrack/import/bullmq';
import { type FireOptions, type FireRow, fireRows } from './fire-options.js';

const options = JSON.parse(process.argv[2] ?? '') as FireOptions;
const { project, board, count, concurrency } = options;
const client = new Worktrack({ ...options.client, logLevel: 'off', retry: { maxDelay: 20 } });
const toTicket = ({ title, text }: FireRow) => ({ board_id: board, title, description_html: text });
const patience = { lookupDelay: 30, retry: { attempts: 50, delay: 5, maxDelay: 50 } };

// Exit when the test process does, because nothing else would stop this one.
process.on('disconnect', () => process.exit(2));

if (options.queue) {
  const target = ticketTarget({ client, project, toTicket });
  await createImportWorker<FireRow>({
    ...options.queue,
    ...patience,
    target,
    concurrency,
    stalledAfter: 3000,
    bullmqOptions: { drainDelay: 0.5 },
  });
  process.send?.('ready');
} else {
  const ledger = await fileLedger(options.ledger ?? '');
  let isFirst = true;
  const report = await importTickets<FireRow>({
    ...patience,
    client,
    project,
    toTicket,
    ledger,
    concurrency,
    rows: fireRows(count),
    key: ({ id }) => id,
    onProgress: ({ created }) => {
      if (isFirst && created > 0) process.send?.('ready');
      isFirst &&= created === 0;
    },
  });
  await ledger.close();
  process.send?.(JSON.stringify(report), () => process.exit(0));
}
