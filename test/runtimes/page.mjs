// This is the entry point for browsers.
import { setupWorker } from 'msw/browser';
import { Worktrack } from 'worktrack';
import { createMockServer } from 'worktrack/mock-server';
import { main } from './program.mjs';

globalThis.runtimes = {
  main,
  /** Calls the mock server with the page's `fetch` through MSW's service worker. */
  async serviceWorker() {
    const mock = createMockServer({ baseUrl: location.origin });
    const worker = setupWorker(...mock.handlers);
    await worker.start({ quiet: true, onUnhandledFrame: 'bypass' });
    const client = new Worktrack(mock.clientOptions());
    const { name } = await client.projects.create({ name: 'Apollo', key: 'APO' });
    worker.stop();
    if (name !== 'Apollo') throw new Error(`the service worker returned ${name}`);
  },
};
