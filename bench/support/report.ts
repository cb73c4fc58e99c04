import type { Figure } from './measure.js';

/** One line of the table of figures. */
export interface Row {
  what: string;
  against: string;
  figure: Figure;
  /** What is to be reached: at most, or at least. */
  reach?: { most?: number; least?: number } | undefined;
  unit?: string | undefined;
}

/** A benchmark: gives its rows when it is run. */
export type Benchmark = () => Promise<Row[]>;

/**
 * The rows that are so far from what is to be reached that something has changed in kind: by a factor of
 * two and a half, which a noisy machine does not make of a ratio. Times by a clock are left out.
 */
export const regressions = (rows: readonly Row[]): Row[] =>
  rows.filter(({ figure: { median }, reach, unit }) => {
    if (unit === 'ms') return false;
    const { most = Number.POSITIVE_INFINITY, least = 0 } = reach ?? {};
    return median > most * generous || median < least / generous;
  });

const generous = 2.5;

const number = (value: number) => value.toLocaleString('en-US', { maximumSignificantDigits: 3 });

const spread = ({ median, low, high }: Figure, unit = '×') =>
  `${number(median)} ${unit} (${number(low)} to ${number(high)})`;

/** The rows as a Markdown table: median, quartiles in brackets, and whether the figure is reached. */
export function table(rows: readonly Row[]): string {
  const lines = rows.map(({ what, against, figure, reach, unit }) => {
    const { most = Number.POSITIVE_INFINITY, least = Number.NEGATIVE_INFINITY } = reach ?? {};
    const verdict = !reach ? '' : figure.median <= most && figure.median >= least ? 'reached' : 'not reached';
    const goal = !reach ? '' : reach.most === undefined ? `at least ${reach.least}` : `at most ${reach.most}`;
    return `| ${what} | ${against} | ${spread(figure, unit)} | ${goal} | ${verdict} |`;
  });
  return ['| what | against | measured | reach | verdict |', '|---|---|---|---|---|', ...lines].join('\n');
}
