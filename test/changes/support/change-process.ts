// Tests start, kill, and restart this process, which enqueues a project's changes.
import { Worktrack } from 'worktrack';
import { enqueueChanges, type ImportConnection } from 'worktrack/jobs/bullmq';

export interface ProcessOptions {
  client: { baseUrl: string; token: string; organization: string };
  project: string;
  queue: ImportConnection;
  every: number;
  stalledAfter: number;
}

// Exit when the test process exits, because nothing else would stop this process.
process.on('disconnect', () => process.exit(2));
// A process that was suspended may no longer be the one that reads the changes. The test covers this case.
const { client, queue, ...options } = JSON.parse(process.argv[2] ?? '') as ProcessOptions;
await enqueueChanges({
  ...options,
  ...queue,
  include: ['ticket'],
  client: new Worktrack({ ...client, logLevel: 'off' }),
});
