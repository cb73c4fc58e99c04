// Runs an import worker until it's killed.
//
// Usage: node queue-process.mjs <options as JSON>
import { Worktrack } from 'worktrack';
import { importWorker, type QueueConnection } from 'worktrack/jobs/bullmq';
import type { Row } from './import-setting.js';

export interface QueueProcessOptions {
  client: { baseUrl: string; token: string; organization: string };
  project: string;
  board: string;
  place: QueueConnection;
  source: string;
  lockDuration: number;
  concurrency: number;
}

const { client, project, board, place, source, lockDuration, concurrency } = JSON.parse(
  process.argv[2] ?? '',
) as QueueProcessOptions;

// Exit when the test process exits, because nothing else would stop this process.
process.on('disconnect', () => process.exit(2));

const worker = importWorker<Row>({
  ...place,
  client: new Worktrack({ ...client, logLevel: 'off', retry: { maxDelay: 20 } }),
  ...{ project, source, concurrency },
  toTicket: ({ title, text = null }) => ({ board_id: board, title, description_html: text }),
  workerOptions: { lockDuration, stalledInterval: lockDuration / 2, drainDelay: 0.5 },
});
await worker.finished;
