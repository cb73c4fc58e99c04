import { defineConfig } from 'vitest/config';
import { testsOf } from './scripts/mutation-groups.js';
import shared from './vitest.config.js';

/** The tests that Stryker runs against each mutant: of one group of sources, and none that starts a process. */
export default defineConfig({
  resolve: shared.resolve ?? {},
  test: {
    include: testsOf(process.env.WORKTRACK_MUTATION_GROUP),
    exclude: ['test/unit/server/cli.test.ts'],
    testTimeout: 10_000,
  },
});
