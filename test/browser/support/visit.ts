import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest';
import { findDarkViolations, findViolations, overflowOf } from './page-checks.js';

/** A page of the site, with methods for checking it. */
export interface Visit {
  page: Page;
  /** Describes the violations axe finds. */
  violations(): Promise<string[]>;
  /** Describes the colors with too little contrast in dark mode, and leaves the page in dark mode. */
  darkViolations(): Promise<string[]>;
  /** Returns how much wider the page is than the window, in pixels. */
  overflow(): Promise<number>;
}

/**
 * Opens pages of the built site in Chromium. A test fails if its page logs a console error or sends a request
 * to another host.
 */
export function useSite(): (path: string, options?: BrowserContextOptions) => Promise<Visit> {
  const url = inject('siteUrl');
  let browser: Browser;
  let problems: string[] = [];

  beforeAll(async () => {
    browser = await chromium.connect(inject('browser'));
  });
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close();
    expect(problems.splice(0)).toEqual([]);
  });
  // Only disconnect from the browser, because it keeps running for other test files.
  afterAll(() => browser?.close());

  return async (path, options = {}) => {
    problems = [];
    const context = await browser.newContext({ acceptDownloads: true, ...options });
    const page = await context.newPage();
    page.on('pageerror', (error) => problems.push(`uncaught: ${error.message}`));
    page.on('console', (message) => {
      // Ignore failed requests, which some tests cause on purpose.
      // Also ignore modules that can't be loaded from disk, because the pages handle that error.
      const { url: from } = message.location();
      if (
        message.type() === 'error' &&
        !from.startsWith('file:') &&
        from !== page.url() &&
        !page.url().startsWith('file:')
      )
        problems.push(`console: ${message.text()}`);
    });
    page.on('response', (response) => {
      const { host } = new URL(response.url());
      if (/^(data|blob|file):/.test(response.url()) || host === new URL(url).host) return;
      problems.push(`request to another host: ${response.url()}`);
    });
    page.on('requestfailed', (request) => {
      if (!request.url().startsWith('file:') && new URL(request.url()).host !== new URL(url).host)
        problems.push(`failed request: ${request.url()}`);
    });
    await page.goto(url + path, { waitUntil: 'load' });
    return {
      page,
      violations: () => findViolations(page),
      darkViolations: () => findDarkViolations(page),
      overflow: () => overflowOf(page),
    };
  };
}
