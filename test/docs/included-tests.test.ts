import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

// The site puts the test in the place of its include; whoever reads the page elsewhere needs a link to it,
// which `v-if` keeps off the site.
test.each(['index', 'vitest', 'jest', 'node-test'].map((name) => `testing/${name}.md`))(
  'each test that %s shows has a link to it',
  (page) => {
    const url = new URL(`../../docs/${page}`, import.meta.url);
    const text = readFileSync(url, 'utf8');
    const links = [...text.matchAll(/^<p v-if="false"><a href="(.+?)">.*<\/a><\/p>\n\n<<< @\/\.\.\/(.+)$/gm)];

    expect(links).toHaveLength(text.match(/^<<< /gm)?.length ?? 0);
    for (const [, link = '', included] of links) {
      expect(link).toBe(`../../${included}`);
      expect(existsSync(fileURLToPath(new URL(link, url)))).toBe(true);
    }
  },
);
