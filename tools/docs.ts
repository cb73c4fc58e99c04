// Builds the documentation site. `serve` also serves the site on a loopback address.
//   tsx tools/docs.ts build [--base /path/] [--out folder] [--type-hovers page.md,page.md]
//   tsx tools/docs.ts serve [--base /path/] [--port 4173]
// By default, the code blocks on all pages have type hovers. Computing the types takes a few seconds, so the
// tests use `--type-hovers` to limit them to some pages.

import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'vitepress';
import { userPages } from '../docs/.vitepress/navigation.js';
import { descriptionOf } from '../docs/.vitepress/page-head.js';
import { root } from './entries.js';
import { writeApiReference } from './support/api-reference.js';
import { serveFolder } from './support/serve-folder.js';
import { writePages } from './support/written-pages.js';

const site = join(root, 'docs');

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    base: { type: 'string', default: '/' },
    out: { type: 'string', default: 'docs/.vitepress/dist' },
    port: { type: 'string', default: '4173' },
    'type-hovers': { type: 'string' },
  },
});
const [command] = positionals;
if (command !== 'build' && command !== 'serve') {
  console.error('usage: tsx tools/docs.ts build|serve');
  process.exit(2);
}

const outDir = resolve(root, values.out);
// VitePress loads its configuration as a separate module, to which no arguments can be passed.
if (values['type-hovers']) process.env.WORKTRACK_DOCS_TYPE_HOVERS = values['type-hovers'];
await writePages(site);
await writeApiReference(join(site, 'reference/api'));
await build(site, { base: values.base, outDir });
await writeFile(join(outDir, 'llms.txt'), await llmsText(values.base));
if (command === 'serve') {
  const { url } = await serveFolder(outDir, { base: values.base, port: Number(values.port) });
  console.log(`\nDocumentation: ${url} (press Ctrl+C to stop)`);
}

/**
 * Returns the content of `llms.txt` (https://llmstxt.org), which describes the package and each page.
 *
 * @param base the site's base path, with a trailing slash
 */
async function llmsText(base: string): Promise<string> {
  const { description } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const sections = userPages.map(({ text, pages }) =>
    [
      `## ${text}`,
      Object.entries(pages)
        .map(([link, title]) => pageLine(link, title, base))
        .join('\n'),
    ].join('\n\n'),
  );
  return `${['# worktrack', `> ${description}`, ...sections].join('\n\n')}\n`;
}

function pageLine(link: string, title: string, base: string): string {
  const page = link.slice(1).replace(/(^|\/)$/, '$1index');
  return `- [${title}](${base}${page}.html): ${descriptionOf(`${page}.md`)}`;
}
