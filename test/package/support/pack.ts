import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { root } from '../../../scripts/entries.js';

/**
 * Packs the built package and installs the tarball, with its dependencies, into an empty folder
 * outside the checkout: once for all tests, each of which works in a folder of its own below it.
 * What is no dependency of ours (a user's own msw, TypeScript, test runner) is linked.
 */
export default function pack(project: TestProject): () => void {
  if (!existsSync(join(root, 'dist/index.js'))) throw new Error('dist/ is missing: run npm run build first');
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'worktrack-package-')));
  const [packed] = JSON.parse(npm(['pack', '--json', '--ignore-scripts', '--pack-destination', home], root));
  writeFileSync(join(home, 'package.json'), '{ "private": true }');
  npm(
    [
      'install',
      '--prefer-offline',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--legacy-peer-deps',
      packed.filename,
    ],
    home,
  );
  for (const name of usersOwn) link(name, home);
  project.provide('home', home);
  project.provide('tarball', join(home, packed.filename));
  project.provide('packedFiles', packed.files);
  return () => rmSync(home, { recursive: true, force: true });
}

const usersOwn = ['msw', 'typescript', 'vitest', '@types/node'];

function link(name: string, home: string) {
  const path = join(home, 'node_modules', name);
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(join(root, 'node_modules', name), path, 'junction');
}

function npm(args: string[], cwd: string): string {
  const { npm_execpath: path } = process.env;
  const [command, first] = path?.endsWith('.js') ? [process.execPath, [path]] : ['npm', []];
  return execFileSync(command, [...first, ...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

declare module 'vitest' {
  interface ProvidedContext {
    home: string;
    tarball: string;
    packedFiles: { path: string; size: number }[];
  }
}
