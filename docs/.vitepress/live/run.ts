import { type OperationId, Worktrack } from 'worktrack';
import { createMockServer } from 'worktrack/mock-server';
import { acme } from '../../../examples/support/connect.js';
import { operationExamples } from '../content/operation-examples.js';
import { apolloNow, apolloWorld } from '../content/world.js';
import { type Exchange, recordingFetch } from './exchange.js';
import { formatValue } from './format-value.js';
import { startProgram } from './program.js';

/** Receives a run's output and requests. */
export interface RunListener {
  line(text: string): void;
  exchange(exchange: Exchange): void;
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
    const mock = createMockServer({ now: new Date(), world: acme });
    const server = { mock, fetch: recordingFetch(mock.fetch, listener.exchange) };
    const program = startProgram(code, server, {
      print: (text) => listener.line(text),
      exchange: (exchange) => listener.exchange(exchange),
    });
    await program.finished;
  };

/** Runs an operation's example and prints the result. */
export const runOperation =
  (id: OperationId): Run =>
  async (listener) => {
    const mock = createMockServer({ now: apolloNow, world: apolloWorld });
    const fetch = recordingFetch(mock.fetch, listener.exchange);
    const client = new Worktrack({ ...mock.clientOptions(), fetch });
    listener.line(formatValue((await operationExamples[id](client)) ?? '(no content)'));
  };
