import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { exampleTitles, nodeExampleTitles } from '../../docs/.vitepress/content/examples.js';
import { expectedLines } from './support/expected-lines.js';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

describe('examples run in Node.js and print the expected line', () => {
  test.concurrent.each(Object.entries(expectedLines))('%s', async (id, line) => {
    const { WORKTRACK_BASE_URL: _, ...env } = process.env;
    const { stdout, stderr } = await run(process.execPath, ['--import', 'tsx', `examples/${id}.ts`], {
      cwd: root,
      env,
    });
    expect(stderr).toBe('');
    expect(stdout).toMatch(line);
  });
}, 30_000);

test('every file in examples/ has a page', () => {
  const files = readdirSync(`${root}examples`, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map(({ name }) => name.replace(/\.ts$/, ''));
  expect(files.sort()).toEqual(Object.keys({ ...exampleTitles, ...nodeExampleTitles }).sort());
});
