import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { entries, root } from './scripts/entries.js';

/**
 * Tests that call the code in their own process, and restore what they replace: globals, timers, the environment.
 * The two exceptions replace a module and start the CLI.
 */
const inProcess =
  'test/{contract,openapi,properties,rules,types,unit}/**/!(schemas-on-demand|persistence).test.ts';

export default defineConfig({
  resolve: {
    alias: [...entries].map(([name, file]) => ({ find: new RegExp(`^${name}$`), replacement: root + file })),
  },
  test: {
    projects: [
      // Each worker loads the sources once. Loading them again for each file takes longer than most tests.
      { extends: true, test: { name: 'in-process', include: [inProcess], isolate: false } },
      {
        extends: true,
        test: {
          name: 'isolated',
          include: ['test/**/*.test.ts'],
          // The last three are separate steps, which need a build: vitest.package.config.ts, vitest.docs.config.ts.
          exclude: [inProcess, 'test/package/**', 'test/runtimes/**', 'test/browser/**'],
          globalSetup: 'test/support/programs.ts',
        },
      },
    ],
    // Some tests check hundreds of cases in a loop, on machines that run other work at the same time.
    testTimeout: 30_000,
    // By default one core is left over, which is half of a machine with two.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // With `--coverage`, as `npm test` asks for it. Every file counts, also one that no test imports.
    coverage: {
      provider: 'v8',
      include: ['src/**', 'mock-server/**'],
      reporter: [['text', { skipFull: true }]],
      thresholds: { lines: 95, branches: 95, functions: 95, statements: 95 },
    },
  },
});
