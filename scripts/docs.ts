// Builds the documentation site. `serve` also serves it on loopback.
//   tsx scripts/docs.ts build [--base /path/] [--out folder] [--type-hovers page.md,page.md]
//   tsx scripts/docs.ts serve [--base /path/] [--port 4173]
// By default, the code blocks on all pages have type hovers. Computing the types takes a few seconds, so the
// tests use `--type-hovers` to limit them to some pages.

import { writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'vitepress';
import { writeApiReference } from './support/api-reference.js';
import { llmsText } from './support/llms-txt.js';
import { serveFolder } from './support/serve-folder.js';
import { writePages } from './support/written-pages.js';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
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
  console.error('usage: tsx scripts/docs.ts build|serve');
  process.exit(2);
}

const outDir = resolve(root, values.out);
// VitePress loads its configuration as a separate module, to which no arguments can be passed.
if (values['type-hovers']) process.env.WORKTRACK_DOCS_TYPE_HOVERS = values['type-hovers'];
await writePages(site);
await writeApiReference(root, join(site, 'reference/api'));
await build(site, { base: values.base, outDir });
await writeFile(join(outDir, 'llms.txt'), llmsText(site, values.base));
if (command === 'serve') {
  const { url } = await serveFolder(outDir, { base: values.base, port: Number(values.port) });
  console.log(`\nDocumentation: ${url} (press Ctrl+C to stop)`);
}
