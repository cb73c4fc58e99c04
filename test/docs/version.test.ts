import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { root } from '../../tools/entries.js';
import { versionModule } from '../../tools/release/write-version.js';

test('src/version.ts matches package.json', () => {
  const manifest = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
  expect(readFileSync(`${root}src/version.ts`, 'utf8')).toBe(versionModule(manifest));
});
