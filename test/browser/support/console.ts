import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest';
import type { World } from 'worktrack/mock-server';
import { type ListeningServer, type ListenOptions, listen } from 'worktrack/mock-server/node';
import { apolloWorld } from '../../../docs/.vitepress/content/world.js';

/** A console page and its mock server. */
interface ConsoleVisit {
  page: Page;
  server: ListeningServer;
  /** Opens another view. */
  show(view: string): Promise<void>;
}

/** The Apollo seed data with a second, read-only credential. */
export const consoleWorld: World = {
  organizations: apolloWorld.organizations.map((organization) => ({
    ...organization,
    credentials: [
      ...(organization.credentials ?? []),
      {
        id: 'crd_reader',
        token: 'wt_secret_reader',
        name: 'Reader',
        scopes: ['tickets:read', 'projects:read'],
      },
    ],
  })),
};

/**
 * Opens consoles in a shared browser, each with its own server. A test fails if its page logs an error, sends
 * a request to another host, or contains a token.
 */
export function useConsole() {
  let browser: Browser;
  let servers: ListeningServer[] = [];
  let pages: { page: Page; problems: string[] }[] = [];

  beforeAll(async () => {
    browser = await chromium.connect(inject('browser'));
  });
  afterEach(async () => {
    const checked = pages;
    pages = [];
    for (const { page, problems } of checked) {
      expect(await page.content()).not.toMatch(/wt_example|wt_secret_reader|admin-secret/);
      expect(problems).toEqual([]);
    }
    for (const context of browser.contexts()) await context.close();
    for (const server of servers) await server.close();
    servers = [];
  });
  afterAll(() => browser?.close());

  const serve = async (options: ListenOptions = {}): Promise<ListeningServer> => {
    const server = await listen({ world: consoleWorld, now: 'real', ...options });
    servers.push(server);
    return server;
  };
  const open = async (
    server: ListeningServer,
    options: BrowserContextOptions = {},
  ): Promise<ConsoleVisit> => {
    const context = await browser.newContext({ acceptDownloads: true, ...options });
    const page = await context.newPage();
    pages.push({ page, problems: watch(page, server.url) });
    await page.goto(`${server.url}/__admin/#/boards`);
    await page.waitForSelector('.console');
    const show = async (view: string) => {
      await page.evaluate((hash) => {
        location.hash = hash;
      }, `#/${view}`);
      await page.waitForSelector(`.side-nav a[href^="#/${view.split('/')[0]}"][aria-current]`);
    };
    return { page, server, show };
  };
  /** Starts a server, opens its console, and waits for the live connection. */
  const visit = async (options: BrowserContextOptions = {}, listenOptions: ListenOptions = {}) => {
    const visited = await open(await serve(listenOptions), options);
    await visited.page.waitForSelector('.console[data-connection="live"]');
    return visited;
  };
  return { serve, open, visit };
}

/** Collects a page's console errors and requests to other hosts. */
function watch(page: Page, url: string): string[] {
  const problems: string[] = [];
  const { host } = new URL(url);
  page.on('pageerror', (error) => problems.push(`uncaught: ${error.message}`));
  page.on('console', (message) => {
    // Browsers log failed requests, which some tests cause on purpose.
    const isRequest = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isRequest) problems.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).host !== host)
      problems.push(`request to another host: ${request.url()}`);
  });
  return problems;
}
