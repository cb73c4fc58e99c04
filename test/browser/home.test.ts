import { gzipSync } from 'node:zlib';
import type { BrowserContextOptions } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { announced, cards, drag, expectSoon, moveWithKeyboard } from './support/playground.js';
import { useSite } from './support/visit.js';

const visit = useSite();

/** Opens the home page and waits until the user can take over the board. */
async function visitBoard(options: BrowserContextOptions = { reducedMotion: 'reduce' }) {
  const visited = await visit('', { viewport: { width: 1280, height: 900 }, ...options });
  await visited.page.waitForSelector('.hero-board [data-demonstrated="true"] .card');
  return visited;
}

describe('the board on the home page', () => {
  test('first demonstrates one rejected move, and then reports the result of each action by the user', async () => {
    const { page } = await visitBoard({});
    expect(await page.textContent('.hero-exchange')).toMatch(/tkt_radio\/move\s*422/);
    expect(await page.textContent('.hero-error')).toContain('would exceed the WIP limit of board "Doing"');
    expect(await page.textContent('.hero-hint')).toContain('Your turn');
    expect(await page.locator('.hero-pointer').count()).toBe(0);

    const limit = page.locator('[data-board="brd_doing"] input[type="number"]');
    await limit.fill('2');
    await limit.press('Tab');
    await expectSoon(() => page.textContent('.hero-result')).toBe('Doing now has a WIP limit of 2.');
    expect(await page.textContent('.hero-code')).toBe(
      "await client.boards.update('brd_doing', { wip_limit: 2 });",
    );
    expect(await page.textContent('.hero-hint')).toContain('Now drag');

    await drag(page, 'tkt_radio', 'brd_doing');
    await expectSoon(() => page.textContent('.hero-result')).toMatch(/^Moved Radio check to Doing/);
    await limit.fill('0');
    await limit.press('Tab');
    await expectSoon(() => page.textContent('.hero-error')).toContain('InvalidRequestError');
    expect(await page.locator('.hero-exchange').count()).toBe(0);
  });

  test('stops the demonstration as soon as the user moves the pointer over the board', async () => {
    const { page } = await visit('', { viewport: { width: 1280, height: 900 } });
    await page.waitForSelector('.hero-pointer');
    await page.hover('.hero-trace');
    await page.waitForSelector('.hero-board [data-demonstrated="true"]');
    expect(await page.locator('.hero-exchange').count()).toBe(0);
    expect(await page.textContent('.hero-hint')).toContain('which is full');
  });

  test('shows the call, the request, and the error if the mock server rejects a move', async () => {
    const { page, violations } = await visitBoard();
    await drag(page, 'tkt_radio', 'brd_doing');
    await expectSoon(() => page.textContent('.hero-code')).toMatch(
      /^await client\.tickets\.move\('tkt_radio', \{ board_id: 'brd_doing', position: \d \}\);$/,
    );
    await expectSoon(() => page.textContent('.hero-exchange')).toMatch(
      /POST \/api\/v1\/tickets\/tkt_radio\/move\s*422/,
    );
    const link = page.locator('.hero-error a');
    expect(await link.textContent()).toBe('wip_limit_reached');
    expect(await link.getAttribute('href')).toBe('/worktrack/errors/wip_limit_reached.html');
    expect(await cards(page, 'brd_doing')).toEqual(['Guidance program']);
    expect(await violations()).toEqual([]);
  });

  test('shows the request after the user moves a ticket with the keyboard', async () => {
    const { page } = await visitBoard();
    await moveWithKeyboard(page, 'tkt_guidance', 'ArrowRight');
    await expectSoon(() => page.textContent('.hero-exchange')).toMatch(/tkt_guidance\/move\s*200/);
    await expectSoon(() => cards(page, 'brd_done')).toContain('Guidance program');
    await expectSoon(() => announced(page)).toMatch(/^Moved Guidance program to Done/);
  });

  test('is only a preview until the user scrolls to it', async () => {
    const { page, overflow } = await visit('', { viewport: { width: 390, height: 500 } });
    expect(await page.locator('.hero-preview').count()).toBe(1);
    await page.locator('.hero-board').scrollIntoViewIfNeeded();
    await page.waitForSelector('.hero-board [data-ready="true"] .card');
    expect(await overflow()).toBeLessThanOrEqual(0);
  });
});

test('the install command has a copy button', async () => {
  const { page } = await visit('', { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.click('.install-command button');
  await expectSoon(() => page.textContent('.install-command button')).toBe('Copied');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('npm install worktrack');
});

test('the home page loads at most 250 kB of gzipped JavaScript before any user interaction', async () => {
  // At this window size, the board is below the visible part of the page.
  const { page } = await visit('', { viewport: { width: 390, height: 400 } });
  await page.waitForLoadState('networkidle');
  const urls = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map(({ name }) => name)
      .filter((name) => name.endsWith('.js')),
  );
  const sizes = await Promise.all(
    urls.map(async (url) => gzipSync(Buffer.from(await (await fetch(url)).arrayBuffer())).length),
  );
  const total = sizes.reduce((sum, size) => sum + size, 0);
  expect(total).toBeGreaterThan(10_000);
  expect(total).toBeLessThanOrEqual(250_000);
});
