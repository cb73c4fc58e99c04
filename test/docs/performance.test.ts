import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { page } from '../../bench/support/page.js';

const file = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

test('docs/performance.md matches bench/figures.json', () => {
  expect(file('docs/performance.md')).toBe(page(JSON.parse(file('bench/figures.json'))));
});

test('bench/package.json pins every dependency, and its lockfile contains no URLs', () => {
  const { dependencies } = JSON.parse(file('bench/package.json')) as { dependencies: Record<string, string> };
  for (const version of Object.values(dependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
  const lock = file('bench/package-lock.json');
  expect(JSON.parse(lock).packages[''].dependencies).toEqual(dependencies);
  expect(lock).not.toContain('"resolved"');
});
