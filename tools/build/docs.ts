// Part of `npm run build`: writes the documentation to dist/docs as Markdown, with llms.txt as an index for
// agents (https://llmstxt.org). The pages are complete, so they can be read without the site.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../entries.js';
import { writtenPages } from '../support/copied-parts.js';
import { generatedPages } from '../support/written-pages.js';

const site = join(root, 'docs');
const target = join(root, 'dist/docs');

/** The sections of llms.txt, with the pages in each. A page belongs to the first section that it matches. */
const sections: readonly [title: string, pages: RegExp][] = [
  ['Guides', /^(guide\/|quick-start|cli|what-|faq-)/],
  ['Testing', /^testing\//],
  ['Examples', /^examples\//],
  ['Errors', /^errors\//],
  ['Operations', /^reference\/operations\//],
  ['Reference', /./],
];

/**
 * The pages to exclude: those for contributors, those about choosing a library, and those that need the site.
 */
const excluded = /^(index|playground|changelog|decisions|performance|why-worktrack)\.md$|^contributing\//;

const sources = new Map([
  ...writtenPages()
    .filter((page) => !excluded.test(page))
    .map((page) => [page, readFileSync(join(site, page), 'utf8')] as const),
  ...(await generatedPages(site)).map(({ path, text }) => [path, text] as const),
]);
const pages = new Map([...sources].map(([page, text]) => [page, plain(page, text)]));

rmSync(target, { recursive: true, force: true });
for (const [page, text] of pages) {
  mkdirSync(dirname(join(target, page)), { recursive: true });
  writeFileSync(join(target, page), text);
}
writeFileSync(join(root, 'llms.txt'), index());

/**
 * Returns a page without the syntax that only the site understands. Links to pages that aren't in the package
 * become plain text.
 */
function plain(page: string, text: string): string {
  const isKnown = (link: string) => sources.has(join(dirname(page), link.replace(/#.*/, '')));
  return `${text
    .replace(/^---\n.*?\n---\n+/s, '')
    .replace(/^<!-- .* -->\n+/gm, '')
    .replace(/^<\/?(LiveExample|LiveOperation|BenchmarkChart)\b[^>]*>\n*/gm, '')
    .replace(/^:::.*\n/gm, '')
    .replace(/<a :href="'([^']*)\.html'">(.*?)<\/a>/g, '[$2]($1.md)')
    .replace(/<a :href="[^"]*">(.*?)<\/a>/g, '$1')
    .replace(/\[([^\]]*)\]\((?!https?:|mailto:|#)([^)\s]+)\)/g, (link, label, path) =>
      isKnown(path) ? link : label,
    )
    .trim()}\n`;
}

function index(): string {
  const { description } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const remaining = new Set(pages.keys());
  const lists = sections.map(([title, matches]) => {
    const own = [...remaining].filter((page) => matches.test(page));
    for (const page of own) remaining.delete(page);
    return `## ${title}\n\n${own.map(lineOf).join('\n')}`;
  });
  return `${['# worktrack', `> ${description}`, ...lists].join('\n\n')}\n`;
}

/**
 * Returns a link to a page, labeled with its title. If the page starts with a sentence, adds that sentence.
 */
function lineOf(page: string): string {
  const [, title = page, sentence = ''] =
    /^# (.*)\n+([A-Z][^\n]*?\.)?(?=\s)/m.exec(pages.get(page) as string) ?? [];
  const about = sentence.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  return `- [${title}](dist/docs/${page})${about && `: ${about}`}`;
}
