import { isApiError, isRequestAbortedError, isWorktrackError, type Worktrack } from 'worktrack';
import type { MockServer } from 'worktrack/mock-server';
import { everyOperation } from '../contract/endpoints.js';
import { calls } from '../rules/client-calls.js';
import { bodies, own, unknown } from '../rules/requests.js';

/** Who runs, and against whom. */
export interface Runner {
  mock: MockServer;
  client: Worktrack;
  /** One for all calls that take one, for the whole run. */
  signal: AbortSignal;
  /** How often each operation ended in what: `tickets.move done`, `tickets.get not_found`. */
  tally: Map<string, number>;
}

/**
 * One lap: every operation once, and what goes wrong between client and server besides. The state is
 * as before at its end, so whatever is more after many laps was forgotten by somebody.
 */
export async function lap({ mock, client, signal, tally }: Runner): Promise<void> {
  const start = mock.snapshot();
  const note = async (what: string, call: PromiseLike<unknown>) => {
    const end = await Promise.resolve(call).then(
      () => 'done',
      (error: unknown) => {
        if (!isWorktrackError(error)) throw error;
        return (isApiError(error) && error.reason) || error.code;
      },
    );
    tally.set(`${what} ${end}`, (tally.get(`${what} ${end}`) ?? 0) + 1);
  };
  for (const id of inOrder) await note(id, calls[id](client, own, bodies[id] ?? {}));
  mock.restore(start);

  await note('tickets.get', client.tickets.get(unknown.ticket));
  await note('tickets.create', client.tickets.create(own.project, { title: 'No board' } as never));
  await note('tickets.create', client.tickets.create(own.project, { board_id: 'none', title: 'T' }));
  await Promise.all([
    note('tickets.list', readAll(client, signal)),
    note('tickets.list', readOnePage(client, signal)),
    note('boards.list', client.boards.list(own.project, { signal })),
  ]);
  mock.faults.add({ operation: 'tickets.get', status: 503, times: 1 });
  await note('tickets.get', client.tickets.get(own.ticket, { signal }));
  mock.faults.add({ operation: 'tickets.get', error: 'response_lost', times: 1 });
  await note('tickets.get', client.tickets.get(own.ticket));
  await note('documents.get', givenUp(client));
  const takeBack = mock.override('projects.get', (_, next) => next());
  await note('projects.get', client.projects.get(own.project));
  takeBack();
  mock.restore(start);
}

/** Reordering names every record, so it comes before any is added; what others lie in is deleted last. */
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

/** Breaks off while the next page is on its way. */
async function readOnePage(client: Worktrack, signal: AbortSignal): Promise<void> {
  const pages = client.tickets.list(own.project, { per_page: 2 }, { prefetch: true, signal }).pages();
  await pages.next();
  await pages.return();
}

async function givenUp(client: Worktrack): Promise<void> {
  const controller = new AbortController();
  const call = Promise.resolve(client.documents.get(own.document, { signal: controller.signal }));
  controller.abort();
  await call.catch((error) => {
    if (!isRequestAbortedError(error)) throw error;
  });
}
