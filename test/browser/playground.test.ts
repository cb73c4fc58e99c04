import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { createMockServer } from 'worktrack/mock-server';
import {
  announced,
  cards,
  drag,
  expectSoon,
  importFile,
  moveWithKeyboard,
  usePlayground,
} from './support/playground.js';

const play = usePlayground();

describe('the playground', () => {
  test('shows the typed error if a full board rejects a ticket', async () => {
    const { page } = await play();
    await drag(page, 'tkt_radio', 'brd_review');
    await expectSoon(() => cards(page, 'brd_review')).toEqual(['Radio check']);
    await moveWithKeyboard(page, 'tkt_manual', 'ArrowRight', 'ArrowRight');
    const note = page.locator('.error-note');
    await note.waitFor();
    expect(await note.textContent()).toMatch(/UnprocessableError\s*wip_limit_reached\s*outcome: rejected/);
    expect(await note.locator('a').getAttribute('href')).toBe('/worktrack/errors/wip_limit_reached.html');
    expect(await cards(page, 'brd_review')).toEqual(['Radio check']);
    await expectSoon(() => announced(page)).toMatch(/^Rejected\. tickets\.move: /);
  });

  test('lets users raise a WIP limit so that the board accepts another ticket', async () => {
    const { page } = await play();
    await page.fill('[data-board="brd_review"] .column-limit input', '2');
    await page.press('[data-board="brd_review"] .column-limit input', 'Tab');
    await expectSoon(() => announced(page)).toBe('Review now has a WIP limit of 2.');
    await moveWithKeyboard(page, 'tkt_radio', 'ArrowRight', 'ArrowRight');
    await expectSoon(() => cards(page, 'brd_review')).toEqual(['Radio check']);
    await moveWithKeyboard(page, 'tkt_manual', 'ArrowRight', 'ArrowRight');
    await expectSoon(() => cards(page, 'brd_review')).toHaveLength(2);
  });

  test('creates, edits, and deletes a ticket, and shows a field error if the title is too long', async () => {
    const { page } = await play();
    await page.click('[data-board="brd_doing"] .column-head ~ button');
    await page.fill('input[name="title"]', 'x'.repeat(501));
    await page.click('.ticket-dialog .primary');
    await expectSoon(() => page.textContent('.field-errors')).toContain(
      'must be at most 500 characters (got 501)',
    );
    await page.fill('input[name="title"]', 'Splashdown');
    await page.selectOption('select[name="priority"]', 'high');
    await page.click('.ticket-dialog .primary');
    await expectSoon(() => cards(page, 'brd_doing')).toEqual(['Guidance program', 'Splashdown']);
    await page.click('.card-title:has-text("Splashdown")');
    await page.fill('input[name="title"]', 'Splashdown at dawn');
    await page.selectOption('select[name="board_id"]', 'brd_done');
    await page.click('.ticket-dialog .primary');
    await expectSoon(() => cards(page, 'brd_done')).toEqual(['Space suits', 'Splashdown at dawn']);
    await page.click('.card-title:has-text("Splashdown at dawn")');
    await page.click('.ticket-dialog .danger');
    await expectSoon(() => cards(page, 'brd_done')).toEqual(['Space suits']);
  });

  test('filters documents by multiple tags, creates a document, and publishes it', async () => {
    const { page } = await play();
    const titles = () => page.locator('.document-title').allTextContents();
    expect(await titles()).toEqual(['Launch runbook', 'Dinner menu']);
    await page.locator('input[placeholder="launch, ops"]').first().pressSequentially('launch, ops');
    await expectSoon(titles).toEqual(['Launch runbook']);
    await page.fill('input[name="document-title"]', 'Checklist');
    await page.fill('input[name="document-tags"]', 'ops, launch');
    await page.click('.panel .primary');
    await expectSoon(titles).toEqual(['Launch runbook', 'Checklist']);
    await page.click('.documents li:has-text("Checklist") .status');
    await expectSoon(() => page.textContent('.documents li:has-text("Checklist") .status')).toBe('published');
  });

  test('updates the analytics chart when a ticket is completed', async () => {
    const { page } = await play();
    expect(await page.getAttribute('.chart', 'aria-label')).toBe(
      'Tickets by board. To do: 3, Doing: 1, Review: 0, Done: 1',
    );
    await moveWithKeyboard(page, 'tkt_guidance', 'ArrowRight', 'ArrowRight');
    await expectSoon(() => page.getAttribute('.chart', 'aria-label')).toMatch(
      /Doing: 0, Review: 0, Done: 2$/,
    );
    expect(await page.textContent('.analytics-summary .big')).toBe('40%');
  });

  test('applies a fault only while that fault is turned on', async () => {
    const { page } = await play();
    await page.check('input[name="fault-limited"]');
    await moveWithKeyboard(page, 'tkt_radio', 'ArrowRight');
    await expectSoon(() => page.textContent('.error-note')).toMatch(/RateLimitError\s*rate_limited/);
    expect(await page.locator('.wire-status.bad').first().textContent()).toBe('429');
    await page.uncheck('input[name="fault-limited"]');
    await moveWithKeyboard(page, 'tkt_radio', 'ArrowRight');
    await expectSoon(() => cards(page, 'brd_doing')).toContain('Radio check');
    await expectSoon(() => page.locator('.error-note').count()).toBe(0);
  });

  test('restores the data and turns off all faults when the user resets it', async () => {
    const { page } = await play();
    await moveWithKeyboard(page, 'tkt_radio', 'ArrowRight');
    await expectSoon(() => cards(page, 'brd_doing')).toContain('Radio check');
    await page.check('input[name="fault-slow"]');
    await page.click('button:has-text("Reset data")');
    await expectSoon(() => cards(page, 'brd_todo')).toEqual([
      'Crew manual',
      'Radio check',
      'Launch-day dinner',
    ]);
    expect(await page.isChecked('input[name="fault-slow"]')).toBe(false);
  });

  test('exports and imports seed data, and reports the path of an invalid field', async () => {
    const { page } = await play();
    await moveWithKeyboard(page, 'tkt_radio', 'ArrowRight');
    await expectSoon(() => cards(page, 'brd_doing')).toContain('Radio check');
    const download = page.waitForEvent('download');
    await page.click('.server-bar button:has-text("Export")');
    const world = await text(await (await download).createReadStream());
    expect(createMockServer({ world }).state.tickets.get('tkt_radio')?.board_id).toBe('brd_doing');

    await page.click('button:has-text("Reset data")');
    await expectSoon(() => cards(page, 'brd_todo')).toContain('Radio check');
    await importFile(page, 'world.json', world.replace('Crew manual', 'Crew handbook'));
    await expectSoon(() => cards(page, 'brd_todo')).toEqual(['Crew handbook', 'Launch-day dinner']);
    expect(await cards(page, 'brd_doing')).toContain('Radio check');

    await importFile(page, 'bad.json', '{"organizations":[{"name":7}]}');
    await expectSoon(() => page.textContent('.problem')).toMatch(/^bad\.json: .*organizations/);
    expect(await cards(page, 'brd_todo')).toEqual(['Crew handbook', 'Launch-day dinner']);
  });

  test('reports missing boards and scopes, and lets users restore the original data', async () => {
    const { page } = await play();
    await importFile(page, 'empty.json', JSON.stringify(worldWith(['*'])));
    await expectSoon(() => page.locator('.no-boards').count()).toBe(1);
    expect(await page.textContent('.documents')).toContain('No documents.');
    await importFile(page, 'narrow.json', JSON.stringify(worldWith(['tickets:read'])));
    await expectSoon(() => page.textContent('.error-note')).toMatch(/PermissionDeniedError\s*missing_scope/);
    await page.click('.server-bar button:has-text("Restore Apollo")');
    await expectSoon(() => cards(page, 'brd_todo')).toHaveLength(3);
    expect(
      await page.locator('.no-boards, .error-note, .server-bar button:has-text("Restore")').count(),
    ).toBe(0);
  });

  test('reports an unknown outcome if a response is lost, and shows what the write changed', async () => {
    const { page } = await play();
    await page.check('input[name="fault-cut"]');
    await page.fill('input[name="document-title"]', 'Checklist');
    await page.click('.panel .primary');
    await expectSoon(() => announced(page)).toMatch(
      /^No response; the change may have been made\. documents\.create: /,
    );
    await expectSoon(() => page.locator('.document-title').allTextContents()).toContain('Checklist');
  });

  test('has no axe violations when it shows an error or a form, in light or dark mode', async () => {
    const { page, violations, darkViolations } = await play();
    await moveWithKeyboard(page, 'tkt_radio', 'ArrowRight', 'ArrowRight');
    await expectSoon(() => cards(page, 'brd_review')).toHaveLength(1);
    await moveWithKeyboard(page, 'tkt_manual', 'ArrowRight', 'ArrowRight');
    await page.waitForSelector('.error-note');
    expect(await violations()).toEqual([]);
    await page.click('.card-title:has-text("Radio check")');
    expect(await violations()).toEqual([]);
    expect(await darkViolations()).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await darkViolations()).toEqual([]);
  });

  test('fits in a window that is 390 pixels wide without horizontal scrolling', async () => {
    const { page, overflow } = await play({ viewport: { width: 390, height: 844 } });
    expect(await overflow()).toBeLessThanOrEqual(0);
    await moveWithKeyboard(page, 'tkt_radio', 'ArrowRight');
    await expectSoon(() => cards(page, 'brd_doing')).toContain('Radio check');
  });
});

const worldWith = (scopes: string[]) => ({
  organizations: [
    {
      name: 'Acme',
      credentials: [{ token: 'wt_mine', name: 'Mine', scopes }],
      projects: [{ name: 'Apollo', key: 'APO' }],
    },
  ],
});
