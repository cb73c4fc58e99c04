import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, inject, test } from 'vitest';
import { useSite } from './support/visit.js';

const visit = useSite();

/** A page for each layout and kind of content. */
const pages = [
  '',
  'guide/error-handling.html',
  'errors/',
  'errors/wip_limit_reached.html',
  'examples/team-day.html',
  'specification.html',
  'cli.html',
  'reference/endpoints.html',
  'reference/operations/tickets.create.html',
];

test.each(pages)(
  "/%s is accessible in light and dark mode, fits on a phone's screen, and respects prefers-reduced-motion",
  async (path) => {
    const { page, violations, darkViolations, overflow } = await visit(path);
    expect(await violations()).toEqual([]);
    expect(await darkViolations()).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.className)).toBe('dark');

    await page.setViewportSize({ width: 390, height: 844 });
    expect(await overflow()).toBeLessThanOrEqual(0);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    expect(await page.evaluate(animatedElements)).toEqual([]);
  },
);

// Together, these pages contain every type of entry. The test checks only the start of each page, because axe
// needs half a minute for the longest page.
test.each([
  'worktrack/',
  'contract/',
  'worktrack/classes/Worktrack.html',
  'mock-server/interfaces/MockServer.html',
])('the start of reference/api/%s has no axe violations', async (name) => {
  const { page, violations } = await visit(`reference/api/${name}`);
  const kinds = await page.evaluate((limit) => {
    const content = [...document.querySelectorAll('.vp-doc > div > *')];
    for (const [index, element] of content.entries()) if (index >= limit) element.remove();
    for (const link of [...document.querySelectorAll('.VPDocAside li')].slice(20)) link.remove();
    return content.slice(0, limit).map(({ tagName }) => tagName);
  }, 100);
  expect(new Set(kinds)).toContain('TABLE');
  expect(await violations()).toEqual([]);
});

test('every class and interface in the API reference has a page that links to its module', async () => {
  for (const path of ['classes/NotFoundError', 'interfaces/Ticket']) {
    const { page } = await visit(`reference/api/worktrack/${path}.html`);
    expect(await page.locator('.vp-doc h1').count()).toBe(1);
    await page.click('.vp-doc p a:has-text("worktrack")');
    await expect.poll(() => page.textContent('.vp-doc h1')).toContain('worktrack');
    const own = page.locator(`.vp-doc a[href$="${path}.html"]`);
    expect(await own.count()).toBeGreaterThan(0);
  }
});

test('the playground respects prefers-reduced-motion', async () => {
  const { page } = await visit('playground.html', { reducedMotion: 'reduce' });
  expect(await page.evaluate(animatedElements)).toEqual([]);
});

test("option names and hyphenated names don't wrap if they fit on one line", async () => {
  for (const path of ['cli.html', 'guide/error-handling.html', 'guide/rate-limits.html']) {
    const { page } = await visit(path);
    for (const width of [390, 470, 560, 768, 1024]) {
      await page.setViewportSize({ width, height: 844 });
      const broken = await page.evaluate(wrappedWords);
      expect(broken, `${path} at ${width}`).toEqual([]);
    }
  }
});

test('printed pages contain only the article, without navigation', async () => {
  const { page } = await visit('reference/operations/tickets.create.html');
  await page.emulateMedia({ media: 'print' });
  const shown = (selector: string) => page.locator(selector).first().isVisible();
  for (const selector of ['.VPNav', '.VPSidebar', '.live-run', '.VPDocFooter']) {
    expect(await shown(selector), selector).toBe(false);
  }
  expect(await shown('.vp-doc h1')).toBe(true);
});

test('a search for an error code finds its page', async () => {
  const { page } = await visit('');
  await page.click('.DocSearch-Button');
  await page.fill('.VPLocalSearchBox input', 'wip_limit_reached');
  const found = page.locator('.VPLocalSearchBox a.result', { hasText: 'wip_limit_reached' }).first();
  await found.click();
  await page.waitForURL(/\/worktrack\/.+\.html/);
  await expect.poll(() => page.textContent('.vp-doc')).toContain('wip_limit_reached');
});

