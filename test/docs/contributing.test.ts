import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const guide = readFileSync(`${root}CONTRIBUTING.md`, 'utf8');
const { scripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as {
  scripts: Record<string, string>;
};

test('every npm script in CONTRIBUTING.md exists', () => {
  const named = [...guide.matchAll(/\bnpm run ([\w:]+)/g)].map(([, name = '']) => name);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !scripts[name])).toEqual([]);
});

test('the test:unit example in CONTRIBUTING.md matches a test file', () => {
  const [, part = ''] = /npm run test:unit -- (\w+)/.exec(guide) ?? [];
  const files = readdirSync(`${root}test`, { recursive: true, encoding: 'utf8' });
  expect(files.filter((file) => file.endsWith('.test.ts') && file.includes(part))).not.toEqual([]);
});
