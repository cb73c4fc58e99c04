import { defineConfig } from 'vitest/config';
import shared from './vitest.config.js';

/** The documentation site and the console in a real browser; `npm test` runs it as a step of its own, after the build of the site. */
export default defineConfig({
  resolve: shared.resolve ?? {},
  test: {
    include: ['test/browser/**/*.test.ts'],
    globalSetup: ['test/browser/support/build-site.ts', 'test/browser/support/build-console.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
});
