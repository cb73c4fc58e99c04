import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { root } from '../../tools/entries.js';
import { guideBlocks, guidePages, moduleFolder, moduleOf } from '../../tools/support/guide-blocks.js';

// The test writes each `ts` block in the guides to a module. Blocks marked `ts no-run` are compiled but not
// run.

const blocks = guidePages()
  .flatMap(guideBlocks)
  .map((block) => ({ ...block, ...moduleOf(block) }));

beforeAll(() => {
  rmSync(moduleFolder, { recursive: true, force: true });
  mkdirSync(moduleFolder, { recursive: true });
  for (const { file, source } of blocks) writeFileSync(file, source);
  writeFileSync(
    join(moduleFolder, 'tsconfig.json'),
    JSON.stringify({ extends: '../../../tsconfig.json', include: ['*.ts'] }),
  );
});
afterAll(() => rmSync(moduleFolder, { recursive: true, force: true }));

test('every code block in the guides compiles', () => {
  expect(blocks.length).toBeGreaterThan(20);
  const tsc = join(root, 'node_modules/typescript-7/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', moduleFolder], { encoding: 'utf8' });
  expect(stdout).toBe('');
}, 60_000);

describe('the guides', () => {
  const runnable = blocks.filter(({ run }) => run);
  test.each(runnable)(
    'contain only code that runs without errors: block $number in $page',
    async ({ file }) => {
      const printed = vi.spyOn(console, 'log').mockImplementation(() => {});
      try {
        await import(file);
      } finally {
        printed.mockRestore();
      }
    },
  );
});
