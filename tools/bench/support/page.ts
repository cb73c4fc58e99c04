import { table } from '../../support/markdown.js';
import { describeGoal, describeResult, isMet, type Measured, type Row, tables } from './report.js';

/** The latest results of one benchmark, as stored in `tools/bench/figures.json`. */
export interface Section {
  name: string;
  title: string;
  about: string;
  /** The versions of Node.js and the compared packages. */
  versions: string;
  rows: Row[];
}

/**
 * Replaces the sections of the benchmarks that ran, and removes the sections of benchmarks that no longer
 * exist.
 */
export function merge(
  saved: readonly Section[],
  measured: readonly Section[],
  names: readonly string[],
): Section[] {
  const latest = new Map([...saved, ...measured].map((section) => [section.name, section]));
  return names.flatMap((name) => latest.get(name) ?? []);
}

/** Returns the content of `docs/performance.md`. */
export const page = (sections: readonly Section[]): string => `# Performance

See how fast the client and the mock server are, compared with other tools and plain Node.js.

Most results are ratios, because absolute times depend on the machine. To compare times, a benchmark alternates
between the two programs. Results with quartiles in parentheses are medians. The other results were measured once.

## Goals

${goals(sections)}

\`npm run bench -- --write\` runs all benchmarks and updates this page.

${sections.map(section).join('\n')}`;

/** Returns one section of the page: a chart and expandable details. Code hosts show only the details. */
export const section = ({ name, title, about, versions, rows }: Section): string => `## ${title}

<BenchmarkChart name="${name}" />

<details>
<summary>Method and results</summary>

${about}

${tables(rows)}

Measured with \`npm run bench -- ${name}\` (${versions}).

</details>
`;

/** Returns the number of goals that are met, and a table of the missed ones. */
function goals(sections: readonly Section[]): string {
  const all = sections.flatMap(({ title, rows }) => rows.filter(hasGoal).map((row) => ({ title, row })));
  const missed = all.filter(({ row }) => !isMet(row));
  const met = `The results meet ${all.length - missed.length} of ${all.length} goals.`;
  if (missed.length === 0) return met;
  const lines = missed.map(({ title, row }) => goalLine(title, row));
  return `${met} These results miss their goals:\n\n${table(['measured', 'result', 'goal'], lines)}`;
}

const hasGoal = (row: Row): row is Measured => 'figure' in row && row.goal !== undefined;

function goalLine(title: string, row: Measured): string[] {
  const anchor = title
    .toLowerCase()
    .replace(/[^a-z0-9 _-]/g, '')
    .replaceAll(' ', '-');
  const result = describeResult(row) + (row.unit === undefined ? ` ${row.against}` : '');
  return [`[${row.what}](#${anchor})`, result, describeGoal(row.goal)];
}
