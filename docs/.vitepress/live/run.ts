import { type OperationId, Worktrack } from 'worktrack';
import type { MockServerOptions } from 'worktrack/mock-server';
import { acme } from '../../../examples/support/connect.js';
import { operationExamples } from '../content/operation-examples.js';
import { apolloNow, apolloWorld } from '../content/world.js';
import { type Exchange, recordingFetch } from './exchange.js';
import { formatValue } from './format-value.js';
import { openPageServer } from './page-server.js';
import { startProgram } from './program.js';

/** Receives a run's output and requests. */
export interface RunListener {
  line(text: string): void;
  exchange(exchange: Exchange): void;
  /** Reports which server receives the requests and how they're routed to it. */
  server(description: string): void;
}

/** Runs an example and reports its output. */
export type Run = (listener: RunListener) => Promise<void>;

// Exclude examples that need Node.js.
const sources = import.meta.glob<string>(
  ['../../../examples/*.ts', '!**/{import-csv,mcp-day,react-to-changes,sync-csv}.ts'],
  { query: '?raw', import: 'default' },
);

/** Returns the source code of a file in `examples/`. */
export async function exampleSource(id: string): Promise<string> {
  const load = sources[`../../../examples/${id}.ts`];
  if (!load) throw new Error(`unknown example ${id}`);
  return load();
}

/** Runs a file from `examples/`. */
export const runExample =
  (id: string): Run =>
  async (listener) => {
    const code = await exampleSource(id);
    const server = await openServer(listener, { now: new Date(), world: acme });
    const program = startProgram(code, server, {
      print: (text) => listener.line(text),
      exchange(exchange) {
        listener.server('a separate mock server via its fetch function');
        listener.exchange(exchange);
      },
    });
    await program.finished;
  };

/** Runs an operation's example and prints the result. */
export const runOperation =
  (id: OperationId): Run =>
  async (listener) => {
    const { mock, fetch } = await openServer(listener, { now: apolloNow, world: apolloWorld });
    const client = new Worktrack({ ...mock.clientOptions(), fetch });
    listener.line(formatValue((await operationExamples[id](client)) ?? '(no content)'));
  };

/** Creates a mock server in the page. Its `fetch` function reports each request. */
async function openServer(listener: RunListener, options: MockServerOptions) {
  const { mock, fetch, intercepted } = await openPageServer(options);
  listener.server(
    intercepted
      ? 'the mock server running in this page via a service worker'
      : "the mock server running in this page via its fetch function (your browser doesn't support service workers here)",
  );
  return { mock, fetch: recordingFetch(fetch, listener.exchange) };
}
