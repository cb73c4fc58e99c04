import { ConnectionFault } from './faults/fault.js';

/**
 * Handlers that MSW takes: `setupServer(...mock.handlers)`, `setupWorker(...mock.handlers)`.
 *
 * They are made without importing MSW, which is optional, and MSW's handler classes are nominal
 * types that differ between its versions and module formats; `never` fits all of them.
 */
export type MswHandlers = readonly never[];

/**
 * One handler for every request that the server takes, in the form that MSW 2.15 and later and
 * MSW 3 run. The router behind it is the engine's own: one handler a route would be tried one
 * after another.
 */
export function mswHandlers(
  name: string,
  takes: (request: Request) => boolean,
  answer: (request: Request) => Promise<Response>,
): MswHandlers {
  const handler = {
    kind: 'request' as const,
    info: { header: `worktrack ${name}` },
    isUsed: false,
    test: async ({ request }: { request: Request }) => takes(request),
    async run({ request }: { request: Request }) {
      if (!takes(request)) return null;
      handler.isUsed = true;
      return { handler, request, response: await answered(request, answer) };
    },
    // MSW in a browser prints what was handled, and tells its handlers when their state should go:
    // this one has none, the server is reset by `mock.reset()`.
    log() {},
    reset() {},
    restore() {},
    dispose() {},
  };
  return [handler as never];
}

/** A request reached a mock server, or MSW beside it, that no operation answers. */
export class UnhandledRequestError extends TypeError {
  constructor(message: string) {
    super(message);
    this.name = 'UnhandledRequestError';
  }
}

/**
 * Options for MSW's `listen` and `start`, under the names of MSW 2 and of MSW 3: a request that
 * nothing handles fails, and the message says which operation it may have meant.
 */
export interface MswOptions {
  onUnhandledRequest(request: Request): void;
  onUnhandledFrame(args: { frame: unknown }): void;
}

/** @param describe what is wrong with a request for the mock server; undefined for others' requests */
export function mswOptions(describe: (request: Request) => string | undefined): MswOptions {
  const fail = (request: Request): never => {
    const what = describe(request) ?? `Nothing handles ${request.method} ${request.url}.`;
    const error = new UnhandledRequestError(what);
    // MSW answers with a network error that does not tell why.
    console.error(`[worktrack] ${error.message}`);
    throw error;
  };
  return {
    onUnhandledRequest: fail,
    onUnhandledFrame({ frame }) {
      const { request } = (frame as { data: { request?: Request } }).data;
      if (request) fail(request);
    },
  };
}

/**
 * MSW shows a network error where it is given one. An aborted request has failed already for
 * whoever sent it; MSW would print the reason as a crash.
 */
async function answered(
  request: Request,
  answer: (request: Request) => Promise<Response>,
): Promise<Response> {
  try {
    return await answer(request);
  } catch (error) {
    if (request.signal.aborted || error instanceof ConnectionFault) return Response.error();
    throw error;
  }
}
