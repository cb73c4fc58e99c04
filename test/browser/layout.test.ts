import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useSite } from './support/visit.js';

const visit = useSite();

test('the navigation fits in windows of any size', async () => {
  const { page, overflow } = await visit('testing/vitest.html');
  for (const width of [390, 768, 959, 960, 1000, 1110, 1200, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await overflow(), `${width}`).toBeLessThanOrEqual(0);
    const edges = await page
      .locator('.VPNavBar :is(a, button):visible')
      .evaluateAll((all) => all.map((element) => element.getBoundingClientRect().right));
    expect(edges.length).toBeGreaterThan(2);
    expect(Math.max(...edges), `${width}`).toBeLessThanOrEqual(width);
  }
});

test('the sidebar shows the current section and scrolls to the current page', async () => {
  const { page } = await visit('reference/operations/documents.update.html', {
    viewport: { width: 1280, height: 600 },
  });
  const active = page.locator('.VPSidebar .is-active.is-link a');
  await expect.poll(() => active.textContent()).toBe('documents.update');
  await expect.poll(() => isInView(page, '.VPSidebar .is-active.is-link')).toBe(true);
  expect(await page.textContent('.VPSidebar')).not.toContain('Quick start');
});

test('selecting a package manager changes the commands on all pages', async () => {
  const { page } = await visit('quick-start.html');
  await page.getByText('pnpm', { exact: true }).first().click();
  await expect
    .poll(() => page.locator('.vp-code-group .active').first().textContent())
    .toContain('pnpm add worktrack');
  await page.reload();
  await expect
    .poll(() => page.locator('.vp-code-group .active').first().textContent())
    .toContain('pnpm add worktrack');
  expect(await page.getByText('board.mjs', { exact: true }).first().isVisible()).toBe(true);
});

test('the page for an unknown URL suggests pages with similar URLs', async () => {
  const { page, violations } = await visit('guides/paginaton.html');
  await expect
    .poll(() => page.locator('.not-found li a').first().getAttribute('href'))
    .toBe('/worktrack/guide/pagination.html');
  expect(await violations()).toEqual([]);
});

test.each(['', 'guide/error-handling.html'])(
  'the cumulative layout shift of /%s is less than 0.05',
  async (path) => {
    const { page } = await visit(path, { viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' });
    await page.waitForLoadState('networkidle');
    if (path === '') await page.waitForSelector('.hero-board [data-ready="true"] .card');
    expect(await page.evaluate(layoutShift)).toBeLessThan(0.05);
  },
);

const isInView = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return top > 0 && bottom < window.innerHeight;
  });

/** Adds up the layout shifts that the user didn't cause. Runs in the page. */
function layoutShift(): Promise<number> {
  return new Promise((resolve) => {
    new PerformanceObserver((list) => {
      const shifts = list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[];
      resolve(shifts.reduce((sum, { value, hadRecentInput }) => sum + (hadRecentInput ? 0 : value), 0));
    }).observe({ type: 'layout-shift', buffered: true });
    // The observer isn't called if the layout doesn't shift.
    setTimeout(() => resolve(0), 500);
  });
}
