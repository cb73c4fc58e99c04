import { expect, test } from 'vitest';
import { Worktrack } from 'worktrack';
import { useConsole } from './support/console.js';
import { cards, expectSoon } from './support/playground.js';
import { useSite } from './support/visit.js';

// `npm test` runs only this file in the browser.

const visitSite = useSite();
const { visit: visitConsole } = useConsole();

test('the home page demonstrates a move that the mock server rejects', async () => {
  const { page } = await visitSite('', { viewport: { width: 1280, height: 900 } });
  await page.waitForSelector('.hero-board [data-demonstrated="true"] .card');
  expect(await page.textContent('.hero-exchange')).toMatch(/tkt_radio\/move\s*422/);
});

test('a guide shows its title and sidebar', async () => {
  const { page } = await visitSite('guide/error-handling.html');
  expect(await page.textContent('h1')).toContain('Error handling');
  expect(await page.locator('.VPSidebarItem a[href$="guide/error-handling.html"]').count()).toBeGreaterThan(
    0,
  );
});

test('the console shows a move that a client makes', async () => {
  const { page, server } = await visitConsole();
  const client = new Worktrack(server.clientOptions());
  await client.tickets.move('tkt_radio', { board_id: 'brd_doing', position: 0 });
  await expectSoon(() => cards(page, 'brd_doing')).toEqual(['Radio check', 'Guidance program']);
});
