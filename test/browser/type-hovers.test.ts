import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { copiedFiles } from '../../tools/support/copied-parts.js';
import { guideBlocks } from '../../tools/support/guide-blocks.js';
import { useSite } from './support/visit.js';

// In tests, only the pages listed in test/browser/support/build-site.ts have types.
const path = 'guide/pagination';
const visit = useSite();

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

test.each([path, 'testing/explore-failures'])(
  'every TypeScript block in %s shows types on hover, and its code is unchanged',
  async (path) => {
    const { page } = await visit(`${path}.html`);
    const blocks = page.locator('.vp-doc div.language-ts', { has: page.locator('.typed') });
    const code = await blocks.evaluateAll((all) =>
      all.map((block) => {
        for (const popup of block.querySelectorAll('.type-popup')) popup.remove();
        return block.querySelector('code')?.textContent;
      }),
    );
    const expected = [
      ...guideBlocks(`${path}.md`).map((block) => block.code),
      ...copiedFiles(`${path}.md`).map((file) => readFileSync(file, 'utf8')),
    ];
    expect(code.sort()).toEqual(expected.map((text) => text.trimEnd()).sort());
    expect(code.length).toBeGreaterThan(3);
  },
);

test('hovering over or focusing a name shows its type and description', async () => {
  const { page, violations, darkViolations } = await visit(`${path}.html`);
  const popup = page.locator('.type-popup:visible');
  const perPage = page.locator('.typed', { hasText: /^per_page/ }).first();

  await perPage.hover();
  await expect.poll(() => popup.allInnerTexts()).toEqual([expect.stringContaining('per_page?: number')]);
  expect(await popup.textContent()).toContain('from 1 to 200');
  expect(await violations()).toEqual([]);
  expect(await darkViolations()).toEqual([]);

  await page.mouse.move(0, 0);
  await expect.poll(() => popup.count()).toBe(0);
  await page.locator('pre:has(.typed)').first().focus();
  await page.keyboard.press('Tab');
  await expect.poll(() => popup.allInnerTexts()).toEqual(['const list: PageList<Ticket>']);
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => popup.allInnerTexts()).toEqual(['const client: Worktrack']);
  await page.keyboard.press('Escape');
  await expect.poll(() => popup.count()).toBe(0);
});

test('tapping a name on a phone shows its type inside the viewport', async () => {
  const { page, overflow } = await visit(`${path}.html`, phone);
  const popup = page.locator('.type-popup:visible');
  const names = page.locator('.typed', { hasText: /^(per_page|list|tickets)/ });
  for (const name of (await names.all()).slice(0, 4)) {
    await name.tap();
    await expect.poll(() => popup.count()).toBe(1);
    const { x, width } = (await popup.boundingBox()) ?? expect.fail('the popup has no box');
    expect(x).toBeGreaterThanOrEqual(0);
    expect(x + width).toBeLessThanOrEqual(phone.viewport.width);
    expect(await overflow()).toBeLessThanOrEqual(0);
  }
});

test("copied and printed code doesn't contain type hovers", async () => {
  const { page } = await visit(`${path}.html`, { permissions: ['clipboard-read', 'clipboard-write'] });
  const block = page.locator('div.language-ts:has(.typed)').first();
  await block.hover();
  await block.locator('button.copy').click();
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toBe(guideBlocks(`${path}.md`)[0]?.code.trimEnd());

  await block.locator('.typed').first().hover();
  await page.emulateMedia({ media: 'print' });
  expect(await page.locator('.type-popup:visible').count()).toBe(0);
});

test('code on a page that is built without types has only syntax highlighting', () => {
  expect(readFileSync(join(inject('site'), 'quick-start.html'), 'utf8')).not.toContain('type-popup');
});
