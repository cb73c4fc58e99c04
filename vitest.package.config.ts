import { defineConfig } from 'vitest/config';

/** Tests of the built and packed package. They are slow because they install it, and they need a build. */
export default defineConfig({
  test: {
    include: ['test/package/**/*.test.ts'],
    globalSetup: 'test/package/support/pack.ts',
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
