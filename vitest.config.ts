import { defineConfig } from 'vitest/config';
import { entries, root } from './scripts/entries.js';

export default defineConfig({
  resolve: {
    alias: [...entries].map(([name, file]) => ({ find: new RegExp(`^${name}$`), replacement: root + file })),
  },
  test: {
    include: ['test/**/*.test.ts'],
    // Steps of their own, with a build before them: vitest.package.config.ts, vitest.docs.config.ts.
    exclude: ['test/package/**', 'test/runtimes/**', 'test/browser/**'],
    testTimeout: 10_000,
  },
});
