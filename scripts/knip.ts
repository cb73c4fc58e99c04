import type { KnipConfig } from 'knip';
import { entries } from './entries.js';

export default {
  entry: [
    ...entries.values(),
    'examples/**/*.{ts,tsx}',
    'scripts/*.{ts,mjs}',
    'scripts/build/*.ts',
    'cli/mock/standalone.ts',
    'bench/run.ts',
    'bench/support/{plain-server.mjs,mock-server.ts}',
    'bench/peers/client-process.ts',
    'test/**/*.test.ts',
    'test/docs/**/*.ts',
    'test/testing/playwright/*.ts',
    'test/browser/server-rendered/*.ts',
    'test/cli/programs/*.mjs',
    'test/mcp/support/stdio-server.ts',
    'test/hostile/support/lock-process.ts',
    'test/deployment/support/import-process.ts',
    // The build replaces modules of dependencies with the next two files.
    'mcp/sdk-shims.ts',
    'mcp/text/decode-named-character-reference.ts',
    'test/runtimes/*.mjs',
    'docs/.vitepress/**/*.{ts,vue}',
    'console/vite.config.ts',
    'console/app/main.ts',
  ],
  project: [
    '{src,mock-server,conformance,calibration,testing,cli,mcp,console,examples,scripts,test,bench,docs}/**/*.{ts,tsx,mjs,vue}',
    '!bench/peers/*.mjs',
  ],
  // A file may export the types that appear in its other exports.
  ignoreExportsUsedInFile: { interface: true, type: true },
  // Tests use these programs only if they're installed.
  ignoreBinaries: ['mkfifo', 'script', 'unshare'],
  ignoreDependencies: [
    // The following packages are run by path instead of being imported.
    'textlint',
    'textlint-rule-prh',
    'textlint-rule-terminology',
    '@arethetypeswrong/cli',
    'publint',
    'vue-tsc',
    '@stryker-mutator/core',
    '@stryker-mutator/vitest-runner',
    // The package tests use the following packages by path. `@jest/globals` is installed with Jest.
    'jest',
    '@jest/globals',
    // `playwright` is installed with @playwright/test.
    'playwright',
    // The site tests read the following packages as files or import them in a child process.
    'axe-core',
    '@sparticuz/chromium',
  ],
} satisfies KnipConfig;
