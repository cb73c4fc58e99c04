// `npm run mutation -- --mutate 'src/http/*.ts'` changes only some files. All options of Stryker work, such as
// `--incremental`.
export default {
  mutate: ['{src,mock-server,cli,conformance}/**/*.ts'],
  testRunner: 'vitest',
  vitest: { configFile: 'vitest.config.ts', related: false },
  coverageAnalysis: 'perTest',
  concurrency: 2,
  // These timeouts detect mutants that hang. They're long so a slow machine isn't mistaken for a hanging
  // mutant.
  timeoutMS: 20_000,
  timeoutFactor: 3,
  dryRunTimeoutMinutes: 20,
  thresholds: { high: 95, low: 90, break: 90 },
  reporters: ['progress-append-only', 'clear-text', 'html', 'json'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  ignorePatterns: ['dist', 'reports', 'coverage', 'docs/.vitepress/dist', 'docs/.vitepress/cache'],
};
