import { table } from '../../support/markdown.js';
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
 * one. If the same thing was measured in several situations, as in `get a ticket (10 boards)` or `GET: the client`,
 * each situation gets a column.
 */
export function tables(rows: readonly Row[]): string {
  return [...new Set(rows.map(({ against }) => against))]
    .map((baseline) => {
      const own = rows.filter(({ against }) => against === baseline);
      return gridOf(baseline, own) ?? listOf(baseline, own);
    })
    .join('\n\n');
}

function listOf(baseline: string, rows: readonly Row[]): string {
  const hasGoals = rows.some((row) => 'figure' in row && row.goal);
  const head = baseline === '–' ? 'result' : `compared with ${baseline}`;
  return table(
    ['measured', head, ...(hasGoals ? ['goal'] : [])],
    rows.map((row) => [row.what, resultOf(row), ...(hasGoals ? [goalOf(row)] : [])]),
  );
}

function gridOf(baseline: string, rows: readonly Row[]): string | undefined {
  const cells = rows.map((row) => ({ row, ...situationOf(row.what) }));
  const situations = [...new Set(cells.map(({ situation }) => situation))];
  const subjects = [...new Set(cells.map(({ subject }) => subject))];
  if (situations.includes('') || situations.length < 2 || subjects.length === cells.length) return;
  const goals = new Set(rows.map((row) => ('figure' in row ? describeGoal(row.goal) : '')));
  const [commonGoal] = goals.size === 1 ? goals : [];
  const grid = table(
    [baseline === '–' ? 'measured' : `compared with ${baseline}`, ...situations],
    subjects.map((subject) => [
      subject,
      ...situations.map((situation) => {
        const cell = cells.find((other) => other.subject === subject && other.situation === situation);
        if (!cell) return '';
        const { row } = cell;
        if (commonGoal !== undefined) return resultOf(row) + missOf(row);
        return resultOf(row) + (goalOf(row) ? `; goal: ${goalOf(row)}` : '');
      }),
    ]),
  );
  return commonGoal ? `${grid}\n\nEach result should be ${commonGoal}.` : grid;
}

/** Splits text such as `get a ticket (10 boards)` or `GET: the client` into the subject and the situation. */
function situationOf(what: string): { subject: string; situation: string } {
  const [, subject, inParentheses] = /^(.+) \((.+)\)$/.exec(what) ?? [];
  if (subject && inParentheses) return { subject, situation: inParentheses };
  const [, beforeColon, afterColon] = /^(.+?): (.+)$/.exec(what) ?? [];
  return { subject: afterColon ?? what, situation: beforeColon ?? '' };
}

const resultOf = (row: Row): string =>
  'notRun' in row ? `**not run**: ${row.notRun}` : describeResult(row) + quartilesOf(row.figure);

/**
 * Returns a row's goal as text, followed by `(not met)` if the result misses it. Returns an empty string if
 * the row has no goal.
 */
const goalOf = (row: Row): string => ('notRun' in row ? '' : describeGoal(row.goal) + missOf(row));

const missOf = (row: Row): string => ('notRun' in row || isMet(row) ? '' : ' (not met)');

/** Returns the goal as text, such as `1.35 or less`, or an empty string if the row has no goal. */
export function describeGoal(goal: Measured['goal']): string {
  const { min, max } = goal ?? {};
  if (min !== undefined && max !== undefined) return `${min} to ${max}`;
  if (min !== undefined) return `${min} or more`;
  return max === undefined ? '' : `${max} or less`;
}

/** Returns whether a result meets its goal. If it has no goal, returns true. */
export function isMet({ figure: { median }, goal }: Measured): boolean {
  const { max = Number.POSITIVE_INFINITY, min = Number.NEGATIVE_INFINITY } = goal ?? {};
  return median <= max && median >= min;
}

/** Returns a result without its quartiles, such as `1.74 ×`. */
export const describeResult = ({ figure: { median }, unit = '×' }: Measured): string =>
  [number(median), unit].filter(Boolean).join(' ');

const quartilesOf = ({ low, high }: Figure): string =>
  low === high ? '' : ` (${number(low)} to ${number(high)})`;

const number = (value: number) => value.toLocaleString('en-US', { maximumSignificantDigits: 3 });
