import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { merge, page, type Section } from '../../../bench/support/page.js';
import { type Row, regressions, table } from '../../../bench/support/report.js';

const measured = (median: number, fields: object = {}): Row => ({
  what: 'a call',
  against: '`fetch`',
  figure: { median, low: median, high: median + 0.1 },
  ...fields,
});
const section = (name: string, rows: Row[] = [measured(1)]): Section => ({
  name,
  title: name,
  about: 'About.',
  versions: 'Node.js 20',
  rows,
});
const file = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

test('merge replaces the sections for the benchmarks that ran and keeps the rest', () => {
  const previous = [section('gone'), section('types'), section('client-cpu')];
  const replacement = section('types', [measured(2)]);
  const sections = merge(previous, [replacement, section('msw')], ['client-cpu', 'msw', 'types']);
  expect(sections.map(({ name }) => name)).toEqual(['client-cpu', 'msw', 'types']);
  expect(sections[2]).toBe(replacement);
  expect(sections[0]).toBe(previous[2]);
});

test("table shows whether each row meets its goal and why a peer library wasn't run", () => {
  const rows: Row[] = [
    measured(1.2, { goal: { max: 1.35 } }),
    measured(0.2, { goal: { min: 0.35 } }),
    { what: 'a call through a peer', against: '`fetch`', notRun: 'it did not start' },
  ];
  expect(table(rows).split('\n').slice(2)).toEqual([
    '| a call | `fetch` | 1.2 × (1.2 to 1.3) | at most 1.35 | met |',
    '| a call | `fetch` | 0.2 × (0.2 to 0.3) | at least 0.35 | not met |',
    '| a call through a peer | `fetch` | **not run**: it did not start |  |  |',
  ]);
});

test('regressions returns only the ratios that miss their goal by a wide margin', () => {
  const regression = measured(4, { goal: { max: 1.35 } });
  const rows: Row[] = [
    regression,
    measured(2, { goal: { max: 1.35 } }),
    measured(40),
    measured(40, { goal: { max: 1 }, unit: 'ms' }),
    { what: 'a call through a peer', against: '`fetch`', notRun: 'it did not start' },
  ];
  expect(regressions(rows)).toEqual([regression]);
});

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
