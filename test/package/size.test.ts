import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { root } from '../../tools/entries.js';

test("the imports in tools/size-limit.mjs don't exceed their size limits", () => {
  const args = ['node_modules/size-limit/bin.js', '--config', 'tools/size-limit.mjs'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  expect(status, stdout + stderr).toBe(0);
});

test.each(['README.md', 'docs/guide/browser.md'])("%s mentions the client's size limit", (name) => {
  const config = readFileSync(`${root}tools/size-limit.mjs`, 'utf8');
  const [, limit] = config.match(/'{ Worktrack }'.*limit: '(.*)'/) ?? [];
  expect(readFileSync(root + name, 'utf8')).toContain(`less than ${limit} (minified and gzipped)`);
});
