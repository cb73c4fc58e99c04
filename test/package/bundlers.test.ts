import { join } from 'node:path';
import { type BuildOptions, buildSync } from 'esbuild';
import { expect, test } from 'vitest';
import { printedByPage } from './support/page.js';
import { expectRan, project } from './support/project.js';
import { asCommonJs, expectedOutput, programs } from './support/readme.js';

// These projects bundle the README's programs and their dependencies.

test("the README's programs run in a page built with Vite", async () => {
  const { folder, tool } = project({
    ...pageFiles(),
    'index.html': page('/main.ts'),
    'package.json': { type: 'module' },
  });
  expectRan('vite build', tool('vite/bin/vite.js', 'build'), /built in/);
  expect(await printedByPage(join(folder, 'dist'))).toBe(expectedOutput().join(''));
});

test("the README's programs run in a server bundle built with esbuild", () => {
  const expected = expectedOutput();
  for (const [index, [name, code]] of programs().entries()) {
    const { folder, run } = project({ 'module.ts': code, 'script.js': asCommonJs(code) });
    bundle(folder, 'module.ts', { platform: 'node', format: 'esm', outfile: 'module.mjs' });
    bundle(folder, 'script.js', { platform: 'node', format: 'cjs', outfile: 'script.cjs' });
    for (const file of ['module.mjs', 'script.cjs']) {
      expectRan(`${name} as ${file}`, run(file), expected[index] ?? '');
    }
  }
});

test("the README's programs run in a page bundled with esbuild", async () => {
  const { folder } = project({ ...pageFiles(), 'dist/index.html': page('/main.js') });
  bundle(folder, 'main.ts', { platform: 'browser', format: 'esm', splitting: true, outdir: 'dist' });
  expect(await printedByPage(join(folder, 'dist'))).toBe(expectedOutput().join(''));
});

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
  expect(warnings).toEqual([]);
}
