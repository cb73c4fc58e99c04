import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('vue-tsc finds no errors in the site or the console', () => {
  const args = ['node_modules/vue-tsc/bin/vue-tsc.js', '-p', 'docs'];
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  expect(stdout).toBe('');
  expect(status).toBe(0);
}, 90_000);
