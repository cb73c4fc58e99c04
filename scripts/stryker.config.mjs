// `npm run mutation`: runs Stryker, which also accepts its own options after `--`, such as `--incremental` or
// `--mutate 'src/http/*.ts'`.
export default {
  mutate: ['{src,mock-server,cli,conformance}/**/*.ts'],
  testRunner: 'vitest',
  vitest: { configFile: 'vitest.config.ts', related: false },
  coverageAnalysis: 'perTest',
  concurrency: 2,
  // The timeouts are long, so that a slow machine isn't mistaken for a mutant that hangs.
  timeoutMS: 20_000,
  timeoutFactor: 3,
  dryRunTimeoutMinutes: 20,
  thresholds: { high: 95, low: 90, break: 90 },
  reporters: ['progress-append-only', 'clear-text', 'html', 'json'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  ignorePatterns: ['dist', 'reports', 'coverage', 'docs/.vitepress/dist', 'docs/.vitepress/cache'],
};
