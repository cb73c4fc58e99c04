import { setTimeout as sleep } from 'node:timers/promises';
import type { ImportQueue } from 'worktrack/jobs/bullmq';
import { type Row, rowsOf } from '../jobs/support/import-setting.js';
import { collect } from '../support/collect.js';

export { type Row, rowsOf };

export const key = ({ id }: Row): string => id;

/** Waits until `count` rows are done or failed. */
export async function finished(queue: ImportQueue<Row>, count: number) {
  for (;;) {
    const { done, failed } = await queue.counts();
    if (done + failed >= count) return { done, failed };
    await sleep(20);
  }
}

/** Returns a queue's dead letters sorted by key. */
export async function deadLetters(queue: ImportQueue<Row>) {
  return (await collect(queue.deadLetters())).sort((one, other) => (one.key < other.key ? -1 : 1));
}

/** The timeout of `vi.waitFor`. It's long because the machine may be busy, and only failing tests reach it. */
export const patience = { timeout: 20_000, interval: 20 };
