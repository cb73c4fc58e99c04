import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { page } from '../../bench/support/page.js';

const file = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

test('docs/performance.md matches bench/figures.json', () => {
  expect(file('docs/performance.md')).toBe(page(JSON.parse(file('bench/figures.json'))));
});
