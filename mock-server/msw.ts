import { ConnectionFault } from './faults/fault.js';

/**
 * Handlers for MSW: `setupServer(...mock.handlers)`, `setupWorker(...mock.handlers)`.
 *
 * They are created without importing MSW, which is optional. Its handler classes are nominal types that
 * differ between versions and module formats, so the type is `never`, which is assignable to all of them.
 */
export type MswHandlers = readonly never[];

/**
 * Creates one handler for all requests to the server, for MSW 2.15 or later and MSW 3. The engine routes them:
 * MSW would try one handler per route in turn, which takes two to four times as long.
 */
export function mswHandlers(
  name: string,
  takes: (request: Request) => boolean,
  respond: (request: Request) => Promise<Response>,
): MswHandlers {
  const handler = {
    kind: 'request' as const,
    info: { header: `worktrack ${name}` },
    isUsed: false,
    test: async ({ request }: { request: Request }) => takes(request),
    async run({ request }: { request: Request }) {
      if (!takes(request)) return null;
      handler.isUsed = true;
      return { handler, request, response: await respondOrFail(request, respond) };
    },
    // MSW calls these methods in a browser. The handler has no state; `mock.reset()` resets the server.
    log() {},
    reset() {},
    restore() {},
    dispose() {},
  };
  return [handler as never];
}

/** Thrown if a request matches no operation of the mock server, or no MSW handler. */
export class UnhandledRequestError extends TypeError {
  constructor(message: string) {
    super(message);
    this.name = 'UnhandledRequestError';
  }
}

/**
 * Options for MSW's `listen` and `start`, with the names of MSW 2 and MSW 3. An unhandled request fails with a
 * message that suggests the right operation.
 */
export interface MswOptions {
  onUnhandledRequest(request: Request): void;
  onUnhandledFrame(args: { frame: unknown }): void;
}

/**
 * @param describe describes the problem of a request to the mock server; returns undefined for requests to
 * other servers
 */
export function mswOptions(describe: (request: Request) => string | undefined): MswOptions {
  const fail = (request: Request): never => {
    const what = describe(request) ?? `No handler matches ${request.method} ${request.url}.`;
    const error = new UnhandledRequestError(what);
    // MSW fails the request with a network error that doesn't contain the message.
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
 * `Response.error()` makes MSW report a network error. An aborted request has already failed for its sender,
 * and rethrowing the reason would make MSW print it as a crash.
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
