import { defineConfig } from 'vitest/config';

/** Tests of the built and packed package: they install it, so they are few, long and after the build. */
export default defineConfig({
  test: {
    include: ['test/package/**/*.test.ts'],
    globalSetup: 'test/package/support/pack.ts',
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
