import { describe, expect, test } from 'vitest';
import { expectedLines } from '../docs/support/expected-lines.js';
import { useSite } from './support/visit.js';

const visit = useSite();

describe('an example', () => {
  test.each(Object.entries(expectedLines))(
    'an example runs in the page, prints its main result, and lists its requests: %s',
    async (id, line) => {
      const { page } = await visit(`examples/${id}.html`);
      await page.click('.live-run');
      await page.waitForSelector('.live[data-state="done"]');
      expect(await page.textContent('.live-output')).toMatch(line);
      expect(await page.locator('.wire-exchange').count()).toBeGreaterThan(0);
    },
  );
});

test('an example starts with fresh data on every run', async () => {
  const { page } = await visit('examples/first-board.html');
  await page.click('.live-run');
  await page.waitForSelector('.live[data-state="done"]');
  const output = async () => (await page.textContent('.live-output'))?.replace(/ started at .*/, '');
  const first = await output();
  await page.click('.live-run');
  await page.waitForSelector('.live[data-state="done"]');
  expect(await output()).toBe(first);
});

test('an example sends its requests through the service worker', async () => {
  const { page } = await visit('examples/first-board.html');
  await page.click('.live-run');
  await page.waitForSelector('.live[data-state="done"]');
  expect(await page.textContent('.live-server')).toContain('via a service worker');
});

test('an example falls back to mock.fetch and notifies the user if service workers are unavailable', async () => {
  const { page } = await visit('examples/first-board.html', { serviceWorkers: 'block' });
  await page.click('.live-run');
  await page.waitForSelector('.live[data-state="done"]');
  expect(await page.textContent('.live-server')).toContain('support service workers here');
});

test('an operation page runs its call and shows the response', async () => {
  const { page } = await visit('reference/operations/tickets.move.html');
  await page.click('.live-run');
  await page.waitForSelector('.live[data-state="done"]');
  expect(await page.textContent('.live-output')).toMatch(/board_id: 'brd_doing',\n {2}number: 2,/);
  expect(await page.textContent('.wire-exchange summary')).toMatch(
    /POST\s*\/api\/v1\/tickets\/tkt_radio\/move\s*200/,
  );
});
