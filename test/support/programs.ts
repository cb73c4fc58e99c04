import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join, parse } from 'node:path';
import { build } from 'esbuild';
import type { TestProject } from 'vitest/node';
import { root } from '../../tools/entries.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder with the compiled programs, such as `worktrack.mjs` and `team-day.mjs`. */
    programs: string;
  }
}

const examples = readdirSync(join(root, 'examples')).filter((name) => name.endsWith('.ts'));

const sources = {
  worktrack: 'addons/cli/main.ts',
  client: 'src/index.ts',
  'mock-server': 'mock-server/index.ts',
  'feed-process': 'test/jobs/support/feed-process.ts',
  'book-process': 'test/jobs/support/book-process.ts',
  'queue-process': 'test/jobs/support/queue-process.ts',
  'book-import-process': 'test/deployment/support/book-import-process.ts',
  'sync-process': 'test/deployment/support/sync-process.ts',
  'stdio-server': 'test/mcp/support/stdio-server.ts',
  ...Object.fromEntries(examples.map((name) => [parse(name).name, `examples/${name}`])),
};

/**
 * Compiles the programs that tests run as separate processes. Compiled programs start several times faster
 * than their sources.
 */
export default async function compilePrograms(project: TestProject): Promise<() => void> {
  // The folder is inside the checkout so that the programs can import the packages.
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const home = mkdtempSync(join(cache, 'worktrack-programs-'));
  // As in the published package, the CLI reads the OpenAPI document from its own folder.
  copyFileSync(join(root, 'package.json'), join(home, 'package.json'));
  const programs = join(home, 'dist');
  mkdirSync(programs);
  copyFileSync(join(root, 'docs/public/openapi.json'), join(programs, 'openapi.json'));
  await build({
    absWorkingDir: root,
    entryPoints: sources,
    outdir: programs,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    logLevel: 'warning',
  });
  project.provide('programs', programs);
  return () => rmSync(home, { recursive: true, force: true });
}
