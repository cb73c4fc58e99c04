import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../scripts/entries.js';

const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' });
const files = git('ls-files', '-z').split('\0').filter(Boolean);
const text = new Map(files.map((path) => [path, readFileSync(join(root, path), 'utf8')]));

const filesWith = (pattern: RegExp) =>
  [...text].filter(([, content]) => pattern.test(content)).map(([path]) => path);

test('no file names the host of a package registry, so that any mirror serves', () => {
  const hosts = ['registry.npmjs', 'registry.yarnpkg', 'npm.pkg.github'].map((host) =>
    host.replace('.', String.raw`\.`),
  );
  // This file itself names them in pieces.
  expect(filesWith(new RegExp(`(${hosts.join('|')})\\.(org|com)`))).toEqual([]);
  expect(text.get('package-lock.json')).not.toContain('"resolved"');
});

test('no file names a folder of the machine it was written on', () => {
  const folders = [root, homedir()].filter((path) => path.split('/').length > 2);
  const machine = new RegExp([...folders, String.raw`/(home|Users)/\w+/`].join('|'));
  expect(filesWith(machine)).toEqual([]);
});

test('git keeps no file that a build or an editor makes', () => {
  expect(files.filter((path) => /(^|\/)(dist|node_modules|coverage)\/|\.(tgz|log|orig)$/.test(path))).toEqual(
    [],
  );
});

test("the lock file has every platform's packages, so that a set-up works on each of them", () => {
  const { packages } = JSON.parse(text.get('package-lock.json') ?? '') as {
    packages: Record<string, LockedPackage>;
  };
  const locked = new Set(Object.keys(packages).map((path) => path.replace(/^.*node_modules\//, '')));
  const wanted = Object.values(packages).flatMap(({ optionalDependencies = {} }) =>
    Object.keys(optionalDependencies),
  );
  expect(
    wanted.filter((name) => !locked.has(name)),
    'run: npm run lock',
  ).toEqual([]);
  expect(Object.keys(packages).filter((path) => path !== '' && !packages[path]?.version)).toEqual([]);
});

test('whatever is locked can be verified, but for packages of platforms that the registry did not serve', () => {
  const { packages } = JSON.parse(text.get('package-lock.json') ?? '') as {
    packages: Record<string, LockedPackage>;
  };
  const unverified = Object.entries(packages).filter(([path, { integrity }]) => path !== '' && !integrity);
  expect(
    unverified.filter(([, { optional, os, cpu }]) => !optional || !(os ?? cpu)).map(([path]) => path),
    'run: npm run lock',
  ).toEqual([]);
});

interface LockedPackage {
  version?: string;
  integrity?: string;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  optionalDependencies?: Record<string, string>;
}

test('every changeset says which version it needs, so that a release can read it', () => {
  const changesets = [...text].filter(([path]) => /^\.changeset\/(?!README)[\w-]+\.md$/.test(path));
  for (const [path, content] of changesets) {
    expect(content, path).toMatch(/^---\n"worktrack": (patch|minor|major)\n---\n\n\S/);
  }
});
