import { createMockServer, type MockServer, type MockServerOptions } from 'worktrack/mock-server';

/** A reference server that the page's own requests reach. */
export interface PageServer {
  mock: MockServer;
  fetch: typeof fetch;
  /** Whether a service worker carries the requests; else the server is called as a function. */
  intercepted: boolean;
}

let opened = 0;

/**
 * Makes a reference server in the page. Requests reach it through MSW's service worker; where the
 * browser has none (a page from disk, a host without TLS) the server's own `fetch` is used instead.
 */
export async function openPageServer(options: MockServerOptions): Promise<PageServer> {
  opened += 1;
  const mock = createMockServer({ ...options, baseUrl: `https://server-${opened}.worktrack.test` });
  worker ??= startWorker();
  const intercepting = await worker;
  if (!intercepting) return { mock, fetch: mock.fetch, intercepted: false };
  intercepting.use(...mock.handlers);
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
