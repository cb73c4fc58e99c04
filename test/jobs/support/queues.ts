import { randomUUID } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { type ImportWorkerOptions, importQueue, importWorker } from 'worktrack/jobs/bullmq';
import { createMockServer } from 'worktrack/mock-server';
import { connect } from '../../support/clients.js';
import type { Row } from './import-setting.js';
import { postgresAddress, reachable, redisAddress } from './services.js';

export type { Row };

export const backends = ['redis', 'postgres'] as const;
export type BackendName = (typeof backends)[number];

/** Why tests with a backend can't run on this machine. Undefined if they can. */
export const whySkipped = (name: BackendName): string | undefined =>
  reachable[name] ? undefined : `${name} isn't available on this machine`;

/** The options for a new queue, which is deleted at the end of the test. */
export function newPlace(name: BackendName, port?: number) {
  const at = port === undefined ? {} : { port };
  return {
    name: `test-${randomUUID()}`,
    ...(name === 'redis'
      ? { redis: { ...redisAddress, ...at } }
      : { postgres: { ...postgresAddress, schema: 'worktrack_test', max: 4, ...at } }),
  };
}

/** Opens a queue, which is deleted at the end of the test. */
export function openQueue(place: ReturnType<typeof newPlace>, jobOptions = {}) {
  const queue = importQueue<Row>({
    ...place,
    jobOptions: { attempts: 4, backoff: { type: 'fixed', delay: 50 }, ...jobOptions },
  });
  onTestFinished(async () => {
    await queue.bullmq.obliterate({ force: true });
    await queue.close();
  });
  const counts = async () => {
    const { completed = 0, failed = 0 } = await queue.bullmq.getJobCounts('completed', 'failed');
    return { completed, failed };
  };
  return { ...queue, counts };
}

/** Creates a mock server with a board, an empty queue, and a function that starts a worker. */
export function setUpQueue(name: BackendName) {
  const mock = createMockServer();
  const project = mock.add.project();
  const board = mock.add.board({ project: project.id });
  const client = connect(mock, { retry: 0 });
  const place = newPlace(name);
  const queue = openQueue(place);
  const work = (options: Partial<ImportWorkerOptions<Row>> = {}) => {
    const worker = importWorker<Row>({
      ...place,
      client,
      project: project.id,
      source: 'Jira',
      toTicket: ({ title, text }) => ({ board_id: board.id, title, description_html: text ?? null }),
      workerOptions: { drainDelay: 1 },
      ...options,
    });
    worker.finished.catch(() => {});
    onTestFinished(() => worker.close());
    return worker;
  };
  const titles = () =>
    mock.state.tickets
      .all()
      .map(({ title }) => title)
      .sort();
  const key = ({ id }: Row) => id;
  return { mock, project, board, client, place, queue, work, titles, key };
}
