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
