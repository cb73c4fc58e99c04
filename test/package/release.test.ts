import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { root } from '../../scripts/entries.js';
import { releaseProblems } from '../../scripts/release/check.js';

let folder: string;
const path = (name: string) => join(folder, name);
const readJson = (name: string) => JSON.parse(readFileSync(path(name), 'utf8'));
const writeJson = (name: string, content: object) => writeFileSync(path(name), JSON.stringify(content));

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'worktrack-release-'));
  mkdirSync(path('src'));
  for (const name of ['package.json', 'package-lock.json', 'CHANGELOG.md', 'src/version.ts']) {
    cpSync(join(root, name), path(name));
  }
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('changeset version turns a changeset into a version bump and a changelog entry', () => {
  const { version } = readJson('package.json');
  const [major, minor] = version.split('.').map(Number);
  // Copy the pending changesets, too, so an invalid changeset fails the test.
  cpSync(join(root, '.changeset'), path('.changeset'), { recursive: true });
  writeFileSync(path('.changeset/sample.md'), '---\n"worktrack": minor\n---\n\nAdded: a sample.\n');
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'node_modules/@changesets/cli/bin.js'), 'version'],
    { cwd: folder, encoding: 'utf8' },
  );
  expect(status, stdout + stderr).toBe(0);
  const next = `${major}.${minor + 1}.0`;
  expect(readJson('package.json').version).toBe(next);
  const changelog = readFileSync(path('CHANGELOG.md'), 'utf8');
  expect(changelog).toMatch(/^# worktrack\n/);
  expect(changelog).toContain(`## ${next}\n\n### Minor Changes\n\n- `);
  expect(changelog).toContain('Added: a sample.');
  expect(changelog.indexOf(`## ${next}`)).toBeLessThan(changelog.indexOf(`## ${version}`));
});

const complete = {
  repository: { type: 'git', url: 'git+https://example.com/worktrack.git' },
  homepage: 'https://example.com/worktrack/',
  bugs: { url: 'https://example.com/worktrack/issues' },
};

test('releaseProblems accepts a checkout with all fields and consistent versions', () => {
  writeJson('package.json', { ...readJson('package.json'), ...complete });
  expect(releaseProblems(folder)).toEqual([]);
});

test.each(['repository', 'homepage', 'bugs'])(
  'releaseProblems reports a missing "%s" in package.json',
  (field) => {
    writeJson('package.json', { ...readJson('package.json'), ...complete, [field]: undefined });
    expect(releaseProblems(folder)).toEqual([expect.stringContaining(`"${field}`)]);
  },
);

test('releaseProblems reports a version mismatch in the lockfile, VERSION, or the changelog', () => {
  writeJson('package.json', { ...readJson('package.json'), ...complete, version: '9.9.9' });
  expect(releaseProblems(folder)).toEqual([
    expect.stringContaining('src/version.ts'),
    expect.stringContaining('package-lock.json'),
    expect.stringContaining('CHANGELOG.md'),
  ]);
});

test('the release check script reports the problems it finds', () => {
  const check = () =>
    execFileSync(process.execPath, ['--import', 'tsx', 'scripts/release/check.ts'], {
      cwd: root,
      encoding: 'utf8',
      stdio: 'pipe',
    });
  const problems = releaseProblems(root);
  if (problems.length === 0) expect(check()).toContain('ready to publish');
  else expect(check).toThrow(problems[0]);
});
