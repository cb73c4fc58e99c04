import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { merge, page, type Section } from '../../../bench/support/page.js';
import { type Row, regressions, table } from '../../../bench/support/report.js';

const measured = (median: number, more: object = {}): Row => ({
  what: 'a call',
  against: '`fetch`',
  figure: { median, low: median, high: median + 0.1 },
  ...more,
});
const section = (name: string, rows: Row[] = [measured(1)]): Section => ({
  name,
  title: name,
  about: 'About.',
  versions: 'Node.js 20',
  rows,
});
const file = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

test('benchmarks that were run replace their sections, and the others stay as they were', () => {
  const kept = [section('gone'), section('types'), section('client-cpu')];
  const anew = section('types', [measured(2)]);
  const sections = merge(kept, [anew, section('msw')], ['client-cpu', 'msw', 'types']);
  expect(sections.map(({ name }) => name)).toEqual(['client-cpu', 'msw', 'types']);
  expect(sections[2]).toBe(anew);
  expect(sections[0]).toBe(kept[2]);
});

test('a row says whether it reached its figure, and a peer that was not run says why', () => {
  const rows: Row[] = [
    measured(1.2, { reach: { most: 1.35 } }),
    measured(0.2, { reach: { least: 0.35 } }),
    { what: 'a call through a peer', against: '`fetch`', notRun: 'it did not start' },
  ];
  expect(table(rows).split('\n').slice(2)).toEqual([
    '| a call | `fetch` | 1.2 × (1.2 to 1.3) | at most 1.35 | reached |',
    '| a call | `fetch` | 0.2 × (0.2 to 0.3) | at least 0.35 | not reached |',
    '| a call through a peer | `fetch` | **not run**: it did not start |  |  |',
  ]);
});

test('a check fails for a ratio that is far off, and neither for a noisy one, a peer nor a time by the clock', () => {
  const far = measured(4, { reach: { most: 1.35 } });
  const rows: Row[] = [
    far,
    measured(2, { reach: { most: 1.35 } }),
    measured(40),
    measured(40, { reach: { most: 1 }, unit: 'ms' }),
    { what: 'a call through a peer', against: '`fetch`', notRun: 'it did not start' },
  ];
  expect(regressions(rows)).toEqual([far]);
});

test('the page of figures is what the kept figures say', () => {
  expect(file('docs/performance.md')).toBe(page(JSON.parse(file('bench/figures.json'))));
});

test('every peer of the benchmarks is pinned, and its lock file names no address', () => {
  const { dependencies } = JSON.parse(file('bench/package.json')) as { dependencies: Record<string, string> };
  for (const version of Object.values(dependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
  const lock = file('bench/package-lock.json');
  expect(JSON.parse(lock).packages[''].dependencies).toEqual(dependencies);
  expect(lock).not.toContain('"resolved"');
});
