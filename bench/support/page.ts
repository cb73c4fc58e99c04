import { describeGoal, describeResult, isMet, type Row, tables } from './report.js';

/** The latest results of one benchmark, as stored in `bench/figures.json`. */
export interface Section {
  name: string;
  title: string;
  about: string;
  /** The versions of Node.js and the compared packages. */
  versions: string;
  rows: Row[];
}

/**
 * Replaces the sections for the benchmarks that ran, and removes those for benchmarks that no longer exist.
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

Most results are ratios, because absolute times depend on the machine. Both sides do the same work and take turns.
Each result is the median, with the quartiles in parentheses.

## Goals

${missesOf(sections)}

${goalTable(sections)}

\`npm run bench -- --write\` runs all benchmarks and updates this page.

${sections.map(section).join('\n')}`;

/** Returns one section of the page: a chart, and the details on demand. Code hosts show only the details. */
export const section = ({ name, title, about, versions, rows }: Section): string => `## ${title}

<BenchmarkChart name="${name}" />

<details>
<summary>Methodology and full results</summary>

${about}

${tables(rows)}

Measured with \`npm run bench -- ${name}\` (${versions}).

</details>
`;

type WithGoal = { title: string; row: Extract<Row, { figure: unknown }> };

const withGoals = (sections: readonly Section[]): WithGoal[] =>
  sections.flatMap(({ title, rows }) =>
    rows.flatMap((row) => ('figure' in row && row.goal ? [{ title, row }] : [])),
  );

/** States which goals aren't met. */
function missesOf(sections: readonly Section[]): string {
  const all = withGoals(sections);
  const missed = all.filter(({ row }) => !isMet(row));
  const met = `${all.length - missed.length} of ${all.length} goals are met.`;
  if (missed.length === 0) return met;
  const lines = missed.map(({ row }) => {
    const result = row.unit === undefined ? `${describeResult(row)} ${row.against}` : describeResult(row);
    return `- ${row.what}: ${result} (goal: ${describeGoal(row.goal)})`;
  });
  return `${met} These aren't:\n\n${lines.join('\n')}`;
}

/** Returns a table with one result of each section that has a goal. */
function goalTable(sections: readonly Section[]): string {
  const lines = sections.flatMap(({ title, rows }) => {
    const own = rows.flatMap((row) => ('figure' in row && row.goal ? [row] : []));
    const met = own.filter(isMet).length;
    const [first] = own.filter((row) => !isMet(row)).concat(own);
    if (!first) return [];
    const { what, goal } = first;
    const anchor = title
      .toLowerCase()
      .replace(/[^a-z0-9 _-]/g, '')
      .replaceAll(' ', '-');
    return `| [${what}](#${anchor}) | ${describeResult(first)} | ${describeGoal(goal)} | ${met} of ${own.length} |`;
  });
  return ['| measured | result | goal | goals met |', '|---|---|---|---|', ...lines].join('\n');
}
