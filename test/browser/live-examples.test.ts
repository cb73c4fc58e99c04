import { expect, test } from 'vitest';
import { expectedLines } from '../docs/support/expected-lines.js';
import { useSite } from './support/visit.js';

const visit = useSite();

test('every example runs in the page, prints its main result, and lists its requests', async () => {
  const { page } = await visit('examples/');
  for (const [id, line] of Object.entries(expectedLines)) {
    await page.click(`.VPSidebar a[href$="/examples/${id}.html"]`);
    await page.click(`[data-live="${id}"] .live-run`);
    await page.waitForSelector(`[data-live="${id}"][data-state="done"]`);
    expect(await page.textContent('.live-output'), id).toMatch(line);
    expect(await page.locator('.wire-exchange').count(), id).toBeGreaterThan(0);
  }
}, 120_000);

test('an example starts with fresh data each time it runs', async () => {
  const { page } = await visit('examples/first-board.html');
  await page.click('.live-run');
  await page.waitForSelector('.live[data-state="done"]');
  const output = async () => (await page.textContent('.live-output'))?.replace(/ started at .*/, '');
  const first = await output();
  await page.click('.live-run');
  await page.waitForSelector('.live[data-state="done"]');
  expect(await output()).toBe(first);
});

test('an example can be edited in the playground', async () => {
  const { page } = await visit('examples/wip-limits.html');
  await page.click('.live-link');
  await expect.poll(() => page.locator('.program-pane select').inputValue()).toBe('wip-limits');
  await expect.poll(() => page.locator('.cm-content').textContent()).toContain('createProject');
});

test('when the user runs an example, the page scrolls to its output', async () => {
  const options = { viewport: { width: 1280, height: 500 }, reducedMotion: 'reduce' } as const;
  const { page } = await visit('examples/first-board.html', options);
  await page.click('.live-run');
  await page.waitForSelector('.live[data-state="done"]');
  const isInView = page.locator('.live-output').evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return top >= 0 && bottom <= window.innerHeight;
  });
  expect(await isInView).toBe(true);
});

test("an operation's page runs the example call and shows the response", async () => {
  const { page } = await visit('reference/operations/tickets.move.html');
  await page.click('.live-run');
  await page.waitForSelector('.live[data-state="done"]');
  expect(await page.textContent('.live-output')).toMatch(/board_id: 'brd_doing',\n {2}number: 2,/);
  expect(await page.textContent('.wire-exchange summary')).toMatch(
    /POST\s*\/api\/v1\/tickets\/tkt_radio\/move\s*200/,
  );
});
