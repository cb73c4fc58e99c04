import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from '../entries.js';
import { launchChromium } from '../support/chromium.js';
import { serveFolder } from '../support/serve-folder.js';
import type { Run, Runtime, Trial } from './programs.js';

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
    const { url, server } = await serve(trial.home);
    try {
      const page = await browser.newPage();
      await page.goto(url);
      await page.waitForFunction('globalThis.runtimes');
      await program(page, trial);
      return browser.version();
    } finally {
      await browser.close();
      server.close();
    }
  };
}

/** Serves a page that loads the bundle. MSW's service worker must be at the site's root. */
async function serve(home: string) {
  const folder = join(home, 'site');
  await build({
    entryPoints: [join(home, 'page.mjs')],
    outfile: join(folder, 'page.js'),
    bundle: true,
    format: 'esm',
    platform: 'browser',
    logLevel: 'error',
  });
  copyFileSync(join(root, 'node_modules/msw/lib/mockServiceWorker.js'), join(folder, 'mockServiceWorker.js'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><script type="module" src="/page.js"></script>');
  return serveFolder(folder);
}
