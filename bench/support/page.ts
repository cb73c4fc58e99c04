import { type Row, table } from './report.js';

/** What one benchmark gave when it last ran, as it is kept in `bench/figures.json`. */
export interface Section {
  name: string;
  title: string;
  about: string;
  /** Node.js and the peers that it ran with. */
  versions: string;
  rows: Row[];
}

/** The sections with those that were measured anew in their places; one whose benchmark is gone is left out. */
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

Ratios, each measured in one run against the peer named beside it on the same work: the median of the
rounds, the quartiles in brackets. In a round every side has one turn; who begins changes from round to
round, and a round or more goes before those that count. A turn of calls is long (hundreds or thousands of
them), and garbage is collected when the platform does it: a collection by force throws away compiled code as
well, and would measure that. Rows against a clock are milliseconds of one machine, and say no more than that. A row with
nothing to reach is there to compare with.

\`npm run bench -- --write\` measures all of it and writes this page, \`npm run bench -- client-cpu --write\`
that section only.

${sections.map(section).join('\n')}`;

/** One section of the page. */
export const section = ({ name, title, about, versions, rows }: Section): string => `## ${title}

${about}

${table(rows)}

\`npm run bench -- ${name}\`, ${versions}.
`;
