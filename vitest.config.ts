import { availableParallelism } from 'node:os';
import { defineConfig, type TestProjectConfiguration } from 'vitest/config';
import { entries, root } from './tools/entries.js';
import { mutationTests } from './tools/mutation-tests.js';

/** Tests that replace or reset modules, shorten the waits of their process, or measure its resources. */
const isolated = [
  'test/{deployment,endurance,hostile}/**/*.test.ts',
  'test/**/{schemas-on-demand,console-files,testing/vitest}.test.ts',
];

const projects: TestProjectConfiguration[] = [
  // Each worker loads the sources only once, because loading them for each file takes longer than most tests.
  // These tests must therefore restore everything they replace, such as globals, timers, and environment
  // variables.
  {
    extends: true,
    test: {
      name: 'shared',
      include: ['test/**/*.test.ts'],
      exclude: [...isolated, 'test/{browser,package,runtimes}/**'],
      isolate: false,
      globalSetup: 'test/support/programs.ts',
    },
  },
  {
    extends: true,
    test: { name: 'isolated', include: isolated, globalSetup: 'test/support/programs.ts' },
  },
  // The documentation site and the console in Chromium.
  {
    extends: true,
    test: {
      name: 'browser',
      include: ['test/browser/**/*.test.ts'],
      globalSetup: 'test/browser/support/build-site.ts',
      hookTimeout: 60_000,
    },
  },
  // The packed package, installed in empty projects. These tests need a build.
  {
    extends: true,
    test: {
      name: 'package',
      include: ['test/package/**/*.test.ts'],
      globalSetup: 'test/package/support/pack.ts',
      testTimeout: 300_000,
      hookTimeout: 300_000,
    },
  },
];

export default defineConfig(({ mode }) => ({
  resolve: {
    alias: [...entries].map(([name, file]) => ({ find: new RegExp(`^${name}$`), replacement: root + file })),
  },
  test: {
    // Stryker runs only the tests in tools/mutation-tests.ts.
    ...(process.env.STRYKER_MUTATOR_WORKER ? mutationTests : { projects }),
    // With `--mode long`, the random tests check many more cases.
    env: mode === 'long' ? { WORKTRACK_TEST_LONG: '1' } : {},
    // Some tests check hundreds of cases in a loop, and the machine may be busy.
    testTimeout: 30_000,
    // For the same reason, `expect.poll()` waits longer than its default of one second.
    expect: { poll: { timeout: 10_000 } },
    // By default, Vitest leaves one core free, which would be half of a two-core machine.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // For `--coverage`, which `npm test` passes. The report includes files that no test imports.
    coverage: {
      provider: 'v8',
      include: ['src/**', 'mock-server/**', 'addons/{jobs,shared}/**/*.ts'],
      reporter: [['text', { skipFull: true }]],
      thresholds: { lines: 95, branches: 95, functions: 95, statements: 95 },
    },
  },
}));
