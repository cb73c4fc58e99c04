import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const testing = [
  'index',
  'vitest',
  'jest',
  'node-test',
  'explore-failures',
  'mock-server-over-http',
  'server-rendered-apps',
];

// The site replaces an include with the file's content. Code hosts don't, so the pages also contain a link,
// which `v-if` hides on the site.
test.each(['index.md', ...testing.map((name) => `testing/${name}.md`)])(
  '%s links to each file it includes',
  (page) => {
    const url = new URL(`../../docs/${page}`, import.meta.url);
    const text = readFileSync(url, 'utf8');
    const links = [...text.matchAll(/^<p v-if="false"><a href="(.+?)">.*<\/a><\/p>\n\n<<< @\/\.\.\/(.+)$/gm)];

    expect(links).toHaveLength(text.match(/^<<< /gm)?.length ?? 0);
    for (const [, link = '', included] of links) {
      expect(link).toBe(`${page.includes('/') ? '../../' : '../'}${included}`);
      expect(existsSync(fileURLToPath(new URL(link, url)))).toBe(true);
    }
  },
);
