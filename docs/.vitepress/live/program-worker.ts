// Runs a program in a web worker so that a program that never ends doesn't block the page and can be
// stopped.

import { transform } from 'sucrase';
import type { createMockServer, MockServerOptions } from 'worktrack/mock-server';
import { type Exchange, recordingFetch } from './exchange.js';
import { formatLine } from './format-value.js';

/** The messages a worker receives. It receives one `start`. */
export type WorkerInput =
  | { type: 'start'; code: string; environment: Record<string, string> }
  | { type: 'response'; id: number; status: number; headers: [string, string][]; body: ArrayBuffer }
  | { type: 'networkError'; id: number; message: string };

/** The messages a worker sends. The last one is `end`. */
export type WorkerOutput =
  | { type: 'print'; text: string; isError: boolean }
  /** A request that the page sends. */
  | { type: 'request'; id: number; url: string; init: RequestInit }
  /** A request to a mock server that the program created. */
  | { type: 'exchange'; exchange: Exchange }
  | { type: 'end'; error: ThrownError | undefined };

/** An error that a program didn't catch. */
export interface ThrownError {
  name: string;
  message: string;
  /** The line of the program, if it's known. */
  line: number | undefined;
  /** The path of the page about the error, if there is one. */
  docs: string | undefined;
}

/** The modules that a program can import. */
const modules: Record<string, () => Promise<object>> = {
  worktrack: () => import('worktrack'),
  'worktrack/contract': () => import('worktrack/contract'),
  'worktrack/mock-server': async () => {
    const module = await import('worktrack/mock-server');
    return { ...module, createMockServer: recorded(module.createMockServer) };
  },
  'worktrack/explore': () => import('worktrack/explore'),
  'worktrack/testing/node': () => import('worktrack/testing/node'),
  './support/connect.js': () => import('../../../examples/support/connect.js'),
  './support/draw-board.js': () => import('../../../examples/support/draw-board.js'),
};

/** Programs that print or send more than this are probably in a loop, and the page must stay responsive. */
const limits = { lines: 1000, characters: 10_000, exchanges: 500 };

const pending = new Map<number, { resolve(response: Response): void; reject(error: unknown): void }>();
const counts = { lines: 0, exchanges: 0, requests: 0 };

const worker = globalThis as unknown as {
  postMessage(message: WorkerOutput): void;
  onmessage: (event: { data: WorkerInput }) => void;
  onunhandledrejection: (event: { reason: unknown; preventDefault(): void }) => void;
};

worker.onmessage = ({ data }) => {
  if (data.type === 'start') void start(data.code, data.environment);
  else if (data.type === 'networkError') pending.get(data.id)?.reject(new TypeError(data.message));
  else {
    const { status, headers, body } = data;
    const isEmpty = [204, 205, 304].includes(status);
    pending.get(data.id)?.resolve(new Response(isEmpty ? null : body, { status, headers }));
  }
};

async function start(code: string, env: Record<string, string>): Promise<void> {
  let error: unknown;
  const lastRejection = new Error('the program has finished');
  const isReported = new Promise<void>((resolve) => {
    worker.onunhandledrejection = (event) => {
      event.preventDefault();
      if (event.reason === lastRejection) resolve();
      else error ??= event.reason;
    };
  });
  // As in Node.js, `new Worktrack()` reads its connection from the environment, here to the page's mock
  // server.
  Object.assign(globalThis, { fetch: fetchInPage, process: { env }, exports: {} });
  for (const level of ['debug', 'info', 'log', 'warn', 'error'] as const) {
    console[level] = (...values) => print(formatLine(values), level === 'warn' || level === 'error');
  }
  // Programs shouldn't reach the network by accident.
  for (const name of ['EventSource', 'WebSocket', 'WebTransport', 'XMLHttpRequest']) {
    Reflect.deleteProperty(globalThis, name);
  }
  try {
    await run(code);
    // Unhandled rejections are reported later, in order, so this last one shows that all others have been
    // reported.
    void Promise.reject(lastRejection);
    await isReported;
  } catch (thrown) {
    error = thrown;
  }
  worker.postMessage({ type: 'end', error: error === undefined ? undefined : describe(error) });
}

/** Compiles TypeScript, which keeps the line numbers, and runs it as a module, so it can use top-level `await`. */
async function run(source: string): Promise<void> {
  const { code } = transform(source, {
    transforms: ['typescript', 'imports'],
    disableESTransforms: true,
    production: true,
  });
  const names = [...code.matchAll(/\brequire\('([^']+)'\)/g)].map(([, name = '']) => name);
  const loaded = new Map(
    await Promise.all(names.map(async (name) => [name, await modules[name]?.()] as const)),
  );
  Object.assign(globalThis, {
    require(name: string) {
      const module = loaded.get(name);
      if (module) return module;
      throw new Error(`can't import "${name}" here. Programs can import ${Object.keys(modules).join(', ')}.`);
    },
  });
  const url = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));
  await import(/* @vite-ignore */ url);
}

function print(text: string, isError: boolean): void {
  counts.lines += 1;
  if (counts.lines > limits.lines) return;
  worker.postMessage({ type: 'print', text: text.slice(0, limits.characters), isError });
  if (counts.lines === limits.lines) {
    worker.postMessage({
      type: 'print',
      text: `Only the first ${limits.lines} lines are shown.`,
      isError: true,
    });
  }
}

/** Sends a request through the page, which passes only requests to its mock server. */
async function fetchInPage(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init);
  const { method, url, signal } = request;
  const body = await request.arrayBuffer();
  signal.throwIfAborted();
  counts.requests += 1;
  const id = counts.requests;
  const headers = [...request.headers];
  worker.postMessage({
    type: 'request',
    id,
    url,
    init: { method, headers, ...(body.byteLength > 0 && { body }) },
  });
  const response = new Promise<Response>((resolve, reject) => {
    pending.set(id, { resolve, reject });
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  return response.finally(() => pending.delete(id));
}

/** Makes a program's own mock servers report their requests. */
const recorded =
  (create: typeof createMockServer) =>
  (options?: MockServerOptions): ReturnType<typeof createMockServer> => {
    const mock = create(options);
    const report = (exchange: Exchange) => {
      counts.exchanges += 1;
      if (counts.exchanges <= limits.exchanges) worker.postMessage({ type: 'exchange', exchange });
    };
    return Object.assign(mock, { fetch: recordingFetch(mock.fetch, report) });
  };

function describe(error: unknown): ThrownError {
  if (!(error instanceof Error)) {
    return { name: 'Uncaught', message: formatLine([error]), line: undefined, docs: undefined };
  }
  const { name, message, stack = '' } = error;
  const docs = 'docs' in error ? String(error.docs) : undefined;
  // The compiler adds the line and column of a syntax error to the message.
  const [place, position] = / \((\d+):\d+\)$/.exec(message) ?? [];
  const line = position ?? /blob:[^\s)]*:(\d+):\d+/.exec(stack)?.[1];
  return {
    name,
    message: place ? message.slice(0, -place.length) : message,
    line: line === undefined ? undefined : Number(line),
    docs,
  };
}
