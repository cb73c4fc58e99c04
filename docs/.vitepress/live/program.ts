import type { MockServer } from 'worktrack/mock-server';
import { type Exchange, nextNumber } from './exchange.js';
import type { ThrownError, WorkerInput, WorkerOutput } from './program-worker.js';

/** Receives what a program prints and sends. */
export interface ProgramListener {
  print(text: string, isError: boolean): void;
  /** Receives the requests to mock servers that the program created. */
  exchange(exchange: Exchange): void;
}

export interface RunningProgram {
  /**
   * Resolves when the program has finished or was stopped.
   *
   * @throws ProgramError if the program throws an error
   */
  finished: Promise<void>;
  stop(): void;
}

/** An error that a program didn't catch. */
export class ProgramError extends Error {
  readonly line: number | undefined;
  readonly docs: string | undefined;

  constructor({ name, message, line, docs }: ThrownError) {
    super(message);
    this.name = name;
    this.line = line;
    this.docs = docs;
  }
}

/**
 * Runs a TypeScript program in a worker. Its clients are connected to a mock server in the page.
 *
 * @param fetch sends the program's requests to the mock server
 */
export function startProgram(
  code: string,
  { mock, fetch }: { mock: MockServer; fetch: typeof globalThis.fetch },
  listener: ProgramListener,
): RunningProgram {
  const worker = new Worker(new URL('./program-worker.ts', import.meta.url), { type: 'module' });
  const { baseUrl, token, organization } = mock.clientOptions();
  const send = (message: WorkerInput) => worker.postMessage(message);

  let stop = () => {};
  const finished = new Promise<void>((resolve, reject) => {
    stop = resolve;
    worker.onmessage = async ({ data }: MessageEvent<WorkerOutput>) => {
      if (data.type === 'print') listener.print(data.text, data.isError);
      else if (data.type === 'exchange') listener.exchange({ ...data.exchange, number: nextNumber() });
      else if (data.type === 'request') send(await respond(data));
      else if (data.error) reject(new ProgramError(data.error));
      else resolve();
    };
    worker.onerror = () => reject(new Error("the program can't start because its worker failed to load"));
  }).finally(() => worker.terminate());
  send({
    type: 'start',
    code,
    environment: {
      WORKTRACK_BASE_URL: baseUrl,
      WORKTRACK_TOKEN: token,
      WORKTRACK_ORGANIZATION: organization,
    },
  });

  async function respond({ id, url, init }: WorkerOutput & { type: 'request' }): Promise<WorkerInput> {
    try {
      if (!url.startsWith(baseUrl)) throw new TypeError(`programs here can send requests only to ${baseUrl}`);
      const response = await fetch(url, init);
      const { status, headers } = response;
      return { type: 'response', id, status, headers: [...headers], body: await response.arrayBuffer() };
    } catch (error) {
      return { type: 'networkError', id, message: error instanceof Error ? error.message : String(error) };
    }
  }

  return { finished, stop: () => stop() };
}
