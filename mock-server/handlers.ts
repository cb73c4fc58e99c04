/**
 * Handlers that MSW takes: `setupServer(...mock.handlers)`, `setupWorker(...mock.handlers)`.
 *
 * They are made without importing MSW, which is optional, and MSW's handler classes are nominal
 * types that differ between its versions and module formats; `never` fits all of them.
 */
export type MswHandlers = readonly never[];

/**
 * One handler for every request to the origin, in the form that MSW 2.15 and later and MSW 3 run.
 * The router behind it is the engine's own: one handler a route would be tried one after another.
 */
export function mswHandlers(origin: string, answer: (request: Request) => Promise<Response>): MswHandlers {
  const handler = {
    kind: 'request' as const,
    info: { header: `worktrack ${origin}` },
    isUsed: false,
    test: async ({ request }: { request: Request }) => request.url.startsWith(`${origin}/`),
    async run({ request }: { request: Request }) {
      if (!request.url.startsWith(`${origin}/`)) return null;
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

/** An aborted request has failed already for whoever sent it; MSW would print the reason as a crash. */
async function answered(
  request: Request,
  answer: (request: Request) => Promise<Response>,
): Promise<Response> {
  try {
    return await answer(request);
  } catch (error) {
    if (request.signal.aborted) return Response.error();
    throw error;
  }
}
