import { DelayedError, type Job, type Queue, UnrecoverableError, Worker } from 'bullmq';
import { vi } from 'vitest';
import type { ImportTarget } from 'worktrack/import';
import { BullmqLedger } from '../../../src/import/bullmq/bullmq-ledger.js';
import type { Backend, RowJob } from '../../../src/import/bullmq/connection.js';
import { Notes } from '../../../src/import/bullmq/notes.js';
import { RowProcessor } from '../../../src/import/bullmq/row-processor.js';
import { stepSettings } from '../../../src/import/options.js';

/** Stores jobs in memory, with the methods of BullMQ's queue that notes use. */
export function fakeNotes(overrides: Partial<Queue> = {}) {
  const jobs = new Map<string, { id: string; data: { value: string } }>();
  const queue = {
    async add(_name: string, data: { value: string }, { jobId: id }: { jobId: string }) {
      if (!jobs.has(id)) jobs.set(id, { id, data });
    },
    getJob: async (id: string) => jobs.get(id),
    getWaiting: async () => [...jobs.values()],
    remove: async (id: string) => Number(jobs.delete(id)),
    ...overrides,
  };
  return { notes: new Notes(queue as unknown as Queue), jobs };
}

interface Row {
  id: string;
}

interface ProcessorSetup {
  create: ImportTarget<Row, Row>['create'];
  lookup?: ImportTarget<Row, Row>['lookup'];
  settings?: Parameters<typeof stepSettings>[0];
  /** The state of all other jobs. */
  otherJobs?: string;
  onFatal?: (error: unknown) => void;
}

/** Creates a row processor and a job for the row `a`, without a database. */
export function fakeProcessor({ create, lookup, settings = {}, otherJobs, onFatal }: ProcessorSetup) {
  const queue = {
    name: 'tickets',
    getJob: async () => undefined,
    getJobState: async () => otherJobs ?? 'unknown',
    pause: vi.fn(async () => {}),
    rateLimit: vi.fn(async (_milliseconds: number) => {}),
  };
  const ledger = new BullmqLedger(queue as unknown as Queue, fakeNotes().notes, fakeNotes().notes);
  const job = {
    data: { key: 'a', row: { id: 'a' } } as RowJob<Row>,
    attemptsStarted: 1,
    async updateData(data: RowJob<Row>) {
      job.data = data;
    },
    extendLock: vi.fn(async (_token: string, _duration: number) => 1),
    moveToDelayed: vi.fn(async (_timestamp: number, _token: string) => {}),
  };
  const processor = new RowProcessor<Row>({
    target: { scope: 'things', toPayload: (row) => row, create, lookup } satisfies ImportTarget<Row, Row>,
    onFatal,
    settings: stepSettings(settings),
    stalledAfter: 5000,
    bullmq: { DelayedError, UnrecoverableError, Worker } as Backend['bullmq'],
    queue: queue as unknown as Queue<RowJob<Row>>,
    ledger,
  });
  const process = () => processor.process(job as unknown as Job<RowJob<Row>>, 'token');
  return { process, job, queue, ledger };
}
