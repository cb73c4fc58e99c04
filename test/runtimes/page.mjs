// For a page in a browser.
import { setupWorker } from 'msw/browser';
import { Worktrack } from 'worktrack';
import { createMockServer } from 'worktrack/mock-server';
import { main } from './program.mjs';

globalThis.runtimes = {
  main,
  /** The reference server behind MSW's service worker, reached by the page's own fetch. */
  async serviceWorker() {
    const mock = createMockServer({ baseUrl: location.origin });
    const worker = setupWorker(...mock.handlers);
    await worker.start({ quiet: true, onUnhandledRequest: 'bypass' });
    const client = new Worktrack(mock.clientOptions());
    const { name } = await client.projects.create({ name: 'Apollo', key: 'APO' });
    worker.stop();
    if (name !== 'Apollo') throw new Error(`the service worker answered ${name}`);
  },
};
