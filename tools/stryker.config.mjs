// Configuration for `npm run mutation`.
const report = `reports/mutation/${process.env.MUTATION_GROUP}`;

export default {
  testRunner: 'vitest',
  plugins: [
    '@stryker-mutator/vitest-runner',
    new URL('support/mutation-sample.mjs', import.meta.url).pathname,
  ],
  // For example, `MUTATION_SAMPLE=0.1` tests a random tenth of the mutants, except those in code that runs
  // when its module is loaded. Such a mutant runs all tests, so these mutants would take longer than all
  // others combined.
  checkers: process.env.MUTATION_SAMPLE ? ['sample'] : [],
  ignoreStatic: Boolean(process.env.MUTATION_SAMPLE),
  vitest: { configFile: 'vitest.config.ts', related: false },
  coverageAnalysis: 'perTest',
  concurrency: 2,
  // The timeouts are long so that a slow machine isn't mistaken for a mutant that hangs.
  timeoutMS: 20_000,
  timeoutFactor: 3,
  dryRunTimeoutMinutes: 20,
  thresholds: { high: 95, low: 90, break: 90 },
  reporters: ['progress-append-only', 'clear-text', 'html', 'json'],
  htmlReporter: { fileName: `${report}.html` },
  jsonReporter: { fileName: `${report}.json` },
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  ignorePatterns: ['dist', 'reports', 'coverage', 'docs/.vitepress/dist', 'docs/.vitepress/cache'],
};
