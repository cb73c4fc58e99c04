import type { Figure } from './measure.js';

/** A benchmark and its description in the documentation. */
export interface Benchmark {
  title: string;
  /** A Markdown description of what is measured and how. */
  about: string;
  /** Packages whose versions are shown under the table. */
  peers?: readonly string[];
  run(): Promise<Row[]>;
}

/** A table row with a result or the reason why the benchmark didn't run. */
export type Row = Measured | NotRun;

interface Compared {
  what: string;
  against: string;
}

export interface Measured extends Compared {
  figure: Figure;
  goal?: { max?: number; min?: number } | undefined;
  unit?: string | undefined;
}

export interface NotRun extends Compared {
  notRun: string;
}

/**
 * Returns the rows that miss their goal by a factor of more than 2.5. Noise alone doesn't change a ratio that
 * much. Ignores rows measured in milliseconds.
 */
export const regressions = (rows: readonly Row[]): Row[] =>
  rows.filter((row) => {
    if ('notRun' in row || row.unit === 'ms') return false;
    const { max = Number.POSITIVE_INFINITY, min = 0 } = row.goal ?? {};
    return row.figure.median > max * tolerance || row.figure.median < min / tolerance;
  });

const tolerance = 2.5;

/**
 * Formats the rows as Markdown tables, one for each baseline, with the median, the quartiles, and the goal if there is
 * one.
 */
export function tables(rows: readonly Row[]): string {
  return [...new Set(rows.map(({ against }) => against))]
    .map((baseline) => {
      const own = rows.filter(({ against }) => against === baseline);
      const head = baseline === '–' ? 'result' : `compared with ${baseline}`;
      return tableOf(head, own);
    })
    .join('\n\n');
}

function tableOf(head: string, rows: readonly Row[]): string {
  const hasGoals = rows.some((row) => 'figure' in row && row.goal);
  const lines = rows.map((row) => {
    const result = 'notRun' in row ? `**not run**: ${row.notRun}` : spread(row.figure, row.unit);
    const goal = 'notRun' in row ? '' : describeGoal(row.goal) + (isMet(row) ? '' : ' (not met)');
    return `| ${[row.what, result, ...(hasGoals ? [goal] : [])].join(' | ')} |`;
  });
  const columns = ['measured', head, ...(hasGoals ? ['goal'] : [])];
  return [`| ${columns.join(' | ')} |`, `|${'---|'.repeat(columns.length)}`, ...lines].join('\n');
}

/** Returns the goal as text, such as `at most 1.35`, or an empty string if the row has no goal. */
export function describeGoal(goal: Measured['goal']): string {
  const { min, max } = goal ?? {};
  if (min !== undefined && max !== undefined) return `${min} to ${max}`;
  if (min !== undefined) return `at least ${min}`;
  return max === undefined ? '' : `at most ${max}`;
}

/** Whether a result meets its goal. A result without a goal does. */
export function isMet({ figure: { median }, goal }: Measured): boolean {
  const { max = Number.POSITIVE_INFINITY, min = Number.NEGATIVE_INFINITY } = goal ?? {};
  return median <= max && median >= min;
}

/** Returns a result without its quartiles, such as `1.74 ×`. */
export const describeResult = ({ figure: { median }, unit = '×' }: Measured): string =>
  [number(median), unit].filter(Boolean).join(' ');

function spread({ median, low, high }: Figure, unit = '×') {
  const once = [number(median), unit].filter(Boolean).join(' ');
  return low === high ? once : `${once} (${number(low)} to ${number(high)})`;
}

const number = (value: number) => value.toLocaleString('en-US', { maximumSignificantDigits: 3 });
