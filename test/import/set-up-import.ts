import { onTestFinished } from 'vitest';
import type { CreateTicket } from 'worktrack';
import { ticketTarget } from 'worktrack/jobs';
import {
  createImportQueue,
  createImportWorker,
  type ImportConnection,
  type ImportQueue,
  type ImportWorkerOptions,
} from 'worktrack/jobs/bullmq';
import { createMockServer } from 'worktrack/mock-server';
import { connect } from '../support/clients.js';
import { queueName, type TestBackend } from './backends.js';
import type { Row } from './rows.js';

/** Opens a queue, which is deleted at the end of the test. */
export async function openQueue<One = Row>(connection: ImportConnection): Promise<ImportQueue<One>> {
  const queue = await createImportQueue<One>(connection);
  onTestFinished(async () => {
    await queue.delete({ force: true }).catch(() => {});
    await queue.close();
  });
  return queue;
}

/** Starts a worker, which is closed at the end of the test. */
export async function startWorker(options: ImportWorkerOptions<Row>) {
  const worker = await createImportWorker<Row>({
    // BullMQ can't notify workers of new jobs on PGlite, so the workers have to poll.
    bullmqOptions: { drainDelay: 0.2 },
    ...options,
  });
  onTestFinished(() => worker.close());
  return worker;
}

/**
 * Sets up a mock server with a board, and an empty queue whose workers create tickets on the board.
 *
 * @param limit how many times a worker retries each row
 */
export async function setUpImport({ options }: Pick<TestBackend, 'options'>, { limit = 1 } = {}) {
  const mock = createMockServer();
  const project = mock.add.project();
  const board = mock.add.board({ project: project.id });
  const client = connect(mock, { retry: { maxDelay: 1 } });
  const connection = { name: queueName(), ...options };
  const queue = await openQueue(connection);
  const toTicket = ({ title }: Row): CreateTicket => ({ board_id: board.id, title });
  const work = (workerOptions: Partial<ImportWorkerOptions<Row>> = {}) =>
    startWorker({
      ...connection,
      target: ticketTarget({ client, project: project.id, toTicket }),
      lookupDelay: 0,
      maxOutage: 0,
      retry: { limit, delay: 1, maxDelay: 5 },
      ...workerOptions,
    });
  const titles = () =>
    mock.state.tickets
      .all()
      .map(({ title }) => title)
      .sort();
  return { mock, client, project, board, connection, queue, toTicket, work, titles };
}
