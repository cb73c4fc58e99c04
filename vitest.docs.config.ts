import { defineConfig } from 'vitest/config';
import shared from './vitest.config.js';

/**
 * Browser tests for the documentation site and the console. The setup files build the site and the
 * console. `npm test` runs these tests in a separate step.
 */
export default defineConfig({
  resolve: shared.resolve ?? {},
  test: {
    include: ['test/browser/**/*.test.ts'],
    globalSetup: ['test/browser/support/build-site.ts', 'test/browser/support/build-console.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
