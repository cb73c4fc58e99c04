import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { announced, cards, drag, expectSoon, handle, usePlayground } from './support/playground.js';
import { center, touchScreen } from './support/touch-screen.js';

const play = usePlayground();
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

describe('the playground', () => {
  test('lets users drag a ticket to another board with the mouse', async () => {
    const { page } = await play();
    await drag(page, 'tkt_radio', 'brd_doing');
    await expectSoon(() => cards(page, 'brd_doing')).toEqual(['Radio check', 'Guidance program']);
    expect(await cards(page, 'brd_todo')).toEqual(['Crew manual', 'Launch-day dinner']);
  });

  test('lets users move a ticket with the keyboard and announces each step', async () => {
    const { page } = await play();
    await handle(page, 'tkt_radio').focus();
    await page.keyboard.press('Space');
    await expectSoon(() => announced(page)).toMatch(/^Picked up Radio check/);
    await page.keyboard.press('ArrowRight');
    await expectSoon(() => announced(page)).toBe('Doing, position 2 of 2');
    await page.keyboard.press('ArrowUp');
    await expectSoon(() => announced(page)).toBe('Doing, position 1 of 2');
    await page.keyboard.press('Space');
    await expectSoon(() => cards(page, 'brd_doing')).toEqual(['Radio check', 'Guidance program']);
    await expectSoon(() => announced(page)).toBe('Moved Radio check to Doing, position 1.');
    await expectSoon(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(
      'Move Radio check',
    );
  });

  test('cancels a move when the user presses Escape', async () => {
    const { page } = await play();
    await handle(page, 'tkt_radio').focus();
    for (const key of ['Space', 'ArrowRight', 'Escape']) await page.keyboard.press(key);
    await expectSoon(() => announced(page)).toBe('Radio check was not moved.');
    expect(await cards(page, 'brd_todo')).toEqual(['Crew manual', 'Radio check', 'Launch-day dinner']);
  });

  test('lets users drag a ticket by its handle on a touch screen', async () => {
    const { page } = await play(phone);
    const top = await showBoards(page);
    const touch = await touchScreen(page);
    await touch.down(await center(page, '[data-ticket="tkt_radio"] [data-handle]'));
    await touch.to(await center(page, '[data-board="brd_doing"] .card'));
    expect(await page.textContent('.ghost')).toBe('Radio check');
    await touch.up();
    await expectSoon(() => cards(page, 'brd_doing')).toContain('Radio check');
    expect(await page.evaluate(() => window.scrollY)).toBe(top);
    expect(await page.locator('.ghost').count()).toBe(0);
  });

  test('scrolls the page if the user drags a ticket by anything other than its handle', async () => {
    const { page } = await play(phone);
    const top = await showBoards(page);
    const touch = await touchScreen(page);
    const from = await center(page, '[data-ticket="tkt_radio"] .card-title');
    await touch.down(from);
    await touch.to({ x: from.x, y: from.y - 200 });
    expect(await page.locator('.ghost').count()).toBe(0);
    await touch.up();
    await expectSoon(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(top);
    expect(await cards(page, 'brd_todo')).toEqual(['Crew manual', 'Radio check', 'Launch-day dinner']);
  });

  test("doesn't move a ticket if the system cancels the touch", async () => {
    const { page } = await play(phone);
    await showBoards(page);
    const touch = await touchScreen(page);
    await touch.down(await center(page, '[data-ticket="tkt_radio"] [data-handle]'));
    await touch.to(await center(page, '[data-board="brd_doing"] .card'));
    await touch.cancel();
    await expectSoon(() => announced(page)).toBe('Radio check was not moved.');
    expect(await cards(page, 'brd_doing')).toEqual(['Guidance program']);
  });
});

/** Scrolls to the boards, which a phone shows below the program. Returns the scroll position. */
const showBoards = (page: Page): Promise<number> =>
  page.locator('.board-pane').evaluate((pane) => {
    pane.scrollIntoView({ behavior: 'instant' });
    return window.scrollY;
  });
