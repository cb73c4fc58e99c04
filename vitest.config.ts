import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { entries, root } from './scripts/entries.js';

export default defineConfig({
  resolve: {
    alias: [...entries].map(([name, file]) => ({ find: new RegExp(`^${name}$`), replacement: root + file })),
  },
  test: {
    include: ['test/**/*.test.ts'],
    // Separate steps, which need a build first: vitest.package.config.ts, vitest.docs.config.ts.
    exclude: ['test/package/**', 'test/runtimes/**', 'test/browser/**'],
    testTimeout: 10_000,
    // Files of one worker share the loaded sources. Loading them again for each file took a minute.
    isolate: false,
    // By default vitest leaves one core unused, which is half of a machine with two.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // For `--coverage`, as in `npm test`. Files that no test imports count, too.
    coverage: {
      provider: 'v8',
      include: ['src/**', 'mock-server/**'],
      reporter: [['text', { skipFull: true }]],
      thresholds: { lines: 95, branches: 95, functions: 95, statements: 95 },
    },
  },
});
