import { type Row, table } from './report.js';

/** The latest results of one benchmark, as stored in `bench/figures.json`. */
export interface Section {
  name: string;
  title: string;
  about: string;
  /** The versions of Node.js and of the compared packages. */
  versions: string;
  rows: Row[];
}

/** Replaces the sections that ran, and drops those whose benchmark no longer exists. */
export function merge(
  kept: readonly Section[],
  measured: readonly Section[],
  names: readonly string[],
): Section[] {
  const newest = new Map([...kept, ...measured].map((section) => [section.name, section]));
  return names.flatMap((name) => newest.get(name) ?? []);
}

/** `docs/performance.md`. */
export const page = (sections: readonly Section[]): string => `# Performance

This page shows what the client and the mock server cost, compared with other tools and with the platform itself.

Most results are ratios, because absolute times depend on the machine. Both sides of a ratio do the same work and
take turns in the same run. Each result is the median of all rounds, with the quartiles in parentheses. Garbage
collection isn't forced, since that would also discard compiled code. Rows in milliseconds come from one machine.

\`npm run bench -- --write\` runs all benchmarks and writes this page. \`npm run bench -- client-cpu --write\`
updates one section.

${sections.map(section).join('\n')}`;

/** One section of the page. The site shows the component as a chart, and a code host shows the table. */
export const section = ({ name, title, about, versions, rows }: Section): string => `## ${title}

${about}

<BenchmarkChart name="${name}">

${table(rows)}

</BenchmarkChart>

\`npm run bench -- ${name}\`, ${versions}.
`;
