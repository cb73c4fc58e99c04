// `npm run mutation` runs Stryker once per group (see scripts/mutation.ts).
const group = process.env.WORKTRACK_MUTATION_GROUP ?? 'all';

export default {
  testRunner: 'vitest',
  vitest: { configFile: 'vitest.mutation.config.ts', related: false },
  coverageAnalysis: 'perTest',
  concurrency: 2,
  // These timeouts detect mutants that hang. They're long so a slow machine isn't mistaken for a hanging
  // mutant.
  timeoutMS: 20_000,
  timeoutFactor: 3,
  dryRunTimeoutMinutes: 10,
  thresholds: { high: 95, low: 90, break: 90 },
  reporters: ['progress-append-only', 'clear-text', 'html', 'json'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  htmlReporter: { fileName: `reports/mutation/${group}.html` },
  jsonReporter: { fileName: `reports/mutation/${group}.json` },
  incrementalFile: `reports/mutation/${group}.incremental.json`,
  ignorePatterns: ['dist', 'reports', 'coverage', 'docs/.vitepress/dist', 'docs/.vitepress/cache'],
};
