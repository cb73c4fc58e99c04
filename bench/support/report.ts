import type { Figure } from './measure.js';

/** A benchmark: its rows, and what a reader of them has to know. */
export interface Benchmark {
  title: string;
  /** One paragraph: what is done, and how it is measured. */
  about: string;
  /** Packages whose versions belong to the figures. */
  peers?: readonly string[];
  run(): Promise<Row[]>;
}

/** One line of a table of figures: what was measured, or why it was not. */
export type Row = Measured | NotRun;

interface Compared {
  what: string;
  against: string;
}

export interface Measured extends Compared {
  figure: Figure;
  /** What is to be reached: at most, or at least. */
  reach?: { most?: number; least?: number } | undefined;
  unit?: string | undefined;
}

export interface NotRun extends Compared {
  notRun: string;
}

/**
 * The rows that are so far from what is to be reached that something has changed in kind: by a factor of
 * two and a half, which a noisy machine does not make of a ratio. Times by a clock are left out.
 */
export const regressions = (rows: readonly Row[]): Row[] =>
  rows.filter((row) => {
    if ('notRun' in row || row.unit === 'ms') return false;
    const { most = Number.POSITIVE_INFINITY, least = 0 } = row.reach ?? {};
    return row.figure.median > most * generous || row.figure.median < least / generous;
  });

const generous = 2.5;

/** The rows as a Markdown table: median, quartiles in brackets, and whether the figure is reached. */
export function table(rows: readonly Row[]): string {
  const lines = rows.map((row) => {
    if ('notRun' in row) return `| ${row.what} | ${row.against} | **not run**: ${row.notRun} |  |  |`;
    const { what, against, figure, reach, unit } = row;
    const { most = Number.POSITIVE_INFINITY, least = Number.NEGATIVE_INFINITY } = reach ?? {};
    const verdict = !reach ? '' : figure.median <= most && figure.median >= least ? 'reached' : 'not reached';
    const goal = !reach ? '' : reach.most === undefined ? `at least ${reach.least}` : `at most ${reach.most}`;
    return `| ${what} | ${against} | ${spread(figure, unit)} | ${goal} | ${verdict} |`;
  });
  return ['| what | against | measured | reach | verdict |', '|---|---|---|---|---|', ...lines].join('\n');
}

function spread({ median, low, high }: Figure, unit = '×') {
  const once = [number(median), unit].filter(Boolean).join(' ');
  return low === high ? once : `${once} (${number(low)} to ${number(high)})`;
}

const number = (value: number) => value.toLocaleString('en-US', { maximumSignificantDigits: 3 });
