import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, inject, test } from 'vitest';
import { exampleTitles, nodeExampleTitles } from '../../docs/.vitepress/content/examples.js';
import { root } from '../../tools/entries.js';
import { expectedLines } from './support/expected-lines.js';

const run = promisify(execFile);

describe('an example', () => {
  test.concurrent.each(Object.entries(expectedLines))(
    'runs in Node.js and prints the expected output: %s',
    async (id, line) => {
      const { WORKTRACK_BASE_URL: _, ...env } = process.env;
      const { stdout, stderr } = await run(process.execPath, [join(inject('programs'), `${id}.mjs`)], {
        env,
      });
      expect(stderr).toBe('');
      expect(stdout).toMatch(line);
    },
  );
}, 120_000);

test('every example has a page', () => {
  const files = readdirSync(`${root}examples`, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map(({ name }) => name.replace(/\.ts$/, ''));
  expect(files.sort()).toEqual(Object.keys({ ...exampleTitles, ...nodeExampleTitles }).sort());
});
