import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';

const root = fileURLToPath(new URL('../../..', import.meta.url));

declare module 'vitest' {
  interface ProvidedContext {
    site: string;
  }
}

/** Builds the site once, with a base path, as on many static hosts. */
export default function buildSite(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'worktrack-site-'));
  const script = ['--import', 'tsx', 'scripts/docs.ts', 'build', '--base', '/worktrack/', '--out', folder];
  const { status, stdout, stderr } = spawnSync(process.execPath, script, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`failed to build the site:\n${stdout}\n${stderr}`);
  project.provide('site', folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
