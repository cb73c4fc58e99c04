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
      return { handler, request, response: await answer(request) };
    },
    // MSW in a browser prints what was handled; the server's journal is the better account of it.
    log() {},
  };
  return [handler as never];
}
