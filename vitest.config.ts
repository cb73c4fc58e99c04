import { defineConfig } from 'vitest/config';
import { entries, root } from './scripts/entries.js';

export default defineConfig({
  resolve: {
    alias: [...entries].map(([name, file]) => ({ find: new RegExp(`^${name}$`), replacement: root + file })),
  },
  test: {
    include: ['test/**/*.test.ts'],
    // They test what the build left behind, after it: see vitest.package.config.ts.
    exclude: ['test/package/**', 'test/runtimes/**'],
    testTimeout: 10_000,
  },
});
