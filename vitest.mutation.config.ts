import { defineConfig } from 'vitest/config';
import { testsOf } from './scripts/mutation-groups.js';
import shared from './vitest.config.js';

/** The tests that Stryker runs against each mutant: those of one group of sources. */
export default defineConfig({
  resolve: shared.resolve ?? {},
  test: {
    include: testsOf(process.env.WORKTRACK_MUTATION_GROUP),
    testTimeout: 10_000,
    // One load of the sources for all files, where each would load them again: several times faster.
    isolate: false,
  },
});
