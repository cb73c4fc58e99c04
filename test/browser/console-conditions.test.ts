import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { Worktrack } from 'worktrack';
import type { World } from 'worktrack/mock-server';
import { listen } from 'worktrack/mock-server/node';
import { consoleWorld, useConsole } from './support/console.js';
import { overflowOf } from './support/page-checks.js';
import { cards, drag, expectSoon } from './support/playground.js';
import { center } from './support/touch-screen.js';

const { open, visit } = useConsole();

/** Six boards, too many to fit in a small window. The first one has 60 tickets, and the others are empty. */
const wideWorld: World = {
  organizations: [
    {
      name: 'Acme',
      projects: [
        {
          name: 'Apollo',
          key: 'APO',
          boards: Array.from({ length: 6 }, (_, index) => ({
            id: `brd_${index}`,
            name: `Board ${index}`,
            tickets: Array.from({ length: index === 0 ? 60 : 0 }, (__, n) => ({
              id: `tkt_${n}`,
              title: `Ticket ${n}`,
            })),
          })),
        },
      ],
    },
  ],
};

describe('the console', () => {
  test('shows moves immediately, and never shows the results of an earlier search, even on a slow network', async () => {
    const { page, server } = await visit();
    server.mock.faults.add({ latency: 400 });
    // The response to the first search arrives after the response to the second one.
    await page.route('**/api/v1/**', async (route) => {
      await delay(route.request().url().includes('q=Crew') ? 1500 : 300);
      await route.continue();
    });
    await page.reload();
    await expectSoon(() => page.locator('.card').count()).toBe(5);

    await drag(page, 'tkt_radio', 'brd_review');
    expect(await cards(page, 'brd_review')).toEqual(['Radio check']);
    await drag(page, 'tkt_manual', 'brd_doing');
    expect(await cards(page, 'brd_doing')).toContain('Crew manual');
    await expectSoon(async () => server.mock.requests.for('tickets.move').length).toBe(2);
    await expectSoon(() => cards(page, 'brd_todo')).toEqual(['Launch-day dinner']);

    const search = page.locator('[name="ticket-search"]');
    await search.fill('Crew');
    await page.waitForRequest((request) => request.url().includes('q=Crew'));
    const firstResult = page.waitForResponse((response) => response.url().includes('q=Crew'));
    await search.fill('Radio');
    await firstResult;
    await expectSoon(() => page.locator('.card-title').allTextContents()).toEqual(['Radio check']);

    await search.fill('');
    await page.click('[data-ticket="tkt_radio"] .card-title');
    await page.fill('.ticket-dialog [name="title"]', 'Radio test');
    await page.click('text=Save');
    await expectSoon(() => cards(page, 'brd_review')).toEqual(['Radio test']);

    server.mock.add.project({ name: 'Gemini', boards: [] });
    await page.waitForSelector('[name="project"] option:has-text("Gemini")', { state: 'attached' });
    await page.selectOption('[name="project"]', { label: 'Gemini' });
    // At this point, the console doesn't know whether the project has boards.
    expect(await page.locator('.empty-state').count()).toBe(0);
    await page.fill('.empty-state [name="new-name"]', 'Launches');
    await page.click('text=Create board');
    await expectSoon(() => page.textContent('.column h2')).toContain('Launches');
  });

  test('shows the same state in two tabs, and neither tab overwrites changes made in the other', async () => {
    const { page: first, server } = await visit();
    const { page: second, show } = await open(server);
    for (const page of [first, second]) await page.click('[data-ticket="tkt_radio"] .card-title');
    await first.fill('.ticket-dialog [name="title"]', 'Radio test');
    await first.click('text=Save');
    await expectSoon(() => cards(second, 'brd_todo')).toContain('Radio test');
    await second.selectOption('.ticket-dialog [name="priority"]', 'low');
    await second.click('text=Save');
    await expectSoon(() => first.textContent('[data-ticket="tkt_radio"]')).toMatch(/Radio test.*low/);

    await show('data');
    await second.click('text=Stop');
    await second.click('text=+1 day');
    await first.waitForSelector('.clock-face .badge');
    const time = await second.textContent('.clock-face time');
    await expectSoon(() => first.textContent('.clock-face time')).toBe(time);
    await show('requests');
    await second.click('text=Clear');
    await expectSoon(() => first.locator('.request-list li').count()).toBe(0);
  });

  test('updates the view that is open after the server restarts', async () => {
    const { page, server } = await visit();
    const client = new Worktrack(server.clientOptions());
    await client.tickets.get('tkt_radio');
    await expectSoon(() => page.locator('.request-list li').count()).toBe(1);
    await server.close();
    await page.waitForSelector('.console[data-connection="lost"]');
    await drag(page, 'tkt_radio', 'brd_doing');
    await page.waitForSelector('[data-board="brd_todo"] .card.returned');

    const restarted = await listen({ world: consoleWorld, port: Number(new URL(server.url).port) });
    try {
      await page.waitForSelector('.console[data-connection="live"]');
      await expectSoon(() => page.locator('.request-list li').count()).toBe(0);
      await drag(page, 'tkt_radio', 'brd_doing');
      await expectSoon(() => cards(page, 'brd_doing')).toContain('Radio check');
      await expectSoon(async () => restarted.mock.requests.last()?.status).toBe(200);
      await expectSoon(() => page.locator('.request-list li').count()).toBe(1);
      await expectSoon(() => page.locator('.error-note').count()).toBe(0);
    } finally {
      await restarted.close();
    }
  });

  test("keeps a dialog's input while the server restarts, and replaces the open request", async () => {
    const { page, server, show } = await visit();
    const port = Number(new URL(server.url).port);
    await new Worktrack(server.clientOptions()).tickets.get('tkt_radio');
    await page.click('[data-board="brd_todo"] .add-ticket');
    await page.fill('.ticket-dialog [name="title"]', 'Splashdown');
    await server.close();
    await page.waitForSelector('.console[data-connection="lost"]');
    let restarted = await listen({ world: consoleWorld, port });
    try {
      await page.waitForSelector('.console[data-connection="live"]');
      await page.click('.ticket-dialog .primary');
      await expectSoon(() => cards(page, 'brd_todo')).toContain('Splashdown');

      await show('requests/req_000001');
      await expectSoon(() => page.textContent('.detail-head')).toContain('tickets.create');
      await restarted.close();
      restarted = await listen({ world: consoleWorld, port });
      await expectSoon(() => page.textContent('.request-detail')).toContain('no longer contains');
      await new Worktrack(restarted.clientOptions()).tickets.get('tkt_radio');
      await expectSoon(() => page.textContent('.detail-head')).toContain('tickets.get');
      expect(await page.locator('.toast').count()).toBe(0);
    } finally {
      await restarted.close();
    }
  });

  test("doesn't show a project's numbers and members under another project's name", async () => {
    const { page, server, show } = await visit();
    server.mock.add.project({ name: 'Gemini', boards: [] });
    await page.waitForSelector('[name="project"] option:has-text("Gemini")', { state: 'attached' });
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/api/v1/**', (route) => released.then(() => route.continue()));
    await page.selectOption('[name="project"]', { label: 'Gemini' });
    expect(await page.textContent('.boards-main .hint')).toBe('GEM');
    await show('analytics');
    expect(await page.textContent('main')).not.toMatch(/done|No projects/);
    await show('members');
    expect(await page.textContent('main')).not.toMatch(/Ada|No members/);
    release();
    await expectSoon(() => page.textContent('main')).toContain('Ada');
  });

  test('prompts for seed data in a space that has no organizations', async () => {
    const { page, server, show } = await visit();
    server.createSpace('empty');
    const seed = { method: 'POST', body: JSON.stringify({ organizations: [] }) };
    await fetch(`${server.url}/spaces/empty/__admin/seed`, seed);
    for (const view of ['boards', 'documents', 'members', 'analytics', 'credentials']) {
      await show(`${view}?space=empty`);
      await expectSoon(() => page.textContent('main')).toContain('No organizations');
    }
    await page.click('text=import seed data');
    expect(page.url()).toContain('#/data?space=empty');
    await page.click('text=+1 day');
    await page.waitForSelector('[data-notice]');
    // The other views still show the root space's organization.
    await show('boards');
    await expectSoon(() => page.locator('.card').count()).toBe(5);
    await fetch(`${server.url}/__admin/seed`, seed);
    await expectSoon(() => page.textContent('main')).toContain('No organizations');
  });

  test('keeps the name of a project on one line in a window of medium width', async () => {
    const { page, server } = await visit({ viewport: { width: 768, height: 844 } });
    const lines = await page.locator('#boards-title').evaluate((title) => {
      const range = document.createRange();
      range.selectNodeContents(title);
      return range.getClientRects().length;
    });
    expect(lines).toBe(1);

    // A long name leaves space for the search.
    const name = 'W'.repeat(180);
    await new Worktrack(server.clientOptions()).projects.update('prj_apollo', { name });
    await expectSoon(() => page.textContent('#boards-title')).toBe(name);
    const search = await page.locator('[name="ticket-search"]').boundingBox();
    expect(search?.width).toBeGreaterThan(100);
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  });

  test('wraps long words in every view and dialog', async () => {
    const name = 'W'.repeat(180);
    const labels = [{ name }];
    const world: World = {
      organizations: [
        {
          name: 'Acme',
          users: [{ id: 'usr_1', name, email: 'ada@acme.example', role: 'owner' }],
          documents: [{ title: name, tags: [name.slice(0, 50)] }],
          projects: [
            {
              name,
              key: 'APO',
              labels,
              boards: [
                {
                  name: name.slice(0, 120),
                  tickets: [{ id: 'tkt_1', title: name, labels: [name], assignees: ['usr_1'] }],
                },
              ],
            },
          ],
        },
      ],
    };
    const { page, server, show } = await visit({ viewport: { width: 390, height: 844 } }, { world });
    await fetch(`${server.url}/api/v1/${name}`, { method: 'POST', body: name });
    for (const view of [
      'boards',
      'documents',
      'members',
      'analytics',
      'requests/req_000001',
      'boards/tkt_1',
    ]) {
      await show(view);
      await page.waitForTimeout(200);
      const wide = await page.evaluate(() =>
        [...document.querySelectorAll('.card, .documents li, .chart, .rejection, .ticket-dialog form, main')]
          .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
          .map(({ className }) => className),
      );
      expect(wide, view).toEqual([]);
      expect(await overflowOf(page), view).toBeLessThanOrEqual(0);
    }
  });

  test('adapts the list of requests if the window becomes narrow', async () => {
    const { page, server, show } = await visit();
    await new Worktrack(server.clientOptions()).tickets.get('tkt_radio');
    await show('requests');
    const row = page.locator('.request-list li');
    await expectSoon(() => row.count()).toBe(1);
    const overlap = () => row.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectSoon(overlap).toBe(0);
    // The details replace the list, so they get the focus, and return it.
    await row.locator('a').click();
    const hasFocus = (selector: string) => () =>
      page.evaluate((wanted) => document.activeElement?.matches(wanted), selector);
    await expectSoon(hasFocus('.request-detail')).toBe(true);
    await page.click('.close');
    await expectSoon(hasFocus('[data-request="req_000001"]')).toBe(true);
  });

  test('scrolls lists and boards while a ticket is dragged near their edges', async () => {
    const viewport = { width: 900, height: 600 };
    const { page, server } = await visit({ viewport }, { world: wideWorld });
    const list = page.locator('[data-board="brd_0"] .cards');
    const scrolled = (selector: string) =>
      page.locator(selector).evaluate(({ scrollTop, scrollLeft }) => scrollTop + scrollLeft);
    const dragTo = async (ticket: string, x: number, y: number) => {
      const from = await center(page, `[data-ticket="${ticket}"] [data-handle]`);
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      await page.mouse.move(x, y, { steps: 4 });
    };
    await page.waitForSelector('[data-ticket="tkt_0"]');
    const box = await list.boundingBox();
    if (!box) throw new Error('the list is not visible');

    // Keep the pointer in place while the list scrolls.
    await dragTo('tkt_0', box.x + 60, box.y + box.height - 10);
    await expectSoon(() => scrolled('[data-board="brd_0"] .cards')).toBeGreaterThan(400);
    await page.mouse.up();
    await expectSoon(async () => server.mock.state.tickets.get('tkt_0')?.position).toBeGreaterThan(8);

    await list.evaluate((element) => {
      element.scrollTop = 0;
    });
    await dragTo('tkt_1', viewport.width - 40, 300);
    await expectSoon(() =>
      page
        .locator('.columns')
        .evaluate(({ scrollLeft, scrollWidth, clientWidth }) => scrollWidth - clientWidth - scrollLeft),
    ).toBeLessThanOrEqual(1);
    await page.mouse.up();
    await expectSoon(async () => server.mock.state.tickets.get('tkt_1')?.board_id).toBe('brd_5');
  });
});
