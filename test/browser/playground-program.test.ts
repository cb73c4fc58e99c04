import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync, gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { describe, expect, inject, test } from 'vitest';
import { apolloWorld } from '../../docs/.vitepress/content/world.js';
import { cards, expectSoon, moveWithKeyboard, usePlayground } from './support/playground.js';
import { useSite } from './support/visit.js';

const play = usePlayground();
const visit = useSite();

const phone = { viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' } as const;

describe("the playground's program", () => {
  test("can change the board, read the user's changes to it, and have its requests logged", async () => {
    const { page } = await play();
    expect(await page.locator('.wire-exchange').count()).toBe(0);
    await page.click('.program-pane .primary');
    await expectSoon(() => status(page)).toBe('Finished.');
    expect(await output(page)).toMatch(/^Radio check is in review\..*wip_limit_reached: tickets\.move: /s);
    await expectSoon(() => cards(page, 'brd_review')).toEqual(['Radio check']);
    expect(await page.locator('.wire-status').allTextContents()).toEqual(['422', '200']);

    await page.fill('[data-board="brd_review"] .column-limit input', '2');
    await page.press('[data-board="brd_review"] .column-limit input', 'Tab');
    await expectSoon(() => page.locator('.wire-exchange').count()).toBe(3);
    await page.click('.program-pane .primary');
    await expectSoon(() => output(page)).toContain('Crew manual is in review.');
    await expectSoon(() => cards(page, 'brd_review')).toHaveLength(2);
  });

  test('can be edited, run, and exited with only the keyboard', async () => {
    const { page } = await play();
    await page.focus('.program-pane .primary');
    await page.keyboard.press('Tab');
    await expectSoon(() => focused(page)).toBe('Program');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type("import { Worktrack } from 'worktrack';\n\n", { delay: 0 });
    await page.keyboard.press('Tab');
    await page.keyboard.type('const client: Worktrack = new Worktrack();\n');
    await page.keyboard.type(
      "console.log((await client.tickets.create('prj_apollo', { board_id: 'brd_done', title: 'Parade' })).number);",
    );
    expect(await page.locator('.cm-line').nth(2).textContent()).toMatch(/^ {2}const client/);
    await page.keyboard.press('ControlOrMeta+Enter');
    await expectSoon(() => status(page)).toBe('Finished.');
    expect(await output(page)).toMatch(/^6\b/);
    await expectSoon(() => cards(page, 'brd_done')).toEqual(['Space suits', 'Parade']);
    expect(await focused(page)).toBe('Program');

    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Output');
  });

  test('can be stopped if it never finishes, and the user can then run another program', async () => {
    const { page } = await play();
    await write(page, "console.log('started');\nfor (;;) {}");
    await page.click('.program-pane .primary');
    await expectSoon(() => output(page)).toContain('started');
    // The page still responds.
    await moveWithKeyboard(page, 'tkt_radio', 'ArrowRight');
    await expectSoon(() => cards(page, 'brd_doing')).toContain('Radio check');
    await page.click('.program-pane button:has-text("Stop")');
    await expectSoon(() => status(page)).toBe('Stopped.');
    await write(page, "console.log('again');");
    await page.click('.program-pane .primary');
    await expectSoon(() => output(page)).toMatch(/^again\s*Finished\.$/);
  });

  test.each([
    ['an error that it throws', "\nconst name: string = 'x';\nthrow new TypeError(name);", 3, 'TypeError: x'],
    ['a syntax error', 'const a = 1;\nconst b = ;', 2, 'SyntaxError: Unexpected token'],
    [
      'a typo in a field',
      "import { Worktrack } from 'worktrack';\n\n\nawait new Worktrack().tickets.update('tkt_radio', { titel: 'x' });",
      4,
      'did you mean "title"',
    ],
    ['a rejected promise', "\n\nvoid (async () => {\n  throw new Error('lost');\n})();", 4, 'Error: lost'],
    ['an unknown import', "import _ from 'lodash';\n\nconsole.log(_.now());", 1, 'can\'t import "lodash"'],
  ])('shows the line number of %s', async (_, code, line, message) => {
    const { page } = await play();
    await write(page, code);
    await page.click('.program-pane .primary');
    await expectSoon(() => status(page)).toBe('Failed.');
    expect(await output(page)).toContain(message);
    await page.click(`.output-line:has-text("Line ${line}")`);
    expect(await focused(page)).toBe('Program');
    expect((await page.evaluate(() => String(getSelection()))).trim()).toBe(
      code.split('\n')[line - 1]?.trim(),
    );
  });

  test('shows each error with a link to the page that explains it', async () => {
    const { page } = await play();
    const call = "await new Worktrack().tickets.get('tkt_none');";
    await write(page, `import { Worktrack } from 'worktrack';\n${call}`);
    await page.click('.program-pane .primary');
    await expectSoon(() => status(page)).toBe('Failed.');
    expect(await output(page)).toContain('NotFoundError: ');
    expect(await page.getAttribute('.output a', 'href')).toMatch(/^\/worktrack\/errors\/\w+\.html$/);
  });

  test('can send requests only to the mock server', async () => {
    const { page } = await play();
    await write(page, "await fetch('https://other.test/');");
    await page.click('.program-pane .primary');
    await expectSoon(() => output(page)).toMatch(/TypeError: .* only to http:\/\/worktrack\.test/);
  });

  test('can print at most 1,000 lines', async () => {
    const { page } = await play();
    await write(
      page,
      'const self = { name: 1 } as object & { self?: object };\nself.self = self;\nfor (;;) console.log(self);',
    );
    await page.click('.program-pane .primary');
    await expectSoon(() => output(page)).toContain('Only the first 1000 lines are shown.');
    await page.click('.program-pane button:has-text("Stop")');
    expect(await page.locator('.output p').first().textContent()).toBe('{ name: 1, self: [circular] }');
  });

  test("shows an example's records and requests, even if the example starts its own mock server", async () => {
    const { page } = await play();
    await page.selectOption('.program-pane select', 'first-board');
    await expectSoon(() => page.locator('.no-boards').count()).toBe(1);
    await page.click('.program-pane .primary');
    await expectSoon(() => output(page)).toContain('It is now on Doing');
    await expectSoon(() => page.locator('.column h2').allTextContents()).toEqual(['To do', 'Doing']);
    await expectSoon(() => page.locator('.card-title').allTextContents()).toEqual(['Launch']);

    await page.selectOption('.program-pane select', 'retries-and-faults');
    await page.click('.program-pane .primary');
    await expectSoon(() => output(page)).toMatch(/after 3 requests.*Finished\.$/s);
    expect(await page.locator('.wire-status').first().textContent()).toBe('200');

    await page.selectOption('.program-pane select', 'first-program');
    await expectSoon(() => cards(page, 'brd_todo')).toHaveLength(3);
  });

  test('is stopped when the user leaves the page', async () => {
    const { page } = await play();
    await write(page, 'for (;;) {}');
    await page.click('.program-pane .primary');
    await expectSoon(() => Promise.resolve(page.workers().length)).toBe(1);
    await page.click('.VPNavBarMenu a:has-text("Guides")');
    await expectSoon(() => Promise.resolve(page.workers().length)).toBe(0);
  });
});

describe('a shared link', () => {
  test('opens the program and its data without running the program', async () => {
    const { page } = await play({ permissions: ['clipboard-read', 'clipboard-write'] });
    await moveWithKeyboard(page, 'tkt_radio', 'ArrowRight');
    await expectSoon(() => cards(page, 'brd_doing')).toContain('Radio check');
    await write(page, "console.log('émigré ✓');");
    await page.click('.program-pane button:has-text("Share")');
    await expectSoon(() => page.textContent('.pane-note')).toMatch(/^The link was copied\./);
    const link = await page.evaluate(() => navigator.clipboard.readText());
    expect(page.url()).toBe(link);

    const other = await page.context().newPage();
    await other.goto(link);
    await expectSoon(() => other.textContent('.pane-note')).toMatch(
      /runs only when you click Run\. Read it first/,
    );
    await expectSoon(() => other.locator('.cm-line').allTextContents()).toEqual(["console.log('émigré ✓');"]);
    await expectSoon(() => cards(other, 'brd_doing')).toContain('Radio check');
    expect(await output(other)).toMatch(/^The program’s output appears here\.$/);
    expect(other.workers()).toEqual([]);
    await other.click('.program-pane .primary');
    await expectSoon(() => output(other)).toMatch(/^émigré ✓/);
  });

  test.each([
    ['no data', ''],
    ["text that isn't base64", '%3Cscript%3E'],
    ['damaged data', link({ code: 'x', world: apolloWorld }).slice(0, 80)],
    ['a missing program', link({ world: apolloWorld })],
    ["a program that isn't text", link({ code: { toString: 1 }, world: apolloWorld })],
    ['something other than an object', link(null)],
    ['data that expands to 50 MB', deflate('a'.repeat(50_000_000))],
  ])('with %s is reported to be damaged or incomplete', async (_, data) => {
    const { page } = await visit(`playground.html#program=${data}`);
    await expectSoon(() => page.textContent('.pane-note.problem')).toMatch(
      /^This link is damaged or incomplete/,
    );
    await expectSoon(() => cards(page, 'brd_todo')).toHaveLength(3);
  });

  test("with invalid seed data shows an error that names the invalid field's path", async () => {
    const { page } = await play();
    await page.evaluate(
      (hash) => {
        location.hash = hash;
      },
      `program=${link({ code: 'x', world: { organizations: [{ name: 7 }] } })}`,
    );
    await expectSoon(() => page.textContent('.pane-note.problem')).toContain('organizations');
    expect(await cards(page, 'brd_todo')).toHaveLength(3);
  });

  test('shows hostile text as plain text', async () => {
    const world = structuredClone(apolloWorld);
    const [project] = world.organizations?.[0]?.projects ?? [];
    Object.assign(project?.boards?.[0] ?? {}, { name: '<img src=x onerror=alert(1)>' });
    const { page } = await visit(`playground.html#program=${link({ code: '</script><img src=y>', world })}`);
    await expectSoon(() => page.textContent('.column h2')).toBe('<img src=x onerror=alert(1)>');
    expect(await page.textContent('.cm-line')).toBe('</script><img src=y>');
    expect(await page.locator('.playground img').count()).toBe(0);
  });

  test("can't be created for a program that is too long", async () => {
    const { page } = await play();
    const random = Array.from({ length: 4000 }, (_, index) => Math.sin(index)).join();
    await write(page, `// ${random}`);
    await page.click('.program-pane button:has-text("Share")');
    await expectSoon(() => page.textContent('.pane-note.problem')).toMatch(
      /too long for a link \([\d,]+ of 16,000 characters\)/,
    );
    expect(page.url()).not.toContain('#');
  });
});

describe('the playground', () => {
  test('shows the program, the board, and the requests side by side in a wide window and stacked in a narrow one', async () => {
    const { page, overflow } = await play();
    for (const width of [1100, 1280, 1440, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      const [first, second, third] = await panes(page);
      expect(first?.right, `${width}`).toBeLessThan(second?.left ?? 0);
      expect(second?.right, `${width}`).toBeLessThan(third?.left ?? 0);
      expect(await overflow(), `${width}`).toBeLessThanOrEqual(0);
    }
    for (const width of [390, 768, 1024]) {
      await page.setViewportSize({ width, height: 900 });
      const [first, second, third] = await panes(page);
      expect(first?.bottom, `${width}`).toBeLessThan(second?.top ?? 0);
      expect(second?.bottom, `${width}`).toBeLessThan(third?.top ?? 0);
      expect(await overflow(), `${width}`).toBeLessThanOrEqual(0);
    }
  });

  test('loads at most 250 kB of gzipped JavaScript before it appears', () => {
    const site = inject('site');
    const html = readFileSync(join(site, 'playground.html'), 'utf8');
    const files = new Set([...html.matchAll(/"\/worktrack\/([^"]+\.js)"/g)].map(([, file = '']) => file));
    const sizes = [...files].map((file) => gzipSync(readFileSync(join(site, file))).length);
    const total = sizes.reduce((sum, size) => sum + size, 0);
    expect(total).toBeGreaterThan(10_000);
    expect(total).toBeLessThanOrEqual(250_000);
  });

  test("scrolls to the program's output", async () => {
    const { page } = await play(phone);
    await page.setViewportSize({ width: 390, height: 400 });
    await page.evaluate(() => window.scrollTo(0, 0));
    await page.click('.program-pane .primary');
    await expectSoon(() => status(page)).toBe('Finished.');
    expect(await isInView(page, '.output-status')).toBe(true);
  });

  test('has no axe violations when it shows a program and its output, in light or dark mode', async () => {
    const { page, violations, darkViolations } = await play();
    await write(
      page,
      "// A comment\nimport { Worktrack } from 'worktrack';\nawait new Worktrack().tickets.get(`none`, 1);",
    );
    await page.click('.program-pane .primary');
    await expectSoon(() => status(page)).toBe('Failed.');
    await page.click('.program-pane button:has-text("Share")');
    await page.waitForSelector('.pane-note');
    expect(await violations()).toEqual([]);
    expect(await darkViolations()).toEqual([]);
    await page.setViewportSize(phone.viewport);
    expect(await violations()).toEqual([]);
  });
});

const status = (page: Page) => page.textContent('.output-status');
const output = async (page: Page) => (await page.locator('.output p').allTextContents()).join('\n');
const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));

/** Replaces the program. */
async function write(page: Page, code: string): Promise<void> {
  await page.click('.cm-content');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(code);
}

const panes = (page: Page) =>
  page
    .locator('.pane')
    .evaluateAll((all) => all.map((pane) => pane.getBoundingClientRect().toJSON() as DOMRect));

const isInView = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return top >= 0 && bottom <= window.innerHeight;
  });

function deflate(text: string): string {
  return deflateRawSync(text).toString('base64url');
}

/** Encodes data as the playground does. */
function link(data: unknown): string {
  return deflate(JSON.stringify(data));
}
