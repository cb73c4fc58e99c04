import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../scripts/entries.js';

// The site build generates these pages, so they don't exist on a code host.
const generated = /^docs\/(reference\/(api|operations)|errors|examples)\//;

const folders = ['', 'guide', 'testing', 'errors', 'examples', 'contributing', 'reference'];
const pages = folders.flatMap((folder) =>
  readdirSync(join(root, 'docs', folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', folder, name))
    .filter((page) => !generated.test(page) || page.endsWith('/index.md')),
);

test('links between pages are relative and work on a code host', () => {
  const broken: string[] = [];
  for (const page of pages) {
    // Ignore front matter because code hosts don't render it.
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
