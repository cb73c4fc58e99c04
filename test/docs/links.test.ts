import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../scripts/entries.js';

// Pages that the build of the site writes. A code host doesn't have them.
const generated = /^docs\/(reference\/(api|operations)|errors|examples)\//;

const folders = ['', 'guide', 'testing', 'errors', 'examples', 'contributing', 'reference'];
const pages = folders.flatMap((folder) =>
  readdirSync(join(root, 'docs', folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', folder, name))
    .filter((page) => !generated.test(page) || page.endsWith('/index.md')),
);

test('links between pages are relative, so that they also work on a code host', () => {
  const broken: string[] = [];
  for (const page of pages) {
    // The home page's front matter is for the site only.
    const text = readFileSync(join(root, page), 'utf8').replace(/^---\n.*?\n---\n/s, '');
    for (const [, link = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^(https?:|mailto:|#)/.test(link)) continue;
      const target = relative(root, join(root, dirname(page), link.replace(/#.*$/, '')));
      const works = generated.test(target) ? target.endsWith('.md') : existsSync(join(root, target));
      if (link.startsWith('/') || !works) broken.push(`${page}: ${link}`);
    }
  }
  expect(pages.length).toBeGreaterThan(40);
  expect(broken).toEqual([]);
});
