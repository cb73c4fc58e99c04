import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../tools/entries.js';
import { isGenerated, withCurrentParts, writtenPages } from '../../tools/support/copied-parts.js';

const textOf = (path: string) => readFileSync(join(root, path), 'utf8');
const pages = [
  ...writtenPages().map((page) => `docs/${page}`),
  'README.md',
  'CONTRIBUTING.md',
  '.github/SECURITY.md',
];

/** Returns a page without its code and front matter. Code hosts don't render front matter. */
const proseOf = (path: string) =>
  textOf(path)
    .replace(/^---\n.*?\n---\n/s, '')
    .replace(/^```.*?^```$/gms, '')
    .replace(/`[^`\n]*`/g, (code) => code.replace(/[[\]()]/g, ''));

/** Returns the anchors of a page's headings, as the site and code hosts create them. */
const anchorsOf = (path: string) =>
  new Set(
    [...proseOf(path).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
      heading
        .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );

test('links in Markdown files are relative and work on GitHub', () => {
  const broken: string[] = [];
  for (const page of pages) {
    for (const [, link = ''] of proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^(https?:|mailto:)/.test(link)) continue;
      const [path = '', anchor] = link.split('#');
      const target = path ? relative(root, join(root, dirname(page), path)) : page;
      const works = existsSync(join(root, target)) && !isGenerated(relative('docs', target));
      const hasAnchor = !anchor || !target.endsWith('.md') || anchorsOf(target).has(anchor);
      if (link.startsWith('/') || !works || !hasAnchor) broken.push(`${page}: ${link}`);
    }
  }
  expect(pages.length).toBeGreaterThan(40);
  expect(broken).toEqual([]);
});

test.each(writtenPages())('the copied code and tables in docs/%s are up to date', (page) => {
  const text = textOf(`docs/${page}`);
  expect(withCurrentParts(page, text), 'run npm run docs:write').toBe(text);
  // GitHub doesn't resolve includes, so only the home page, which is shown only on the site, may contain
  // them.
  if (page !== 'index.md') expect(text).not.toMatch(/^<<< /m);
});
