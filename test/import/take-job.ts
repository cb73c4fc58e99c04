import { type Job, Worker } from 'bullmq';
import { onTestFinished } from 'vitest';
import type { ImportConnection, RowJob } from 'worktrack/jobs/bullmq';
import { openBackend } from '../../addons/jobs/bullmq/connection.js';
import type { Row } from './rows.js';

/**
 * Creates a function that takes the next job from a queue, as a worker does. The job is active until the test
 * moves it with the token `token`.
 */
export async function jobTaker(connection: ImportConnection): Promise<() => Promise<Job<RowJob<Row>>>> {
  const { options, factory } = await openBackend(connection);
  // Without a processor, the worker doesn't take jobs by itself.
  const worker = new Worker(connection.name, undefined, { ...options, autorun: false }, ...factory);
  onTestFinished(() => worker.close());
  return async () => {
    const job = await worker.getNextJob('token');
    if (!job) throw new Error('the queue is empty');
    return job;
  };
}
