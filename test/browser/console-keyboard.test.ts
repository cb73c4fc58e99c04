import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { useConsole } from './support/console.js';
import { cards, expectSoon } from './support/playground.js';

const { visit } = useConsole();

/** Presses Tab until an element that matches the selector has focus. */
async function tabTo(page: Page, selector: string, key = 'Tab'): Promise<void> {
  for (let count = 0; count < 120; count++) {
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`pressing Tab doesn't reach ${selector}`);
}

/** Tabs to an element and then presses keys. If a key starts with `text:`, types the rest of it instead. */
async function use(page: Page, selector: string, ...keys: string[]): Promise<void> {
  await tabTo(page, selector);
  for (const key of keys) {
    if (key.startsWith('text:')) await page.keyboard.type(key.slice(5));
    else await page.keyboard.press(key);
  }
}

async function command(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

describe('the console lets keyboard users', () => {
  test('move, find, edit, comment on, create, and delete tickets', async () => {
    const { page, server } = await visit();
    const { tickets, comments } = server.mock.state;
    await use(page, '[data-ticket="tkt_radio"] [data-handle]', ' ', 'ArrowRight', ' ');
    await expectSoon(async () => tickets.get('tkt_radio')?.board_id).toBe('brd_doing');
    await use(page, '[data-ticket="tkt_radio"] .card-title', 'Enter');
    await use(page, '.ticket-dialog [name="title"]', 'Control+a', 'text:Radio test', 'Enter');
    await expectSoon(() => cards(page, 'brd_doing')).toContain('Radio test');

    await use(page, '[data-ticket="tkt_radio"] .card-title', 'Enter');
    await use(page, '.comments summary', 'Enter');
    await use(page, '[name="comment"]', 'text:<p>Loud and clear</p>', 'Enter');
    await expectSoon(() => page.textContent('.comments li p')).toBe('<p>Loud and clear</p>');
    expect(comments.all()).toMatchObject([{ ticket_id: 'tkt_radio', body_html: '<p>Loud and clear</p>' }]);
    await use(page, '.ticket-dialog .danger', 'Enter');
    await expectSoon(() => cards(page, 'brd_doing')).not.toContain('Radio test');

    await use(page, '[data-board="brd_review"] .add-ticket', 'Enter');
    await use(page, '.ticket-dialog [name="title"]', 'text:Splashdown', 'Enter');
    await expectSoon(() => cards(page, 'brd_review')).toEqual(['Splashdown']);
    await use(page, '[data-board="brd_review"] .column-limit input', 'Control+a', 'text:3', 'Tab');
    await expectSoon(async () => server.mock.state.boards.get('brd_review')?.wip_limit).toBe(3);
    await page.keyboard.press('Escape');
    await tabTo(page, '.side-nav a');
    await page.keyboard.press('/');
    await page.keyboard.type('splash');
    await expectSoon(() => page.locator('.card-title').allTextContents()).toEqual(['Splashdown']);
  });

  test('continue at the next row after they delete one, and at the ticket after they close its dialog', async () => {
    const { page, server } = await visit();
    server.mock.add.document({ id: 'doc_first', title: 'First' });
    server.mock.add.document({ id: 'doc_second', title: 'Second' });
    const focused = () =>
      page.evaluate(
        () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent,
      );
    await page.waitForSelector('.card');
    await use(page, '[data-ticket="tkt_radio"] .card-title', 'Enter');
    await page.waitForSelector('.ticket-dialog');
    await page.goBack();
    await expectSoon(focused).toBe('Radio check');
    const [, , next] = await cards(page, 'brd_todo');
    await page.keyboard.press('Enter');
    await use(page, '.ticket-dialog .danger', 'Enter');
    await expectSoon(() => cards(page, 'brd_todo')).not.toContain('Radio check');
    await expectSoon(focused).toBe(next);

    await command(page, 'go documents');
    await use(page, '[aria-label="Delete First"]', 'Enter');
    await expectSoon(focused).toBe('Delete Second');
    await command(page, 'go credentials');
    await use(page, '[aria-label="Revoke Reader"]', 'Enter');
    await expectSoon(focused).toBe('Revoke Launch bot');
    await page.keyboard.press('Enter');
    await expectSoon(() => page.evaluate(() => document.activeElement?.id)).toBe('main');
  });

  test('filter and replay requests', async () => {
    const { page, server } = await visit();
    const call = (token: string) =>
      fetch(`${server.url}/api/v1/tickets/tkt_radio`, { headers: { authorization: `Bearer ${token}` } });
    await call('wt_secret_reader');
    await call('unknown');
    await command(page, 'go requests');
    await expectSoon(() => page.locator('.request-list li').count()).toBe(2);
    await use(page, '[name="filter-status"]', 'text:4');
    await expectSoon(() => page.locator('.request-list .outcome').allInnerTexts()).toEqual(['401']);
    await use(page, '[name="filter-status"]', 'Home');
    await use(page, '[data-request="req_000001"]', 'Enter');
    await page.waitForSelector('[data-detail="req_000001"] .json');
    await use(page, '.button-row button:nth-of-type(4)', 'Enter');
    await page.waitForSelector('[data-detail="req_000003"] .json');
    await tabTo(page, '.close');
    await page.keyboard.press('Enter');
    await expectSoon(() => page.locator('[data-detail]').count()).toBe(0);
    await command(page, 'clear journal');
    await page.waitForSelector('.empty-state');
  });

  test('create, publish, and delete documents', async () => {
    const { page, server } = await visit();
    await command(page, 'go documents');
    await use(page, '[name="document-title"]', 'text:Checklist', 'Enter');
    await page.waitForSelector('[data-document]:has-text("Checklist")');
    await use(page, '[aria-label="Change the status of Checklist from draft"]', 'Enter');
    await use(page, '[aria-label="Delete Checklist"]', 'Enter');
    const operations = () => server.mock.requests.all().map(({ operation }) => operation);
    await expectSoon(async () => operations()).toEqual([
      'documents.create',
      'documents.update',
      'documents.delete',
    ]);
  });

  test('control faults, the rate limit, the clock, snapshots, credentials, and spaces', async () => {
    const { page, server } = await visit();
    const { mock } = server;
    const faults = async () => mock.faults.handles().length;
    await command(page, 'add fault slow');
    await expectSoon(faults).toBe(1);
    await command(page, 'go faults');
    await use(page, '[data-fault] button', 'Enter');
    await expectSoon(faults).toBe(0);
    await use(page, '[name="fault-times"]', 'text:2', 'Enter');
    await expectSoon(faults).toBe(1);
    await use(page, '[name="limit"]', 'Enter');
    await expectSoon(async () => mock.faults.currentRateLimit).toMatchObject({ limit: 120 });
    await command(page, 'remove all faults');
    await expectSoon(faults).toBe(0);

    await command(page, 'stop clock');
    await expectSoon(async () => mock.clock.frozen).toBe(true);
    await command(page, 'go data');
    const before = Date.parse(mock.clock.iso());
    await use(page, '[aria-label="Clock"] button:last-child', 'Enter');
    await expectSoon(async () => Date.parse(mock.clock.iso()) - before).toBe(86_400_000);
    await command(page, 'take snapshot');
    await use(page, '[aria-label="Restore snapshot_1"]', 'Enter');
    await page.waitForSelector('[data-notice]:has-text("snapshot_1 was restored.")');

    await command(page, 'go credentials');
    await use(page, '[data-credential="crd_reader"] summary', 'Enter');
    await use(page, '[data-credential="crd_reader"] input', ' ');
    const reader = async () => mock.state.credentials.filter(({ id }) => id === 'crd_reader')[0];
    await expectSoon(async () => (await reader())?.scopes.length).toBe(3);
    await use(page, '[aria-label="Revoke Reader"]', 'Enter');
    await expectSoon(reader).toBeUndefined();
    await use(page, '[name="credential-name"]', 'text:Bot', 'Enter');
    await page.waitForSelector('[data-credential]:has-text("Bot")');

    await command(page, 'go spaces');
    await use(page, '[name="space-name"]', 'text:worker-1', 'Enter');
    await page.waitForSelector('[data-space="worker-1"]');
    await command(page, 'space worker-1');
    await page.waitForSelector('[data-space="worker-1"] .badge');
    await command(page, 'space root');
    await page.waitForSelector('[data-space=""] .badge');
  });

  test('copy the IDs of projects, boards, and tickets', async () => {
    const { page } = await visit({ permissions: ['clipboard-read', 'clipboard-write'] });
    const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
    await page.waitForSelector('.card');
    await command(page, 'copy id apollo');
    await expectSoon(clipboard).toBe('prj_apollo');
    await command(page, 'copy id doing');
    await expectSoon(clipboard).toBe('brd_doing');
    await use(page, '[data-ticket="tkt_radio"] .card-title', 'Enter');
    await use(page, '.ticket-dialog .copy', 'Enter');
    await expectSoon(clipboard).toBe('tkt_radio');
  });
});
