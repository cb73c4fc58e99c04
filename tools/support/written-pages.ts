import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorPageTexts } from '../../docs/.vitepress/content/error-pages-text.js';
import { exampleTitles, nodeExampleTitles } from '../../docs/.vitepress/content/examples.js';
import { operationPage } from '../../docs/.vitepress/content/operation-page.js';
import { recordOperation } from '../../docs/.vitepress/content/operation-record.js';
import { signatureReader } from '../../docs/.vitepress/content/operation-signatures.js';
import { operationSources } from '../../docs/.vitepress/content/operation-sources.js';
import { operationIds } from '../../src/contract/index.js';
import { fenced } from './copied-parts.js';

/**
 * Writes the generated pages: one for each operation, error, and example. The pages are files instead of
 * dynamic routes, because VitePress's search indexes only files.
 */
export async function writePages(site: string): Promise<void> {
  await rm(join(site, 'reference/operations'), { recursive: true, force: true });
  for (const { path, text } of await generatedPages(site)) {
    const file = join(site, path);
    await mkdir(dirname(file), { recursive: true });
    // Pages in `reference` don't show the outline next to the text, because their columns need the space.
    const layout = path.startsWith('reference/') ? 'aside: false\npageClass: operation\n' : '';
    await writeFile(file, `---\n${layout}editLink: false\n---\n\n${text}\n`);
  }
}

/** Returns the generated pages as Markdown. */
export const generatedPages = async (site: string): Promise<{ path: string; text: string }[]> => [
  ...(await operationPages()),
  ...errorPages(),
  ...(await examplePages(site)),
];

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

async function examplePages(site: string) {
  const page = async ([id, title]: [string, string], [before, after]: [string, string]) => {
    const source = await readFile(join(site, `../examples/${id}.ts`), 'utf8');
    const connects = source.includes("'./support/connect.js'");
    return {
      path: `examples/${id}.md`,
      text: [
        `# ${title}`,
        before,
        fenced(`${id}.ts`, source.trimEnd()),
        after,
        connects
          ? 'To see `support/connect.ts`, go to [Examples](./index.md#connect-to-a-deployment-or-a-mock-server).'
          : '',
      ].join('\n\n'),
    };
  };
  const command = (id: string) =>
    `You can run this example only in Node.js, in a [clone of the repository](./index.md):\n\n\`\`\`sh\nnpx tsx examples/${id}.ts\n\`\`\``;
  return Promise.all([
    ...Object.entries(exampleTitles).map((entry) =>
      page(entry, [`<LiveExample id="${entry[0]}">`, '</LiveExample>']),
    ),
    ...Object.entries(nodeExampleTitles).map((entry) => page(entry, [command(entry[0]), ''])),
  ]);
}
