import { type OperationId, Worktrack } from 'worktrack';
import * as worktrackMockServer from 'worktrack/mock-server';
import { acme } from '../../../examples/support/connect.js';
import { operationExamples } from '../content/operation-examples.js';
import { apolloNow, apolloWorld } from '../content/world.js';
import { type Exchange, recordingFetch } from './exchange.js';
import { formatLine, formatValue } from './format-value.js';
import { openPageServer } from './page-server.js';

/** Where a run tells what happens, as it happens. */
export interface RunListener {
  line(text: string): void;
  exchange(exchange: Exchange): void;
  /** How the requests reach the server. */
  place(text: string): void;
}

/** Something on a page that can be run. */
export type Run = (listener: RunListener) => Promise<void>;

type LiveModule = (scope: {
  console: Pick<Console, 'log'>;
  modules: Record<string, object>;
}) => Promise<void>;

// Those that need Node.js itself are read here, and run there.
const sources = import.meta.glob<LiveModule>(['../../../examples/*.ts', '!**/import-csv.ts'], {
  query: '?live',
  import: 'default',
});

/** Runs a file of `examples/` in the page. */
export const runExample =
  (id: string): Run =>
  async (listener) => {
    const load = sources[`../../../examples/${id}.ts`];
    if (!load) throw new Error(`There is no example ${id}`);
    const example = await load();
    await example({
      console: { log: (...values: unknown[]) => listener.line(formatLine(values)) },
      modules: {
        './support/connect.js': { connect: () => connect(listener, { now: new Date(), world: acme }) },
        'worktrack/mock-server': {
          createMockServer(options: worktrackMockServer.MockServerOptions) {
            listener.place('a reference server of its own, given to the client as its fetch');
            const mock = worktrackMockServer.createMockServer(options);
            return Object.assign(mock, { fetch: recordingFetch(mock.fetch, listener.exchange) });
          },
        },
      },
    });
  };

/** Runs the example of an operation, and shows what it comes to. */
export const runOperation =
  (id: OperationId): Run =>
  async (listener) => {
    const { client } = await connect(listener, { now: apolloNow, world: apolloWorld });
    listener.line(formatValue((await operationExamples[id](client)) ?? '(no content)'));
  };

async function connect(
  listener: RunListener,
  world: worktrackMockServer.MockServerOptions,
): Promise<{ client: Worktrack; place: string }> {
  const { mock, fetch, intercepted } = await openPageServer({
    ...world,
  });
  listener.place(
    intercepted
      ? 'the reference server in this page, through a service worker'
      : 'the reference server in this page, given to the client as its fetch (no service worker here)',
  );
  const client = new Worktrack({ ...mock.clientOptions(), fetch: recordingFetch(fetch, listener.exchange) });
  return { client, place: 'the reference server in this page' };
}
