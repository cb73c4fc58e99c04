import { describe, expect, test } from 'vitest';
import { expectedLines } from '../docs/support/expected-lines.js';
import { useSite } from './support/visit.js';

const visit = useSite();

describe('an example runs in the page, prints what it shows and lists what went over the wire', () => {
  test.each(Object.entries(expectedLines))('%s', async (id, line) => {
    const { page } = await visit(`examples/${id}.html`);
    await page.click('.live-run');
    await page.waitForSelector('.live[data-state="done"]');
    expect(await page.textContent('.live-output')).toMatch(line);
    expect(await page.locator('.wire-exchange').count()).toBeGreaterThan(0);
  });
});

test('an example runs again, from the beginning', async () => {
  const { page } = await visit('examples/first-board.html');
  await page.click('.live-run');
  await page.waitForSelector('.live[data-state="done"]');
  const said = async () => (await page.textContent('.live-output'))?.replace(/ since .*/, '');
  const first = await said();
  await page.click('.live-run');
  await page.waitForSelector('.live[data-state="done"]');
  expect(await said()).toBe(first);
});

test('requests go through the service worker', async () => {
  const { page } = await visit('examples/first-board.html');
  await page.click('.live-run');
  await page.waitForSelector('.live[data-state="done"]');
  expect(await page.textContent('.live-place')).toContain('through a service worker');
});

test('where there is no service worker, the server is the fetch of the client, and the page says so', async () => {
  const { page } = await visit('examples/first-board.html', { serviceWorkers: 'block' });
  await page.click('.live-run');
  await page.waitForSelector('.live[data-state="done"]');
  expect(await page.textContent('.live-place')).toContain('no service worker here');
});

test('the page of an operation runs its call and shows the record', async () => {
  const { page } = await visit('reference/operations/tickets.move.html');
  await page.click('.live-run');
  await page.waitForSelector('.live[data-state="done"]');
  expect(await page.textContent('.live-output')).toMatch(/board_id: 'brd_doing',\n {2}number: 2,/);
  expect(await page.textContent('.wire-exchange summary')).toMatch(
    /POST\s*\/api\/v1\/tickets\/tkt_radio\/move\s*200/,
  );
});
