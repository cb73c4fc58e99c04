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

/** Formats the rows as a Markdown table with the median, the quartiles, and whether each goal is met. */
export function table(rows: readonly Row[]): string {
  const lines = rows.map((row) => {
    if ('notRun' in row) return `| ${row.what} | ${row.against} | **not run**: ${row.notRun} |  |  |`;
    const { what, against, figure, goal, unit } = row;
    const status = goal ? (isMet(row) ? 'met' : 'not met') : '';
    return `| ${what} | ${against} | ${spread(figure, unit)} | ${describeGoal(goal)} | ${status} |`;
  });
  return ['| measured | compared with | result | goal | status |', '|---|---|---|---|---|', ...lines].join(
    '\n',
  );
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
