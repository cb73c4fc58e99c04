import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from '../entries.js';
import { launchChromium } from '../support/chromium.js';
import type { Run, Runtime, Trial } from './runtime.js';

type Page = import('playwright-core').Page;

/** Runtimes that run the bundled package in a web page. */
export const chromium: readonly Runtime[] = [
  {
    name: 'Chromium, page',
    install: () => inPage((page, { served }) => page.evaluate(`runtimes.main(${JSON.stringify(served)})`)),
  },
  {
    name: 'Chromium, MSW worker',
    install: () => inPage((page) => page.evaluate('runtimes.serviceWorker()')),
  },
];

async function inPage(program: (page: Page, trial: Trial) => Promise<unknown>): Promise<Run> {
  const browser = await launchChromium();
  return async (trial) => {
    const site = await serve(trial.home);
    try {
      const page = await browser.newPage();
      await page.goto(site.url);
      await page.waitForFunction('globalThis.runtimes');
      await program(page, trial);
      return browser.version();
    } finally {
      await browser.close();
      await site.close();
    }
  };
}

/** Serves a page that loads the bundle. MSW's service worker must be at the site's root. */
async function serve(home: string) {
  const { outputFiles } = await build({
    entryPoints: [join(home, 'page.mjs')],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    logLevel: 'error',
  });
  const files: Record<string, { type: string; body: string | Buffer }> = {
    '/': { type: 'text/html', body: '<!doctype html><script type="module" src="/page.js"></script>' },
    '/page.js': { type: 'text/javascript', body: outputFiles[0]?.text ?? '' },
    '/mockServiceWorker.js': {
      type: 'text/javascript',
      body: await readFile(join(root, 'node_modules/msw/lib/mockServiceWorker.js')),
    },
  };
  const server = createServer(({ url = '' }, response) => {
    const file = files[url];
    response.writeHead(file ? 200 : 404, { 'content-type': file?.type ?? 'text/plain' }).end(file?.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}/`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
