// Renders the site's images into docs/public: the link preview from docs/.vitepress/social-image.svg, and
// pictures of the web console for the home page and the README. First, run `npm run build`, which builds the
// console.

import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { Worktrack, WorktrackError } from 'worktrack';
import { listen } from 'worktrack/mock-server/node';
import { apolloWorld } from '../docs/.vitepress/content/world.js';
import { root } from './entries.js';
import { launchChromium } from './support/chromium.js';

/** The pictures of the console. */
const pictures = [
  { name: 'console-light', view: 'requests', colorScheme: 'light', width: 1280, height: 800 },
  { name: 'console-dark', view: 'requests', colorScheme: 'dark', width: 1280, height: 800 },
  { name: 'console', view: 'boards', colorScheme: 'light', width: 1440, height: 600 },
] as const;

const browser = await launchChromium();
try {
  await renderPreview(browser);
  for (const picture of pictures) await renderConsole(browser, picture);
} finally {
  await browser.close();
}

async function renderPreview(browser: Browser): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1200, height: 630 } });
  const svg = await readFile(`${root}docs/.vitepress/social-image.svg`, 'utf8');
  await page.setContent(`<style>body { margin: 0 } svg { display: block }</style>${svg}`);
  await page.screenshot({ path: `${root}docs/public/social.png` });
  await page.close();
}

/**
 * Takes a screenshot of the console after the server has handled several requests and rejected one of them.
 */
async function renderConsole(
  browser: Browser,
  { name, view, colorScheme, width, height }: (typeof pictures)[number],
): Promise<void> {
  const server = await listen({ world: apolloWorld, now: '2026-01-05T09:00:00Z' });
  const page = await browser.newPage({ viewport: { width, height }, colorScheme });
  try {
    await page.goto(`${server.url}/__admin/#/${view}`);
    await page.waitForSelector('.console[data-connection="live"]');
    await useServer(new Worktrack(server.clientOptions()));
    if (view === 'requests') await page.getByText('422').first().click();
    await page.waitForTimeout(500);
    await page.screenshot({ path: `${root}docs/public/${name}.png` });
  } finally {
    await page.close();
    await server.close();
  }
}

/** Sends requests that an app might send. */
async function useServer(client: Worktrack): Promise<void> {
  const [project] = await client.projects.list();
  if (!project) throw new Error('the seed data has no project');
  const boards = await client.boards.list(project.id);
  const review = boards.find(({ name }) => name === 'Review');
  if (!review) throw new Error('the seed data has no board named Review');
  const tickets = await client.tickets.list(project.id).toArray({ limit: 2 });
  await client.tickets.create(project.id, { board_id: review.id, title: 'Telemetry dropouts' });
  await client.documents.list({ tags: 'launch' });
  for (const { id } of tickets)
    await client.tickets.move(id, { board_id: review.id }).catch((error: unknown) => {
      if (!(error instanceof WorktrackError)) throw error;
    });
  await client.projects.analytics.get(project.id);
}
