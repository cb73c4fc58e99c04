import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { Worktrack } from 'worktrack';
import { createMockServer, type World } from 'worktrack/mock-server';
import { listen } from 'worktrack/mock-server/node';
import { useConsole } from './support/console.js';
import { findDarkViolations, findViolations, overflowOf } from './support/page-checks.js';
import { announced, cards, drag, expectSoon, moveWithKeyboard } from './support/playground.js';
import { center, touchScreen } from './support/touch-screen.js';

const { serve, open, visit } = useConsole();
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const views = [
  'boards',
  'documents',
  'members',
  'analytics',
  'requests',
  'faults',
  'data',
  'credentials',
  'spaces',
];

describe('the console', () => {
  test('shows live requests and changes without sending any API requests', async () => {
    const { page, server, show } = await visit();
    const client = new Worktrack(server.clientOptions());
    const reader = new Worktrack(server.mock.clientOptions({ token: 'wt_secret_reader' }));

    await client.tickets.move('tkt_radio', { board_id: 'brd_doing', position: 0 });
    await expectSoon(() => cards(page, 'brd_doing')).toEqual(['Radio check', 'Guidance program']);
    await expect(client.tickets.move('tkt_manual', { board_id: 'brd_doing' })).rejects.toThrow();
    await expect(reader.tickets.delete('tkt_manual')).rejects.toThrow();
    await show('requests');
    await expectSoon(() => page.locator('.request-list .outcome').allInnerTexts()).toEqual([
      '403',
      '422',
      '200',
    ]);
    expect(await page.locator('.request-list .credential').allInnerTexts()).toEqual([
      'Reader',
      'Launch bot',
      'Launch bot',
    ]);
    expect(server.mock.requests.all().map(({ operation }) => operation)).toEqual([
      'tickets.move',
      'tickets.move',
      'tickets.delete',
    ]);

    await page.click('.request-list li:nth-child(2) a');
    await expectSoon(() => page.textContent('.rejection')).toMatch(
      /Rejected by a rule for tickets\.move\s*wip_limit_reached/,
    );
    expect(await page.textContent('.json >> nth=0')).toContain('"board_id": "brd_doing"');
    expect(await page.locator('.json >> nth=0').locator('.key').allInnerTexts()).toEqual(['"board_id"']);
    expect(await page.textContent('.json >> nth=1')).toContain('"code": "wip_limit_reached"');
    await page.click('.request-list li:nth-child(1) a');
    await expectSoon(() => page.textContent('.rejection')).toContain('Reader lacks tickets:write.');

    await page.selectOption('[name="filter-status"]', '2');
    await expectSoon(() => page.locator('.request-list li').count()).toBe(1);
    await page.selectOption('[name="filter-status"]', '');
    await page.fill('[name="filter-text"]', 'tkt_manual wip_limit');
    await expectSoon(() => page.locator('.request-list .outcome').allInnerTexts()).toEqual(['422']);
    await page.fill('[name="filter-text"]', 'nothing like this');
    await page.click('text=Clear filters');
    await expectSoon(() => page.locator('.request-list li').count()).toBe(3);
  });

  test('lists requests on its landing page and opens a ticket from a link', async () => {
    const { page, server } = await visit();
    await page.goto(`${server.url}/__admin/`);
    await page.reload();
    await page.waitForSelector('#requests-title');
    await page.goto(`${server.url}/__admin/#/boards/tkt_radio`);
    await expectSoon(() => page.inputValue('.ticket-dialog [name="title"]')).toBe('Radio check');
    await page.keyboard.press('Escape');
    await expectSoon(() => page.evaluate(() => location.hash)).toBe('#/boards');
  });

  test('opens links to another project or organization, and reports an unknown ticket', async () => {
    const { page, server } = await visit();
    server.mock.add.project({
      name: 'Gemini',
      boards: [
        {
          name: 'Launches',
          tickets: [{ id: 'tkt_gemini', title: 'Rendezvous', due_at: '2031-01-04T09:00:00Z' }],
        },
      ],
    });
    await page.goto(`${server.url}/__admin/#/boards/tkt_gemini`);
    await page.reload();
    await expectSoon(() => page.inputValue('.ticket-dialog [name="title"]')).toBe('Rendezvous');
    expect(await page.textContent('#boards-title')).toBe('Gemini');
    expect(await page.textContent('[data-ticket="tkt_gemini"]')).toMatch(/Jan \d, 2031/);
    server.mock.add.organization({
      id: 'org_other',
      name: 'Other',
      projects: [
        { name: 'First', key: 'ONE' },
        { id: 'prj_second', name: 'Second', key: 'TWO' },
      ],
    });
    await page.waitForSelector('[name="organization"]');
    await page.goto(`${server.url}/__admin/#/boards?organization=org_other&project=prj_second`);
    await expectSoon(() => page.textContent('#boards-title')).toBe('Second');
    expect(await page.locator('.toast').count()).toBe(0);
    await page.goto(`${server.url}/__admin/#/boards`);
    await expectSoon(() => page.textContent('#boards-title')).toBe('Apollo');
    await page.goto(`${server.url}/__admin/#/boards/tkt_none`);
    await expectSoon(() => page.textContent('.toast')).toContain('No ticket has the ID "tkt_none"');
  });

  test("doesn't remove a WIP limit if the user types text that isn't a number", async () => {
    const { page, server } = await visit();
    const input = page.locator('[data-board="brd_doing"] .column-limit input');
    const limit = await input.inputValue();
    await input.focus();
    for (const key of ['Control+a', 'e', 'Tab']) await page.keyboard.press(key);
    await expectSoon(() => page.textContent('.error-note')).toContain('wip_limit must be an integer');
    expect(String(server.mock.state.boards.get('brd_doing')?.wip_limit)).toBe(limit);
    expect(await input.inputValue()).toBe(limit);
  });

  test('announces a repeated message again, and removes it if the next action fails', async () => {
    const { page, show } = await visit();
    await show('data');
    const notice = () => page.locator('[data-notice]').allInnerTexts();
    await page.click('text=+1 day');
    await expectSoon(notice).toEqual(['The clock was changed.']);
    const again = page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          const status = document.querySelector('.toasts [role="status"]');
          let count = 0;
          new MutationObserver((changes) => {
            for (const { addedNodes } of changes) count += addedNodes.length;
            if (count > 0) resolve(count);
          }).observe(status as Element, { childList: true });
        }),
    );
    await page.click('text=+1 day');
    expect(await again).toBeGreaterThan(0);

    await show('spaces');
    await page.fill('[name="space-name"]', 'worker-1');
    await page.click('.field-row .primary');
    await expectSoon(notice).toEqual(['Space worker-1 was created.']);
    await page.fill('[name="space-name"]', 'worker-1');
    await page.click('.field-row .primary');
    await page.waitForSelector('.toast.problem');
    expect(await notice()).toEqual([]);
    expect(await page.inputValue('[name="space-name"]')).toBe('worker-1');
  });

  test.each(['#/requests/%', '#/requests/%E4%?space=%', '#/%', '#/boards/__proto__'])(
    'shows a working view if the URL ends with %s',
    async (hash) => {
      const { page } = await visit();
      await page.evaluate((value) => {
        location.hash = value;
      }, hash);
      await page.reload();
      await expectSoon(() => page.locator('nav a[aria-current]').count()).toBe(1);
      await expectSoon(() => page.locator('main').textContent()).toMatch(/\w/);
    },
  );

  test("doesn't load a URL that is set as a label's color", async () => {
    const labels = [{ name: 'Urgent', color: 'url(/probe) red' }];
    const tickets = [{ title: 'Radio check', labels: ['Urgent'] }];
    const boards = [{ name: 'To do', tickets }];
    const projects = [{ name: 'Apollo', key: 'APO', labels, boards }];
    const { page } = await visit({}, { world: { organizations: [{ name: 'Acme', projects }] } });
    const urls: string[] = [];
    page.on('request', (request) => urls.push(request.url()));
    await page.reload();
    await expectSoon(() => page.locator('.card i').count()).toBe(1);
    expect(urls.filter((url) => url.endsWith('/probe'))).toEqual([]);
  });

  test('shows only the start of a long list until the user clicks "Show more"', async () => {
    const world: World = {
      organizations: [
        {
          name: 'Acme',
          documents: titles(203, 'Document').map((title) => ({ title })),
          projects: [
            {
              name: 'Apollo',
              key: 'APO',
              boards: [{ name: 'To do', tickets: titles(1003, 'Ticket').map((title) => ({ title })) }],
            },
          ],
        },
      ],
    };
    const { page, show } = await visit({}, { world });
    await expectSoon(() => page.textContent('.boards-main .hint')).toBe('APO · 1,003 tickets');
    await expectSoon(() => page.textContent('.column-count')).toBe('1,003');
    expect(await page.locator('.card').count()).toBeLessThan(40);
    await page.locator('.cards').evaluate((list) => {
      list.scrollTop = list.scrollHeight;
    });
    await expectSoon(() => page.locator('.card-title').last().textContent()).toBe('Ticket 1003');
    expect(await page.locator('.card').last().getAttribute('aria-posinset')).toBe('1003');
    await page.fill('[name="ticket-search"]', 'Ticket 77');
    await expectSoon(() => page.textContent('.column-count')).toBe('11 of 1,003');
    await page.reload();
    await expectSoon(() => page.textContent('.column-count')).toBe('11 of 1,003');

    await show('documents');
    expect(await page.locator('[data-document]').count()).toBe(200);
    await page.click('text=Show more');
    await expectSoon(() => page.locator('[data-document]').count()).toBe(203);
  });

  test("doesn't reload records while its tab is hidden, and reloads the records once when the tab becomes visible", async () => {
    const { page, server } = await visit();
    const client = new Worktrack(server.clientOptions());
    let reads = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/analytics')) reads++;
    });
    const setHidden = (hidden: boolean) =>
      page.evaluate((value) => {
        Object.defineProperty(document, 'hidden', { configurable: true, value });
        document.dispatchEvent(new Event('visibilitychange'));
      }, hidden);

    await setHidden(true);
    for (const position of [0, 1])
      await client.tickets.move('tkt_radio', { board_id: 'brd_doing', position });
    await expectSoon(() => page.locator('.request-list li').count()).toBe(2);
    // If the tab were visible, it would have reloaded by now.
    await page.waitForTimeout(400);
    expect(reads).toBe(0);
    expect(await cards(page, 'brd_doing')).toEqual(['Guidance program']);

    await setHidden(false);
    await expectSoon(() => cards(page, 'brd_doing')).toEqual(['Guidance program', 'Radio check']);
    expect(reads).toBe(1);
  });

  test("doesn't copy tokens along with requests or seed data", async () => {
    const { page, server, show } = await visit({ permissions: ['clipboard-read', 'clipboard-write'] });
    const client = new Worktrack(server.clientOptions());
    await client.tickets.move('tkt_radio', { board_id: 'brd_doing', position: 0 });
    const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
    await show('requests');
    await page.click('.request-list a');
    await page.click('text=Copy as curl');
    await expectSoon(clipboard).toContain('Authorization: Bearer $WORKTRACK_TOKEN');
    await page.click('text=Copy as SDK call');
    await expectSoon(clipboard).toContain("client.tickets.move('tkt_radio'");
    await page.click('text=Copy as Vitest test');
    await expectSoon(clipboard).toContain("test('tickets.move succeeds with 200'");
    await show('data');
    await page.click('text=Copy as world');
    await expectSoon(clipboard).toContain('"organizations"');
    const world = await clipboard();
    expect(world).not.toMatch(/wt_example|wt_secret_reader/);
    expect(createMockServer({ world }).state.tickets.get('tkt_radio')?.board_id).toBe('brd_doing');
  });

  test('reloads only boards that have changed', async () => {
    const { page, server } = await visit();
    await expectSoon(() => page.locator('.card').count()).toBe(5);
    const read: string[] = [];
    page.on('request', (request) =>
      read.push(request.url().replace(/.*\/api\/v1\/projects\/prj_apollo/, '')),
    );
    const client = new Worktrack(server.clientOptions());

    await client.tickets.move('tkt_radio', { board_id: 'brd_doing', position: 0 });

    await expectSoon(() => cards(page, 'brd_doing')).toEqual(['Radio check', 'Guidance program']);
    await expectSoon(() => cards(page, 'brd_todo')).toEqual(['Crew manual', 'Launch-day dinner']);
    expect(read.sort()).toEqual([
      '/analytics',
      '/tags',
      '/tickets?board_id=brd_doing&per_page=50&page=1',
      '/tickets?board_id=brd_todo&per_page=50&page=1',
    ]);
  });

  test("keeps an edited ticket open and shows the error if the ticket can't be saved", async () => {
    const { page, server } = await visit();
    server.mock.faults.add({ status: 500, operation: 'tickets.update', times: 1 });
    await page.click('.card-title:has-text("Radio check")');
    await page.fill('.ticket-dialog [name="title"]', 'Radio test');

    await page.click('.ticket-dialog .primary');
    await expectSoon(() => page.textContent('.ticket-dialog .error-note')).toContain('outcome: unknown');
    expect(await page.inputValue('.ticket-dialog [name="title"]')).toBe('Radio test');

    await page.click('.ticket-dialog .primary');
    await expectSoon(() => page.locator('.ticket-dialog').count()).toBe(0);
    expect(server.mock.state.tickets.get('tkt_radio')?.title).toBe('Radio test');

    await page.click('.card-title:has-text("Radio test")');
    await page.fill('.ticket-dialog [name="title"]', 'x'.repeat(501));
    await page.click('.ticket-dialog .primary');
    await expectSoon(() => page.textContent('.field-errors')).toContain('at most 500 characters');
    expect(await findViolations(page)).toEqual([]);
  });

  test("doesn't send or announce a change if the user saves an unchanged ticket", async () => {
    const { page, server } = await visit();
    await page.click('.card-title:has-text("Radio check")');
    await page.click('.ticket-dialog .primary');
    await expectSoon(() => page.locator('.ticket-dialog').count()).toBe(0);
    expect(await announced(page)).toBe('Radio check was not changed.');
    expect(server.mock.requests.all()).toEqual([]);
  });

  test("doesn't invite users to create a record again if only the response couldn't be read", async () => {
    const { page, server, show } = await visit();
    server.mock.faults.add({ error: 'malformed', operation: 'tickets.create', times: 1 });
    server.mock.faults.add({ error: 'malformed', operation: 'tickets.update', times: 1 });
    server.mock.faults.add({ error: 'malformed', operation: 'tickets.comments.create', times: 1 });
    server.mock.faults.add({ error: 'malformed', operation: 'documents.create', times: 1 });
    await page.click('[data-board="brd_review"] .add-ticket');
    await page.fill('.ticket-dialog [name="title"]', 'Splashdown');
    await page.click('.ticket-dialog .primary');
    await expectSoon(() => page.locator('.ticket-dialog').count()).toBe(0);
    await expectSoon(() => cards(page, 'brd_review')).toEqual(['Splashdown']);
    expect(await page.textContent('.toasts .error-note')).toContain('the server performed the operation');
    expect(await announced(page)).toMatch(
      /^Performed, but the response couldn't be read\. tickets\.create: /,
    );

    await page.click('.card-title:has-text("Splashdown")');
    await page.fill('.ticket-dialog [name="title"]', 'Landing');
    await page.selectOption('.ticket-dialog [name="board_id"]', 'brd_done');
    await page.click('.comments summary');
    await page.fill('[name="comment"]', '<p>On time</p>');
    await page.click('.comments .plain');
    await expectSoon(() => page.textContent('.comments .problem')).toContain('the server performed');
    expect(await page.inputValue('[name="comment"]')).toBe('');
    await page.click('.ticket-dialog .primary');
    await expectSoon(() => cards(page, 'brd_done')).toEqual(['Space suits', 'Landing']);

    await show('documents');
    await page.fill('[name="document-title"]', 'Checklist');
    await page.click('.panel .primary');
    await expectSoon(() => page.locator('.document-title').allTextContents()).toContain('Checklist');
    await expectSoon(() => page.inputValue('[name="document-title"]')).toBe('');
  });

  test('lets users drag a ticket by its title, and moves it back if the server rejects the move', async () => {
    const { page, server } = await visit();
    server.mock.faults.add({ latency: 300, operation: 'tickets.move' });
    await page
      .locator('[data-ticket="tkt_radio"] .card-title')
      .dragTo(page.locator('[data-board="brd_review"] .cards'));
    // The ticket moves before the server responds.
    expect(await cards(page, 'brd_review')).toEqual(['Radio check']);
    expect(await page.locator('.ticket-dialog').count()).toBe(0);
    await expectSoon(async () => server.mock.requests.last()?.status).toBe(200);

    await page
      .locator('[data-ticket="tkt_manual"] .card-title')
      .dragTo(page.locator('[data-board="brd_review"] .cards'));
    expect(await cards(page, 'brd_review')).toHaveLength(2);
    await page.waitForSelector('[data-board="brd_todo"] .card.returned');
    await expectSoon(() => cards(page, 'brd_review')).toEqual(['Radio check']);
    await page.waitForSelector('.toast.error-note');
  });

  test('can be used with only a keyboard', async () => {
    const { page, server } = await visit();
    const client = new Worktrack({ ...server.clientOptions(), retry: { limit: 2, maxDelay: 10 } });
    server.mock.faults.add({ status: 503, operation: 'tickets.update', times: 1, retryAfter: 0 });
    await client.tickets.update('tkt_radio', { title: 'Radio check' });
    await page.keyboard.press('Control+k');
    await page.keyboard.type('go requests');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#requests-title');
    const badges = () => page.locator('.request-list .badge').allInnerTexts();
    await expectSoon(badges).toEqual(['2 attempts']);
    await page.locator('.expand').press('Enter');
    await expectSoon(badges).toEqual(['2 attempts', 'attempt 1', 'fault']);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await expectSoon(() => page.textContent('.detail-head')).toContain('503');
    expect(await page.locator('.attempts a').count()).toBe(2);
    // Collapsing the attempts selects the last one, because the open attempt is no longer visible.
    await page.locator('.expand').press('Enter');
    await expectSoon(() => page.textContent('.detail-head')).toContain('200');
    await expectSoon(badges).toEqual(['2 attempts']);
    await page.locator('.attempts a').first().press('Enter');
    await expectSoon(badges).toEqual(['2 attempts', 'attempt 1', 'fault']);
    await page.locator('.headers summary >> nth=1').press('Enter');
    expect(await page.textContent('.headers >> nth=1')).toContain('retry-after0');
    await page.locator('text=Replay').press('Enter');
    await expectSoon(async () => server.mock.requests.length).toBe(3);
    await expectSoon(() => page.getAttribute('[data-detail]', 'data-detail')).toBe('req_000003');
    await page.locator('text=Add a fault').press('Enter');
    await expectSoon(() => page.inputValue('[name="fault-operation"]')).toBe('tickets.update');
    await page.goBack();
    await page.waitForSelector('[data-detail="req_000003"]');
    await page.keyboard.press('Escape');
    await expectSoon(() => page.locator('[data-detail]').count()).toBe(0);
    await page.keyboard.press('/');
    await page.keyboard.type('503');
    await expectSoon(() => page.locator('.request-list li').count()).toBe(1);
    expect(page.url()).toContain('#/requests?q=503');
  });

  test('responds to every key press even if the user types quickly', async () => {
    const { page, server, show } = await visit();
    const client = new Worktrack(server.clientOptions());
    for (let count = 0; count < 5; count++) await client.tickets.get('tkt_radio');
    await show('requests');
    await expectSoon(() => page.locator('.request-list li').count()).toBe(5);
    /** Dispatches all events in one task, as if the browser had been too busy to do anything in between. */
    const openedAfter = async (actions: string[]) => {
      await page.evaluate((all) => {
        for (const action of all) {
          if (action.startsWith('[')) document.querySelector<HTMLElement>(action)?.click();
          else document.body.dispatchEvent(new KeyboardEvent('keydown', { key: action, bubbles: true }));
        }
      }, actions);
      return page.evaluate(() => location.hash);
    };
    expect(await openedAfter(['j', 'j', 'j', 'j', 'k'])).toBe('#/requests/req_000003');
    await page.waitForSelector('[data-detail="req_000003"]');
    expect(await openedAfter(['[data-request="req_000005"]', 'j'])).toBe('#/requests/req_000004');
    expect(await openedAfter(['[data-request="req_000002"]', 'Escape'])).toBe('#/requests');
    expect(await openedAfter(['j', 'j', 'Escape', 'j'])).toBe('#/requests/req_000005');
    await page.waitForSelector('[data-detail="req_000005"]');
    expect(await openedAfter(['Escape', '/'])).toBe('#/requests');
    const focused = await page.evaluate(async () => {
      for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
      return document.activeElement?.getAttribute('name');
    });
    expect(focused).toBe('filter-text');
  });

  test("lets users move tickets by mouse, keyboard, and touch, and enforces the API's rules", async () => {
    const { page, server } = await visit();
    await drag(page, 'tkt_radio', 'brd_review');
    await expectSoon(() => cards(page, 'brd_review')).toEqual(['Radio check']);
    await moveWithKeyboard(page, 'tkt_manual', 'ArrowRight', 'ArrowRight');
    await expectSoon(() => page.textContent('.error-note')).toMatch(/wip_limit_reached/);
    await expectSoon(() => announced(page)).toMatch(/^Rejected\. tickets\.move: /);
    expect(server.mock.requests.for('tickets.move')).toHaveLength(2);

    await page.selectOption('[name="credential"]', { label: 'Reader' });
    await moveWithKeyboard(page, 'tkt_manual', 'ArrowRight');
    await expectSoon(() => page.textContent('.error-note')).toMatch(/missing_scope/);

    const touched = await open(server, phone);
    const touch = await touchScreen(touched.page);
    await touched.page.waitForSelector('.card');
    await touch.down(await center(touched.page, '[data-ticket="tkt_manual"] [data-handle]'));
    await touch.to(await center(touched.page, '[data-board="brd_doing"] .card'));
    await touch.up();
    await expectSoon(() => cards(page, 'brd_doing')).toContain('Crew manual');
  });

  test('lets users control faults, the rate limit, the clock, credentials, snapshots, and data', async () => {
    const { page, server, show } = await visit();
    const { mock } = server;
    await show('faults');
    await page.fill('[name="fault-times"]', '2');
    await page.selectOption('[name="fault-operation"]', 'tickets.get');
    await page.click('text=Add fault');
    await expectSoon(async () => mock.faults.handles().map(({ fault }) => fault)).toEqual([
      { status: 503, operation: 'tickets.get', times: 2 },
    ]);
    await page.click('[data-fault] button');
    await expectSoon(async () => mock.faults.handles().length).toBe(0);
    await page.click('text=Set limit');
    await expectSoon(async () => mock.faults.currentRateLimit).toMatchObject({ limit: 120, window: 60_000 });
    await page.click('text=Remove all');
    await expectSoon(async () => mock.faults.currentRateLimit).toBeUndefined();

    await show('data');
    await page.click('text=Stop');
    await expectSoon(async () => mock.clock.frozen).toBe(true);
    await page.fill('[name="clock-time"]', '2027-01-01T09:00:00');
    await page.click('text=Set clock');
    await expectSoon(async () => mock.clock.iso()).toBe('2027-01-01T09:00:00.000Z');
    await page.click('text=+1 hour');
    await expectSoon(() => page.textContent('.clock-face')).toContain('2027-01-01 10:00:00');

    await page.click('text=Take snapshot');
    await page.waitForSelector('text=snapshot_1');
    mock.add.ticket({ board: 'brd_todo', title: 'Splashdown' });
    await page.click('[aria-label="Restore snapshot_1"]');
    await expectSoon(async () => mock.state.tickets.all().length).toBe(5);
    const world = { organizations: [{ name: 'Other', projects: [{ name: 'Gemini', key: 'GEM' }] }] };
    await page.setInputFiles('input[type="file"]', jsonFile(world));
    await expectSoon(() => page.textContent('.top-choices')).toContain('Gemini');
    await page.setInputFiles('input[type="file"]', jsonFile({ organizations: [{ name: 7 }] }));
    await expectSoon(() => page.textContent('.problem')).toMatch(/organizations\[0\]\.name/);
    const download = page.waitForEvent('download');
    await page.click('text=Export world');
    expect(await text(await (await download).createReadStream())).toContain('"Gemini"');

    await show('credentials');
    await page.fill('[name="credential-name"]', 'Bot');
    await page.click('.field-row .primary');
    await page.click('li:has-text("Bot") summary');
    await page.uncheck('li:has-text("Bot") label:has-text("tickets:write") input');
    const scopesOfBot = async () => mock.state.credentials.filter(({ name }) => name === 'Bot')[0]?.scopes;
    await expectSoon(scopesOfBot).not.toContain('tickets:write');
    await page.click('[aria-label="Revoke Bot"]');
    await expectSoon(scopesOfBot).toBeUndefined();
  });

  test('creates and opens a space, and returns to the root space when that space is deleted', async () => {
    const { page, server, show } = await visit();
    await show('spaces');
    await page.fill('[name="space-name"]', 'worker-1');
    await page.click('.field-row .primary');
    await page.click('[aria-label="Open worker-1"]');
    await page.waitForSelector('[data-space="worker-1"] .badge');
    await page.waitForSelector('.console[data-connection="live"]');
    const client = new Worktrack({ ...server.clientOptions(), baseUrl: `${server.url}/spaces/worker-1` });
    await client.organization.get();
    await page.click('.side-nav >> text=Requests');
    await expectSoon(() => page.locator('.request-list .operation').allInnerTexts()).toEqual([
      'organization.get',
    ]);
    await fetch(`${server.url}/__admin/spaces/worker-1`, { method: 'DELETE' });
    await expectSoon(() => page.evaluate(() => location.hash)).toBe('#/requests');
    await page.waitForSelector('.empty-state:has-text("No requests yet")');
  });

  test('reports that the connection is lost, keeps showing the data, and reconnects automatically', async () => {
    const { page, server } = await visit();
    const { port } = new URL(server.url);
    await server.close();
    await page.waitForSelector('.console[data-connection="lost"]');
    expect(await page.textContent('.lost-note')).toContain('The connection to the server was lost.');
    expect(await cards(page, 'brd_doing')).toEqual(['Guidance program']);
    const restarted = await listen({ port: Number(port) });
    try {
      await page.waitForSelector('.console[data-connection="live"]');
      await page.waitForSelector('.empty-state:has-text("No projects yet")');
    } finally {
      await restarted.close();
    }
  });

  test('prompts for the admin token, remembers it in the current tab, and never displays it', async () => {
    const server = await serve({ adminToken: 'admin-secret' });
    const { page } = await open(server);
    // The last token contains characters that a header can't contain.
    for (const wrong of ['wrong-token', '“admin-secret”']) {
      await page.fill('[name="admin-token"]', wrong);
      await page.click('text=Open the console');
      await page.waitForSelector('#token-rejected');
      expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('admin-token');
    }
    await page.fill('[name="admin-token"]', 'admin-secret');
    await page.click('text=Open the console');
    await page.waitForSelector('.card');
    await page.reload();
    await page.waitForSelector('.card');
    expect(page.url()).not.toContain('admin-secret');
  });

  test("can't be opened from another origin, through an unknown host name, or in a frame", async () => {
    const { page, server } = await visit();
    const response = await page.reload();
    const policy = (await response?.headerValue('content-security-policy')) ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    const script = await page.getAttribute('script', 'src');
    for (const path of ['', script ?? '']) {
      const url = new URL(path, `${server.url}/__admin/`);
      const statusFor = async (headers: Record<string, string>) =>
        (await page.request.get(url.href, { headers: { accept: 'text/html', ...headers } })).status();
      expect(await statusFor({})).toBe(200);
      expect(await statusFor({ origin: 'https://evil.example' })).toBe(403);
      expect(await statusFor({ host: 'evil.example' })).toBe(403);
    }
  });

  test('has no axe violations in light or dark mode', async () => {
    const { page, server, show } = await visit();
    const client = new Worktrack({ ...server.clientOptions(), retry: { limit: 0 } });
    server.mock.faults.add({ operation: 'tickets.get', status: 503 });
    server.createSpace('worker-1');
    await expect(client.tickets.get('tkt_radio')).rejects.toThrow();
    await page.waitForSelector('.request-list li');
    const id = server.mock.requests.last()?.id;
    const found: string[] = [];
    for (const view of [...views, `requests/${id}`]) {
      await show(view);
      await page.waitForSelector(view.includes('/') ? '.json' : 'main h1');
      await page.emulateMedia({ colorScheme: 'light' });
      const violations = [...(await findViolations(page)), ...(await findDarkViolations(page))];
      for (const violation of violations) found.push(`${view}: ${violation}`);
    }
    expect(found).toEqual([]);
    // axe runs twice in each of ten views, which can take a long time on a busy machine.
  }, 120_000);

  test('fits every view in a window that is 390 pixels wide', async () => {
    const { page, server, show } = await visit(phone);
    await expect(new Worktrack(server.clientOptions()).tickets.get('tkt_none')).rejects.toThrow();
    await show('requests');
    await page.waitForSelector('.request-list li');
    for (const view of [...views, `requests/${server.mock.requests.last()?.id}`]) {
      await show(view);
      await page.waitForSelector(view.includes('/') ? '.json' : 'main h1');
      expect(await overflowOf(page), view).toBeLessThanOrEqual(0);
    }
    await page.click('[aria-label="Close request details"]');
    await page.waitForSelector('.request-list li');
  });
});

const titles = (count: number, name: string) =>
  Array.from({ length: count }, (_, index) => `${name} ${index + 1}`);

const jsonFile = (value: unknown) => ({
  name: 'world.json',
  mimeType: 'application/json',
  buffer: Buffer.from(JSON.stringify(value)),
});
