import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import { useSite, type Visit } from './visit.js';

/** Returns a function that opens the playground and waits until its boards are visible. */
export function usePlayground(): (options?: BrowserContextOptions) => Promise<Visit> {
  const visit = useSite();
  return async (options = {}) => {
    const visited = await visit('playground.html', options);
    const { page } = visited;
    await page.waitForSelector('.playground[data-ready="true"] .card');
    await page.waitForSelector('.cm-content');
    return visited;
  };
}

/** Reads the titles of a board's cards, in order. */
export const cards = (page: Page, board: string) =>
  page.locator(`[data-board="${board}"] .card-title`).allTextContents();

export const handle = (page: Page, ticket: string) => page.locator(`[data-ticket="${ticket}"] [data-handle]`);

/** Retries an assertion until it passes, because pages update asynchronously. */
export const expectSoon = (read: () => Promise<unknown>) => expect.poll(read, { interval: 30 });

export const announced = (page: Page) => page.textContent('[data-announcement]');

/** Drags a ticket to a board with the mouse. */
export async function drag(page: Page, ticket: string, board: string): Promise<void> {
  await page.locator(`[data-ticket="${ticket}"]`).scrollIntoViewIfNeeded();
  const from = await page.locator(`[data-ticket="${ticket}"] .card-line`).boundingBox();
  const to = await page.locator(`[data-board="${board}"]`).boundingBox();
  if (!from || !to) throw new Error('the page does not show the ticket or the board');
  await page.mouse.move(from.x + from.width - 6, from.y + 6);
  await page.mouse.down();
  await page.mouse.move(to.x + to.width / 2, to.y + 40, { steps: 4 });
  await page.mouse.move(to.x + to.width / 2, to.y + 50);
  await page.mouse.up();
}

/** Moves a ticket with the keyboard: presses Space, the arrow keys, and Space again. */
export async function moveWithKeyboard(page: Page, ticket: string, ...arrows: string[]): Promise<void> {
  await handle(page, ticket).focus();
  for (const key of ['Space', ...arrows, 'Space']) await page.keyboard.press(key);
}

/** Imports a file into the playground. */
export const importFile = (page: Page, name: string, text: string) =>
  page.setInputFiles('.server-bar input', { name, mimeType: 'application/json', buffer: Buffer.from(text) });
