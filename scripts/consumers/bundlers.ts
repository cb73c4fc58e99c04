import { join } from 'node:path';
import { type BuildOptions, buildSync } from 'esbuild';
import { type Consumer, expectRan } from './consumer.js';
import { printedByPage } from './page.js';
import { expectedOutput } from './plain.js';
import { projectIn } from './project.js';
import { asCommonJs, programs } from './readme.js';

/** Projects that bundle the README's code and its dependencies. */
export const bundlers: readonly Consumer[] = [
  {
    name: 'Vite, in Chromium',
    tools: ['vite'],
    async run(home) {
      const { folder, tool } = projectIn(home, {
        ...pageFiles(),
        'index.html': page('/main.ts'),
        'package.json': { type: 'module' },
      });
      expectRan('vite build', tool('vite/bin/vite.js', 'build'), /built in/);
      await expectPrinted(home, join(folder, 'dist'));
    },
  },
  {
    name: 'esbuild, a server bundle',
    tools: ['esbuild'],
    run(home) {
      const expected = expectedOutput(home);
      for (const [index, [name, code]] of programs().entries()) {
        const { folder, run } = projectIn(home, { 'module.ts': code, 'script.js': asCommonJs(code) });
        bundle(folder, 'module.ts', { platform: 'node', format: 'esm', outfile: 'module.mjs' });
        bundle(folder, 'script.js', { platform: 'node', format: 'cjs', outfile: 'script.cjs' });
        for (const file of ['module.mjs', 'script.cjs']) {
          expectRan(`${name} as ${file}`, run(file), expected[index] ?? '');
        }
      }
    },
  },
  {
    name: 'esbuild, a client bundle in Chromium',
    tools: ['esbuild'],
    async run(home) {
      const { folder } = projectIn(home, { ...pageFiles(), 'dist/index.html': page('/main.js') });
      bundle(folder, 'main.ts', { platform: 'browser', format: 'esm', splitting: true, outdir: 'dist' });
      await expectPrinted(home, join(folder, 'dist'));
    },
  },
];

/** Returns the README's programs and a module that imports all of them. */
const pageFiles = () => ({
  ...Object.fromEntries(programs()),
  'main.ts': `${programs()
    .map(([name]) => `import './${name}';`)
    .join('\n')}\ndocument.title = 'done';\n`,
});

const page = (script: string) =>
  `<!doctype html><title>running</title><script type="module" src="${script}"></script>`;

function bundle(folder: string, entry: string, options: BuildOptions) {
  const limits = { bundle: true, minify: true, target: 'es2022', logLevel: 'silent' } as const;
  const { warnings } = buildSync({ absWorkingDir: folder, entryPoints: [entry], ...limits, ...options });
  if (warnings.length > 0)
    throw new Error(`esbuild printed warnings: ${warnings.map(({ text }) => text).join('; ')}`);
}

async function expectPrinted(home: string, site: string) {
  const expected = expectedOutput(home).join('');
  const printed = await printedByPage(site);
  if (printed !== expected) throw new Error(`The page printed\n${printed}\nbut should print\n${expected}`);
}
