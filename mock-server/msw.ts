import { ConnectionFault } from './faults/fault.js';

/**
 * Handlers for MSW: `setupServer(...mock.handlers)`, `setupWorker(...mock.handlers)`.
 *
 * They're created without importing MSW, because it's an optional dependency. The items have the type
 * `never`, which is assignable to any type. MSW's own handler classes are incompatible across versions and
 * module formats.
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
    // MSW calls these methods in browsers. They do nothing, because only `mock.reset()` should reset the
    // server.
    log() {},
    reset() {},
    restore() {},
    dispose() {},
  };
  return [handler as never];
}

/** Explains why no operation handled a request. It's the cause of the error that `fetch` rejects with. */
export class UnhandledRequestError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnhandledRequestError';
  }
}

/** Returns the error that `fetch` rejects with if the connection fails. */
export const networkError = (cause: Error): TypeError => new TypeError('fetch failed', { cause });

/** Returns the network error for an unhandled request. */
export function unhandledError(explanation: string): TypeError {
  const cause = new UnhandledRequestError(explanation);
  // Retrying wouldn't help, because the server will never handle this request.
  return Object.assign(networkError(cause), { code: 'ECONNREFUSED', retryable: false });
}

/**
 * Options for `listen` and `start` in MSW 2 and MSW 3. An unhandled request fails with a network error whose
 * cause suggests the right operation, and it's recorded in the journal.
 */
export interface MswOptions {
  onUnhandledRequest(request: Request): void;
  onUnhandledFrame(args: { frame: unknown }): void;
}

/** @param reject records an unhandled request and returns the network error for it */
export function mswOptions(reject: (request: Request) => TypeError): MswOptions {
  const fail = (request: Request): never => {
    const error = reject(request);
    // Print the message, because the code under test may swallow the error.
    console.error(`[worktrack] ${(error.cause as Error).message}`);
    throw asThrown(error);
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
 * Returns the value that a handler must throw to make `fetch` reject. MSW converts other thrown errors to
 * responses with status 500.
 */
const asThrown = ({ cause, ...flags }: TypeError & { cause?: unknown }): unknown =>
  globalThis.process?.versions?.node
    ? // These properties make MSW treat the error as a network error in Node.js. `fetch` makes it the cause of
      // its `TypeError`.
      Object.assign(cause as Error, flags, { code: 'ERR_UNHANDLED_REQUEST', errno: undefined })
    : Response.error();

/**
 * If a fault closes the connection or the request is aborted, responds with `Response.error()`, which MSW
 * reports as a network error. If the error were rethrown, MSW would log an aborted request as a crash.
 */
async function respondOrFail(
  request: Request,
  respond: (request: Request) => Promise<Response>,
): Promise<Response> {
  try {
    return await respond(request);
  } catch (error) {
    if (request.signal.aborted || error instanceof ConnectionFault) return Response.error();
    throw error instanceof TypeError && error.cause instanceof UnhandledRequestError
      ? asThrown(error)
      : error;
  }
}
