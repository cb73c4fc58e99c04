import { spawnSync } from 'node:child_process';
import { expect, inject, test } from 'vitest';
import { entries, root } from '../../tools/entries.js';

const node = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  return { status, output: stdout + stderr };
};

test('publint reports no problems', () => {
  const { status, output } = node('node_modules/publint/src/cli.js', inject('tarball'), '--strict');
  expect(output).toContain('All good!');
  expect(status).toBe(0);
});

test('every entry point has correct types in every module resolution mode except node10', () => {
  const { status, output } = node(
    'node_modules/@arethetypeswrong/cli/dist/index.js',
    inject('tarball'),
    '--no-color',
    '--profile',
    'esm-only',
  );
  expect(status, output).toBe(0);
  for (const name of entries.keys()) expect(output).toContain(`"${name}"`);
});
