import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { entries, root } from './scripts/entries.js';

/**
 * Tests that run code only in the test process and restore everything they replace, such as globals, timers,
 * and environment variables. Of the three excluded files, two replace modules and one starts the CLI.
 */
const inProcess =
  'test/{contract,openapi,properties,rules,types,unit}/**/!(schemas-on-demand|console-files|persistence).test.ts';

export default defineConfig({
  resolve: {
    alias: [...entries].map(([name, file]) => ({ find: new RegExp(`^${name}$`), replacement: root + file })),
  },
  test: {
    projects: [
      // Each worker loads the sources only once, because loading them for each file takes longer than most
      // tests.
      { extends: true, test: { name: 'in-process', include: [inProcess], isolate: false } },
      {
        extends: true,
        test: {
          name: 'isolated',
          include: ['test/**/*.test.ts'],
          // The tests in the last three folders need a build. See vitest.package.config.ts and
          // vitest.docs.config.ts.
          exclude: [inProcess, 'test/package/**', 'test/runtimes/**', 'test/browser/**'],
          globalSetup: 'test/support/programs.ts',
        },
      },
    ],
    // Some tests check hundreds of cases in a loop, and the machine may be busy with other work.
    testTimeout: 30_000,
    // By default, Vitest leaves one core free. On a two-core machine, that would leave half of the cores
    // idle.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // Used with `--coverage`, which `npm test` passes. Includes files that no test imports.
    coverage: {
      provider: 'v8',
      include: ['src/**', 'mock-server/**'],
      reporter: [['text', { skipFull: true }]],
      thresholds: { lines: 95, branches: 95, functions: 95, statements: 95 },
    },
  },
});
