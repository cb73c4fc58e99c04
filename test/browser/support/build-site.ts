import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { root } from '../../../tools/entries.js';
import { startChromiumServer } from '../../../tools/support/chromium.js';
import { serveFolder } from '../../../tools/support/serve-folder.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder that contains the built site. */
    site: string;
    /** The site's URL, with a trailing slash. */
    siteUrl: string;
    /** The browser endpoint for `chromium.connect()`. */
    browser: string;
  }
}

/** Builds the site and the console, serves the site, and starts the browser once for all test files. */
export default async function setUpSite(project: TestProject): Promise<() => Promise<void>> {
  // On many static hosts, the site has a base path.
  const base = '/worktrack/';
  const folder = mkdtempSync(join(tmpdir(), 'worktrack-site-'));
  const [browser] = await Promise.all([startChromiumServer(), build(folder, base), buildConsole()]);
  const { url, server } = await serveFolder(folder, { base });
  project.provide('site', folder);
  project.provide('siteUrl', url);
  project.provide('browser', browser.wsEndpoint());
  return async () => {
    await browser.close();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  };
}

async function build(folder: string, base: string): Promise<void> {
  const typed = 'guide/pagination.md,testing/explore-failures.md';
  const options = ['--base', base, '--out', folder, '--type-hovers', typed];
  await run('the site', ['--import', 'tsx', 'tools/docs.ts', 'build', ...options]);
}

/** Builds the console where the mock server looks for it, unless `npm test` has just built it. */
async function buildConsole(): Promise<void> {
  if (process.env.WORKTRACK_IS_BUILT) return;
  const args = ['node_modules/vite/bin/vite.js', 'build', '--config', 'addons/console/vite.config.ts'];
  await run('the console', args);
}

async function run(target: string, args: string[]): Promise<void> {
  // Vitest sets NODE_ENV to `test`, which would include the development build of Vue.
  const options = { cwd: root, env: { ...process.env, NODE_ENV: 'production' } };
  await promisify(execFile)(process.execPath, args, options).catch(({ stdout, stderr }) => {
    throw new Error(`failed to build ${target}:\n${stdout}\n${stderr}`);
  });
}
