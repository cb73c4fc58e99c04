import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { root } from '../../scripts/entries.js';

test('the imports in scripts/size-limit.mjs are within their size limits', () => {
  const args = ['node_modules/size-limit/bin.js', '--config', 'scripts/size-limit.mjs'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  expect(status, stdout + stderr).toBe(0);
});
