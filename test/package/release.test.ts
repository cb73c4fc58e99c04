import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { root } from '../../tools/entries.js';

let folder: string;
const path = (name: string) => join(folder, name);
const readJson = (name: string) => JSON.parse(readFileSync(path(name), 'utf8'));

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'worktrack-release-'));
  mkdirSync(path('src'));
  for (const name of ['package.json', 'package-lock.json', 'CHANGELOG.md', 'src/version.ts']) {
    cpSync(join(root, name), path(name));
  }
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('`changeset version` turns a changeset into a version bump and a changelog entry', () => {
  const { version } = readJson('package.json');
  const [major, minor] = version.split('.').map(Number);
  // Copy the pending changesets so that an invalid one makes the test fail.
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
