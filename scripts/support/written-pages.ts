import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorPageTexts } from '../../docs/.vitepress/content/error-pages-text.js';
import { exampleTitles } from '../../docs/.vitepress/content/examples.js';
import { operationPage } from '../../docs/.vitepress/content/operation-page.js';
import { recordOperation } from '../../docs/.vitepress/content/operation-record.js';
import { signatureReader } from '../../docs/.vitepress/content/operation-signatures.js';
import { operationSources } from '../../docs/.vitepress/content/operation-sources.js';
import { operationIds } from '../../src/contract/index.js';

/**
 * Writes the pages that follow from the code: one for each operation, error and example. They are
 * files, and not routes made up by VitePress, because its search reads files only.
 */
export async function writePages(site: string): Promise<void> {
  await rm(join(site, 'reference/operations'), { recursive: true, force: true });
  const pages = [...(await operationPages()), ...errorPages(), ...examplePages()];
  for (const { path, text } of pages) {
    const file = join(site, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, `---\naside: false\neditLink: false\n---\n\n${text}\n`);
  }
}

async function operationPages() {
  const signatureOf = signatureReader();
  const sources = operationSources();
  return Promise.all(
    operationIds.map(async (id) => ({
      path: `reference/operations/${id}.md`,
      text: operationPage(id, {
        signature: signatureOf(id),
        source: sources.get(id) ?? '',
        exchange: await recordOperation(id),
      }),
    })),
  );
}

const errorPages = () => errorPageTexts().map(({ name, text }) => ({ path: `errors/${name}.md`, text }));

const examplePages = () =>
  Object.entries(exampleTitles).map(([id, title]) => ({
    path: `examples/${id}.md`,
    text: `# ${title}\n\n<LiveExample id="${id}">\n\n<<< @/../examples/${id}.ts\n\n</LiveExample>`,
  }));