test('a page opened from a local file is styled and has working links', async () => {
  const { page } = await visit('');
  await page.goto(pathToFileURL(join(inject('site'), 'guide/error-handling.html')).href);
  expect(await page.evaluate(() => getComputedStyle(document.body).margin)).toBe('0px');
  await page.click('.VPSidebar a:has-text("Pagination")');
  expect(page.url()).toMatch(/^file:.*\/guide\/pagination\.html$/);
  await page.click('.VPNavBarTitle a');
  expect(page.url()).toMatch(/^file:.*\/index\.html$/);
  expect(await page.textContent('.VPHero')).toContain('Quick start');
});

test('every link and anchor has a valid target', () => {
  const site = inject('site');
  const files = readdirSync(site, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.html'),
  );
  const texts = new Map(files.map((name) => [name, readFileSync(join(site, name), 'utf8')]));
  const known = new Set(readdirSync(site, { recursive: true, encoding: 'utf8' }));
  const dead: string[] = [];
  for (const [name, text] of texts) {
    for (const [, link = ''] of text.matchAll(/(?:href|src)="([^"]*)"/g)) {
      if (/^(https?:|data:|mailto:)/.test(link)) continue;
      const [path = '', anchor = ''] = link.replaceAll('&amp;', '&').split('#');
      const target = resolve(name, path);
      const page = texts.get(target);
      // A link to the playground can name an example to open.
      const [, example] = anchor.match(/^example=(.+)$/) ?? [];
      if (!known.has(target) || (example && !known.has(`examples/${example}.html`)))
        dead.push(`${name}: ${link}`);
      else if (!example && anchor && page && !page.includes(`id="${decodeURIComponent(anchor)}"`))
        dead.push(`${name}: ${link}`);
    }
  }
  expect(files.length).toBeGreaterThan(80);
  expect(dead).toEqual([]);
});

/** Finds elements that are animated or scroll smoothly. Runs in the page. */
function animatedElements(): string[] {
  return [...document.querySelectorAll('*')].flatMap((element) =>
    [null, '::before', '::after'].flatMap((part) => {
      const { transitionDuration, animationName, scrollBehavior } = getComputedStyle(element, part);
      const isStatic = /^0s(, 0s)*$/.test(transitionDuration) && animationName === 'none';
      return isStatic && scrollBehavior !== 'smooth'
        ? []
        : [`${element.tagName}.${element.className}${part ?? ''}`];
    }),
  );
}

/**
 * Finds hyphenated words in inline code that wrap even though they would fit on one line. Runs in the page.
 */
function wrappedWords(): string[] {
  const rangeOf = (text: Node, start: number, end: number) => {
    const range = document.createRange();
    range.setStart(text, start);
    range.setEnd(text, end);
    return range;
  };
  const texts = [
    ...document.querySelectorAll('.vp-doc :not(pre) > code, .vp-doc :not(pre) > code *'),
  ].flatMap(({ childNodes }) => [...childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE));
  return texts.flatMap((text) =>
    [...(text.nodeValue ?? '').matchAll(/\S+/g)]
      .filter(({ 0: word }) => word.includes('-') && word.length <= 36)
      .filter(({ 0: word, index }) => rangeOf(text, index, index + word.length).getClientRects().length > 1)
      .map(({ 0: word }) => word),
  );
}

/** Resolves a page's link to a file path. */
function resolve(from: string, path: string): string {
  const absolute = path.startsWith('/')
    ? path.replace(/^\/worktrack\//, '')
    : posix.join(posix.dirname(from), path || posix.basename(from));
  return absolute === '' || absolute === './' || absolute.endsWith('/')
    ? posix.join(absolute, 'index.html')
    : absolute;
}
