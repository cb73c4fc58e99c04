import { ConnectionFault } from './faults/fault.js';

/**
 * Handlers for MSW: `setupServer(...mock.handlers)`, `setupWorker(...mock.handlers)`.
 *
 * They are created without importing MSW, which is an optional dependency. MSW's handler classes are nominal
 * types that differ between versions and module formats. The items have the type `never` because `never` is
 * assignable to every handler class.
 */
export type MswHandlers = readonly never[];

/**
 * Creates a single MSW handler for all requests. Requires MSW 2.15 or later. The engine does the routing
 * because MSW would take two to four times as long with one handler per route.
 */
export function mswHandlers(
  name: string,
  matches: (request: Request) => boolean,
  respond: (request: Request) => Promise<Response>,
): MswHandlers {
  const handler = {
    kind: 'request' as const,
    info: { header: `worktrack ${name}` },
    isUsed: false,
    test: async ({ request }: { request: Request }) => matches(request),
    async run({ request }: { request: Request }) {
      if (!matches(request)) return null;
      handler.isUsed = true;
      return { handler, request, response: await respondOrFail(request, respond) };
    },
    // MSW calls these methods in browsers. They do nothing because `mock.reset()` resets the server.
    log() {},
    reset() {},
    restore() {},
    dispose() {},
  };
  return [handler as never];
}

/** Thrown if a request doesn't match any of the mock server's operations or any MSW handler. */
export class UnhandledRequestError extends TypeError {
  constructor(message: string) {
    super(message);
    this.name = 'UnhandledRequestError';
  }
}

/**
 * Options for `listen` and `start` in MSW 2 and MSW 3. An unhandled request fails with an error that suggests
 * the right operation.
 */
export interface MswOptions {
  onUnhandledRequest(request: Request): void;
  onUnhandledFrame(args: { frame: unknown }): void;
}

/**
 * @param describe returns what is wrong with a request to the mock server, or undefined for a request to
 * another server
 */
export function mswOptions(describe: (request: Request) => string | undefined): MswOptions {
  const fail = (request: Request): never => {
    const what = describe(request) ?? `No handler matches ${request.method} ${request.url}.`;
    const error = new UnhandledRequestError(what);
    // MSW fails the request with a network error that doesn't include this message.
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
 * Responds with `Response.error()` if a fault closes the connection or the request is aborted. MSW reports it
 * as a network error. MSW would log a rethrown abort as a crash.
 */
async function respondOrFail(
  request: Request,
  respond: (request: Request) => Promise<Response>,
): Promise<Response> {
  try {
    return await respond(request);
  } catch (error) {
    if (request.signal.aborted || error instanceof ConnectionFault) return Response.error();
    throw error;
  }
}
