import { RequestAbortedError, type Worktrack, WorktrackError } from 'worktrack';
import type { MockServer } from 'worktrack/mock-server';
import { own, unknown } from '../rules/requests.js';
import { everyOperation, operations } from '../support/operations.js';

/** The client and the server of a run. */
export interface Runner {
  mock: MockServer;
  client: Worktrack;
  /** The signal shared by all calls in the run. */
  signal: AbortSignal;
  /** Counts results by operation, such as `tickets.move done` or `tickets.get not_found`. */
  tally: Map<string, number>;
}

/**
 * Calls every operation once and triggers typical errors. Restores the state at the end, so any growth over
 * many laps is a leak.
 */
export async function runLap({ mock, client, signal, tally }: Runner): Promise<void> {
  const start = mock.snapshot();
  const record = async (operation: string, call: PromiseLike<unknown>) => {
    const result = await Promise.resolve(call).then(
      () => 'done',
      (error: unknown) => {
        if (!(error instanceof WorktrackError)) throw error;
        return error.code;
      },
    );
    tally.set(`${operation} ${result}`, (tally.get(`${operation} ${result}`) ?? 0) + 1);
  };
  for (const id of inOrder) await record(id, operations[id].call(client, own, operations[id].example));
  mock.restore(start);

  await record('tickets.get', client.tickets.get(unknown.ticket));
  await record('tickets.create', client.tickets.create(own.project, { title: 'No board' } as never));
  await record('tickets.create', client.tickets.create(own.project, { board_id: 'none', title: 'T' }));
  await Promise.all([
    record('tickets.list', readAll(client, signal)),
    record('tickets.list', readOnePage(client, signal)),
    record('boards.list', client.boards.list(own.project, { signal })),
  ]);
  mock.faults.add({ operation: 'tickets.get', status: 503, times: 1 });
  await record('tickets.get', client.tickets.get(own.ticket, { signal }));
  mock.faults.add({ operation: 'tickets.get', error: 'response_lost', times: 1 });
  await record('tickets.get', client.tickets.get(own.ticket));
  await record('documents.get', abortCall(client));
  const removeOverride = mock.override('projects.get', (_, next) => next());
  await record('projects.get', client.projects.get(own.project));
  removeOverride();
  mock.restore(start);
}

/** Reorder calls require complete lists, so they come before create calls. Parents are deleted last. */
const inOrder = [
  'boards.reorder',
  'tickets.reorder',
  ...everyOperation.filter((id) => !/\.(delete|reorder)$/.test(id)),
  'documents.delete',
  'tickets.delete',
  'boards.delete',
  'projects.delete',
] as const;

async function readAll(client: Worktrack, signal: AbortSignal): Promise<void> {
  await client.tickets.list(own.project, { per_page: 2 }, { prefetch: true, signal }).toArray({ limit: 100 });
}

/** Reads one page and stops while the next page is in flight. */
async function readOnePage(client: Worktrack, signal: AbortSignal): Promise<void> {
  const pages = client.tickets.list(own.project, { per_page: 2 }, { prefetch: true, signal }).pages();
  await pages.next();
  await pages.return();
}

async function abortCall(client: Worktrack): Promise<void> {
  const controller = new AbortController();
  const call = Promise.resolve(client.documents.get(own.document, { signal: controller.signal }));
  controller.abort();
  await call.catch((error) => {
    if (!(error instanceof RequestAbortedError)) throw error;
  });
}
