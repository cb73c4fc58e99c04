import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { page } from '../../tools/bench/support/page.js';

const file = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

test('docs/performance.md matches tools/bench/figures.json', () => {
  expect(file('docs/performance.md')).toBe(page(JSON.parse(file('tools/bench/figures.json'))));
});
