import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { root } from '../entries.js';

export interface Size {
  what: string;
  minified: number;
  /** Minified and gzipped, including dependencies. */
  gzipped: number;
  /** The maximum gzipped size, enforced by a test. */
  budget: number;
  /** The target gzipped size, if it differs from the budget. */
  goal?: number;
}

/** Measures how many bytes each import of the built package adds to an app's bundle, including dependencies. */
export function sizes(): Promise<Size[]> {
  return Promise.all(
    imports.map(async ({ names, from, ...limits }) => {
      const { outputFiles } = await build({
        stdin: {
          contents: `import { ${names} } from './dist/${from}.js'; console.log(${names});`,
          resolveDir: root,
        },
        // MSW is an optional peer dependency, which users install themselves.
        external: ['msw'],
        bundle: true,
        minify: true,
        write: false,
        format: 'esm',
        platform: 'browser',
        target: 'es2022',
        legalComments: 'none',
        logLevel: 'error',
      });
      const code = outputFiles[0]?.contents ?? new Uint8Array();
      return { ...limits, minified: code.byteLength, gzipped: gzipSync(code, { level: 9 }).byteLength };
    }),
  );
}

const imports = [
  { what: 'the whole client', names: 'Worktrack', from: 'index', budget: 29_600, goal: 27_500 },
  { what: 'only the errors', names: 'isWorktrackError, NotFoundError', from: 'index', budget: 1_000 },
  { what: 'only the scopes', names: 'scopes', from: 'contract', budget: 300 },
  { what: 'only one schema', names: 'createBoardSchema', from: 'contract', budget: 6_500 },
  { what: 'the mock server', names: 'createMockServer', from: 'mock-server', budget: 41_000 },
];
