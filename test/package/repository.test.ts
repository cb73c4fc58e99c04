import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../../tools/entries.js';

// A source archive isn't a Git repository, so Git can't list its files.
const hasGit = existsSync(join(root, '.git'));

describe.skipIf(!hasGit)(`files in Git${hasGit ? '' : ' (NOT RUN: this checkout has no .git)'}`, () => {
  const files = hasGit
    ? execFileSync('git', ['-c', `safe.directory=${root.replace(/\/$/, '')}`, 'ls-files', '-z'], {
        cwd: root,
        encoding: 'utf8',
      })
        .split('\0')
        .filter((path) => path && existsSync(join(root, path)))
    : [];
  const filesWith = (pattern: RegExp) =>
    files.filter((path) => pattern.test(readFileSync(join(root, path), 'utf8')));

  test("don't contain the host of a package registry, so any mirror can be used", () => {
    // The hosts are joined from their parts so that this file doesn't contain them.
    const hosts = [
      ['registry', 'npmjs', 'org'],
      ['registry', 'yarnpkg', 'com'],
      ['npm', 'pkg', 'github', 'com'],
    ].map((parts) => parts.join(String.raw`\.`));
    expect(filesWith(new RegExp(hosts.join('|')))).toEqual([]);
  });

  test("don't contain absolute paths", () => {
    const folders = [root, homedir()].filter((path) => path.split('/').length > 2);
    const pattern = new RegExp([...folders.map(escaped), String.raw`/(home|Users)/\w+/`].join('|'));
    expect(filesWith(pattern)).toEqual([]);
  });

  test("don't include files that builds or editors create", () => {
    const created = /(^|\/)(dist|node_modules|coverage)\/|\.(tgz|log|orig)$|^THIRD-PARTY/;
    expect(files.filter((path) => created.test(path))).toEqual([]);
  });
});

describe.each(['package-lock.json', 'tools/bench/package-lock.json'])('%s', (lockfile) => {
  const { packages } = JSON.parse(readFileSync(join(root, lockfile), 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };
  const locked = Object.entries(packages).filter(([path]) => path !== '');

  test("doesn't contain registry URLs", () => {
    expect(locked.filter(([, { resolved }]) => resolved)).toEqual([]);
  });

  test('includes the packages for every platform, so npm ci works everywhere', () => {
    const names = new Set(locked.map(([path]) => path.replace(/^.*node_modules\//, '')));
    const optional = locked.flatMap(([, { optionalDependencies = {} }]) => Object.keys(optionalDependencies));
    expect(
      optional.filter((name) => !names.has(name)),
      'see "Lockfile" in docs/contributing/index.md',
    ).toEqual([]);
  });

  test('has a version and an integrity hash for each package', () => {
    const incomplete = locked.filter(([, { version, integrity }]) => !version || !integrity);
    expect(incomplete.map(([path]) => path)).toEqual([]);
  });
});

function escaped(path: string): string {
  return path.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

interface LockedPackage {
  version?: string;
  resolved?: string;
  integrity?: string;
  optionalDependencies?: Record<string, string>;
}
