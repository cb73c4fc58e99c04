import { type Row, table } from './report.js';

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

See how the performance of the client and the mock server compares with other tools and plain Node.js.

Most results are ratios, because absolute times depend on the machine. Both sides of a ratio do the same work and
take turns in the same run. Each result is the median of all rounds, with the quartiles in parentheses. Benchmarks with
many calls per round don't force garbage collection, because that would also discard compiled code. Results in
milliseconds apply only to the machine on which they were measured.

To run all benchmarks and update this page, run \`npm run bench -- --write\`. To update one section, add its name, as in
\`npm run bench -- client-cpu --write\`.

${sections.map(section).join('\n')}`;

/** Returns one section of the page. The documentation site adds a chart to the table. */
export const section = ({ name, title, about, versions, rows }: Section): string => `## ${title}

${about}

<BenchmarkChart name="${name}">

${table(rows)}

</BenchmarkChart>

Measured with \`npm run bench -- ${name}\` (${versions}).
`;
