import { type OperationId, Worktrack } from 'worktrack';
import * as worktrackMockServer from 'worktrack/mock-server';
import { acme } from '../../../examples/support/connect.js';
import { operationExamples } from '../content/operation-examples.js';
import { apolloNow, apolloWorld } from '../content/world.js';
import { type Exchange, recordingFetch } from './exchange.js';
import { formatLine, formatValue } from './format-value.js';
import { openPageServer } from './page-server.js';

/** Receives a run's output and requests. */
export interface RunListener {
  line(text: string): void;
  exchange(exchange: Exchange): void;
  /** Reports which server receives the requests and how they're routed to it. */
  server(description: string): void;
}

/** Runs an example and reports its output. */
export type Run = (listener: RunListener) => Promise<void>;

type LiveModule = (scope: {
  console: Pick<Console, 'log'>;
  modules: Record<string, object>;
}) => Promise<void>;

// Examples that need Node.js can't run in the page.
const sources = import.meta.glob<LiveModule>(
  ['../../../examples/*.ts', '!**/{import-csv,mcp-day,react-to-changes,sync-csv}.ts'],
  {
    query: '?live',
    import: 'default',
  },
);

/** Runs a file from `examples/` in the page. */
export const runExample =
  (id: string): Run =>
  async (listener) => {
    const load = sources[`../../../examples/${id}.ts`];
    if (!load) throw new Error(`unknown example ${id}`);
    const example = await load();
    await example({
      console: { log: (...values: unknown[]) => listener.line(formatLine(values)) },
      modules: {
        './support/connect.js': { connect: () => connect(listener, { now: new Date(), world: acme }) },
        'worktrack/mock-server': {
          createMockServer(options: worktrackMockServer.MockServerOptions) {
            listener.server('a separate mock server via its fetch function');
            const mock = worktrackMockServer.createMockServer(options);
            return Object.assign(mock, { fetch: recordingFetch(mock.fetch, listener.exchange) });
          },
        },
      },
    });
  };

/** Runs an operation's example and prints the result. */
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
  const { mock, fetch, intercepted } = await openPageServer(world);
  listener.server(
    intercepted
      ? 'the mock server running in this page via a service worker'
      : "the mock server running in this page via its fetch function (your browser doesn't support service workers here)",
  );
  const client = new Worktrack({ ...mock.clientOptions(), fetch: recordingFetch(fetch, listener.exchange) });
  return { client, place: 'the mock server running in this page' };
}
