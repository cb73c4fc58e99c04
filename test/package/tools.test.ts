import { spawnSync } from 'node:child_process';
import { expect, inject, test } from 'vitest';
import { entries, root } from '../../scripts/entries.js';

const node = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  return { status, output: stdout + stderr };
};

test('publint finds no problems in the package', () => {
  const { status, output } = node('node_modules/publint/src/cli.js', inject('tarball'), '--strict');
  expect(output).toContain('All good!');
  expect(status).toBe(0);
});

test('every module resolution of Node.js 16 and later, and of bundlers, finds the right types', () => {
  // "node10" resolution doesn't support exports, and TypeScript deprecates it.
  const args = [
    'node_modules/@arethetypeswrong/cli/dist/index.js',
    inject('tarball'),
    '--profile',
    'node16',
    '--no-color',
  ];
  const { status, output } = node(...args);
  expect(status, output).toBe(0);
  for (const name of entries.keys()) expect(output).toContain(`"${name}"`);
});
