import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Section } from '../../../tools/bench/support/page.js';
import { describeGoal, describeResult, isMet, type Measured } from '../../../tools/bench/support/report.js';

/** A chart of the benchmark rows that share a baseline. */
export interface BenchmarkGroup {
  /** The baseline, shown as 1 on the scale. Empty if the values are absolute. */
  against: string;
  /** The unit, and whether higher or lower is better. */
  caption: string;
  /** The value at the right end of the scale. */
  max: number;
  bars: BenchmarkBar[];
}

export interface BenchmarkBar {
  label: string;
  /** Whether the bar shows this package. */
  ours: boolean;
  median: number;
  low: number;
  high: number;
  /** The formatted result, such as `1.39 × (goal: 1.35 or less, not met)`. */
  text: string;
}

declare const data: Record<string, BenchmarkGroup[]>;

export { data };

const figures = fileURLToPath(new URL('../../../tools/bench/figures.json', import.meta.url));

/** Loads the charts for all benchmarks when VitePress builds the site. */
export default {
  watch: [figures],
  load(): Record<string, BenchmarkGroup[]> {
    const sections: Section[] = JSON.parse(readFileSync(figures, 'utf8'));
    return Object.fromEntries(sections.map((section) => [section.name, groupsOf(section)]));
  },
};

function groupsOf({ rows }: Section): BenchmarkGroup[] {
  const measured = rows.filter((row): row is Measured => 'figure' in row);
  const keys = [...new Set(measured.map(({ against, unit = '×' }) => `${unit}|${against}`))];
  return keys.flatMap((key) => {
    const members = measured.filter(({ against, unit = '×' }) => `${unit}|${against}` === key);
    const [{ against, unit = '×' }] = members as [Measured];
    const isRatio = unit === '×';
    // Values without a goal or a baseline are only in the table, because a chart couldn't show what they mean.
    if (!isRatio && !members.some(({ goal }) => goal)) return [];
    return {
      against: isRatio ? against : '',
      caption: `${captions[unit] ?? unit}. ${preferred(members)} is better.`,
      max: Math.max(...members.map(({ figure }) => figure.high), isRatio ? 1 : 0) * 1.04,
      bars: members.map(barOf),
    };
  });
}

function preferred(rows: readonly Measured[]): string {
  const goals = rows.flatMap(({ goal }) => goal ?? []);
  if (goals.length === 0 || goals.some(({ min }) => min === undefined)) return 'Lower';
  return goals.every(({ max }) => max === undefined) ? 'Higher' : 'Closer to 1';
}

const captions: Readonly<Record<string, string>> = {
  '×': 'Ratio',
  ms: 'Milliseconds',
  bytes: 'Bytes',
  'per second': 'Per second',
  '': 'Count',
};

function barOf(row: Measured): BenchmarkBar {
  const { what, figure, goal } = row;
  return {
    label: what.replace(
      /^(CPU time per|time per|time to|time for|type instantiations for a) | throughput \(.*?\)/,
      '',
    ),
    ours: !peers.test(what),
    ...figure,
    text:
      describeResult(row) + (goal ? ` (goal: ${describeGoal(goal)}, ${isMet(row) ? 'met' : 'not met'})` : ''),
  };
}

/** Matches rows that measure other packages or the platform. */
const peers = /`(openai|stripe|json-server|emulate|@notionhq\/client|ky)`|`fetch` \+|Prism/;
