import { createMockServer, type MockServer, type MockServerOptions } from 'worktrack/mock-server';

/** A mock server that runs in the page. */
export interface PageServer {
  mock: MockServer;
  fetch: typeof fetch;
  /** Whether a service worker intercepts the requests. If not, `fetch` is `mock.fetch`. */
  intercepted: boolean;
}

let serverCount = 0;

/**
 * Creates a mock server in the page. MSW's service worker routes requests to it. If service workers aren't
 * available, for example because the page isn't served over HTTPS, `fetch` is `mock.fetch`.
 */
export async function openPageServer(options: MockServerOptions): Promise<PageServer> {
  serverCount += 1;
  const mock = createMockServer({ ...options, baseUrl: `https://server-${serverCount}.worktrack.test` });
  worker ??= startWorker();
  const running = await worker;
  if (!running) return { mock, fetch: mock.fetch, intercepted: false };
  running.use(...mock.handlers);
  return { mock, fetch: (input, init) => fetch(input, init), intercepted: true };
}

type Worker = Awaited<ReturnType<typeof startWorker>>;
let worker: Promise<Worker> | undefined;

async function startWorker() {
  if (!('serviceWorker' in navigator)) return undefined;
  try {
    const { setupWorker } = await import('msw/browser');
    const started = setupWorker();
    await started.start({
      quiet: true,
      onUnhandledRequest: 'bypass',
      serviceWorker: { url: `${import.meta.env.BASE_URL}mockServiceWorker.js` },
    });
    return started;
  } catch {
    return undefined;
  }
}
