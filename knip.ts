import type { KnipConfig } from 'knip';
import { entries } from './scripts/entries.js';

export default {
  entry: [
    ...entries.values(),
    'examples/**/*.ts',
    'scripts/*.{ts,mjs}',
    'bench/run.ts',
    'bench/support/{plain-server.mjs,mock-server.ts}',
    'bench/peers/client-process.ts',
    'test/**/*.test.ts',
    'test/docs/**/*.ts',
    'test/mcp/support/stdio-server.ts',
    // Put in by the build.
    'mcp/sdk-shims.ts',
    'test/runtimes/*.mjs',
    'docs/.vitepress/**/*.{ts,vue}',
  ],
  project: [
    '{src,mock-server,conformance,testing,cli,mcp,examples,scripts,test,bench,docs}/**/*.{ts,mjs,vue}',
    '!bench/peers/*.mjs',
  ],
  // An export that its own file uses is not dead, only more visible than it must be.
  ignoreExportsUsedInFile: true,
  ignoreDependencies: [
    // Run by path, as programs.
    '@arethetypeswrong/cli',
    'publint',
    'vue-tsc',
    // For the projects of npm run consumers; jest brings its globals.
    'jest',
    '@jest/globals',
    // Read from a file, or imported by a child process, for the tests of the site.
    'axe-core',
    '@sparticuz/chromium',
  ],
} satisfies KnipConfig;
