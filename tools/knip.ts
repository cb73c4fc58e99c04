import type { KnipConfig } from 'knip';
import { entries } from './entries.js';

export default {
  entry: [
    ...entries.values(),
    'examples/**/*.{ts,tsx}',
    'tools/*.{ts,mjs}',
    'tools/build/*.ts',
    'addons/cli/main.ts',
    'addons/cli/mock/standalone.ts',
    'tools/bench/run.ts',
    'tools/bench/support/{plain-server.mjs,mock-server.ts}',
    'tools/bench/peers/client-process.ts',
    'test/**/*.test.ts',
    'test/docs/**/*.ts',
    'test/testing/playwright/*.ts',
    'test/browser/server-rendered/*.ts',
    'test/cli/programs/*.mjs',
    'test/mcp/support/stdio-server.ts',
    'test/{deployment,jobs}/support/*-process.ts',
    'test/jobs/support/queue-process.ts',
    // The build replaces modules of dependencies with the next two files.
    'addons/mcp/sdk-shims.ts',
    'addons/mcp/text/decode-named-character-reference.ts',
    'test/runtimes/*.mjs',
    'docs/.vitepress/**/*.{ts,vue}',
    'addons/console/vite.config.ts',
    'addons/console/app/main.ts',
  ],
  project: [
    '{src,mock-server,testing,addons,examples,tools,test,docs}/**/*.{ts,tsx,mjs,vue}',
    '!tools/bench/peers/*.mjs',
  ],
  // A file may export the types that appear in its other exports.
  ignoreExportsUsedInFile: { interface: true, type: true },
  // Tests use these programs only if they're installed.
  ignoreBinaries: ['mkfifo', 'script'],
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
