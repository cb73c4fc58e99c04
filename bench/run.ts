// Runs the benchmarks that are named, or all: `npm run bench`, `npm run bench -- client-cpu`.
// Every figure is a ratio measured in one run; the last thing printed is the table.
import { writeFileSync } from 'node:fs';
import { clientCpu } from './client-cpu.js';
import { inProcess } from './in-process.js';
import { iterate } from './iterate.js';
import { loading } from './loading.js';
import { memory } from './memory.js';
import { mockFetch } from './mock-fetch.js';
import { msw } from './msw.js';
import { parsePage } from './parse-page.js';
import { scale } from './scale.js';
import { snapshots } from './snapshots.js';
import { standalone } from './standalone.js';
import { type Benchmark, type Row, regressions, table } from './support/report.js';
import { types } from './types.js';

const benchmarks: Record<string, Benchmark> = {
  'client-cpu': clientCpu,
  'parse-page': parsePage,
  iterate,
  'mock-fetch': mockFetch,
  'in-process': inProcess,
  msw,
  standalone,
  scale,
  memory,
  snapshots,
  loading,
  types,
};

const named = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const unknown = named.filter((name) => !Object.hasOwn(benchmarks, name));
if (unknown.length) {
  console.error(`No such benchmark: ${unknown.join(', ')}. There are: ${Object.keys(benchmarks).join(', ')}`);
  process.exit(2);
}

const rows: Row[] = [];
for (const [name, benchmark] of Object.entries(benchmarks)) {
  if (named.length && !named.includes(name)) continue;
  console.error(`${name} …`);
  rows.push(...(await benchmark()));
}
const figures = table(rows);
console.log(figures);

// For CI: fails on a change of kind, not on a noisy machine.
if (process.argv.includes('--check')) {
  const far = regressions(rows);
  for (const { what } of far) console.error(`Far from what is to be reached: ${what}`);
  if (far.length) process.exitCode = 1;
}

if (process.argv.includes('--write')) {
  const page = `# Performance

Ratios, each measured in one run against the peer named beside it on the same work: the median of
interleaved rounds, the quartiles in brackets. Rows against a clock are milliseconds of one machine, and
say no more than that. Node.js ${process.version}, ${process.platform}. Measured with
\`npm run bench -- --write\`, which writes this page.

${figures}
`;
  writeFileSync(new URL('../docs/performance.md', import.meta.url), page);
}
