import { defineConfig } from 'vitest/config';

/** Tests for the package tarball. They need a build, and they're slow because they install the tarball. */
export default defineConfig({
  test: {
    include: ['test/package/**/*.test.ts'],
    globalSetup: 'test/package/support/pack.ts',
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
