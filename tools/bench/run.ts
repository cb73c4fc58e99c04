// Runs all benchmarks (`npm run bench`) or only the named ones (`npm run bench -- client-cpu`). Prints tables
// to stdout and progress to stderr.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { changes } from './changes.js';
import { clientCpu } from './client-cpu.js';
import { consoleBoards } from './console.js';
import { explore } from './explore.js';
import { imports } from './import.js';
import { importQueues } from './import-queues.js';
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
import { merge, page, type Section, section } from './support/page.js';
import { versionOf } from './support/peers.js';
import { type Benchmark, type Row, regressions } from './support/report.js';
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
  import: imports,
  'import-queues': importQueues,
  changes,
  snapshots,
  explore,
  loading,
  console: consoleBoards,
  types,
};
const names = Object.keys(benchmarks);

const options = process.argv.slice(2);
const [write, check] = ['--write', '--check'].map((option) => options.includes(option));
const named = options.filter((option) => !['--write', '--check'].includes(option));
const unknown = named.filter((name) => !names.includes(name));
if (unknown.length) {
  console.error(
    `unknown benchmark ${unknown.join(', ')}; expected one of ${names.join(', ')}, --write, --check`,
  );
  process.exit(2);
}

const rows: Row[] = [];
for (const [name, benchmark] of Object.entries(benchmarks)) {
  if (named.length && !named.includes(name)) continue;
  console.error(`${name} …`);
  const started = performance.now();
  const measured: Section = {
    name,
    title: benchmark.title,
    about: benchmark.about,
    versions: versions(benchmark),
    rows: await benchmark.run(),
  };
  console.log(section(measured));
  console.error(`${name}: ${((performance.now() - started) / 1000).toFixed(0)} s\n`);
  rows.push(...measured.rows);
  if (write) save(measured);
}
for (const row of rows) if ('notRun' in row) console.error(`NOT RUN: ${row.what}: ${row.notRun}`);

// With `--check`, the command fails only if a regression is large, because CI machines are noisy.
if (check) {
  const missed = regressions(rows);
  for (const { what } of missed) console.error(`far from its goal: ${what}`);
  if (missed.length) process.exitCode = 1;
}

function versions({ peers = [] }: Benchmark): string {
  const all = [`Node.js ${process.versions.node}`, ...peers.map((name) => `\`${name}\` ${versionOf(name)}`)];
  // Show the machine's load, because a busy machine makes the results worse.
  const load = `${cpus().length} cores, load average ${(loadavg()[0] ?? 0).toFixed(1)}`;
  return `${all.join(', ')}, ${process.platform}, ${load}`;
}

/** Saves a benchmark's results and updates its section in docs/performance.md. */
function save(measured: Section) {
  const figures = new URL('figures.json', import.meta.url);
  const saved: Section[] = existsSync(figures) ? JSON.parse(readFileSync(figures, 'utf8')) : [];
  const sections = merge(saved, [measured], names);
  writeFileSync(figures, `${JSON.stringify(sections, null, 2)}\n`);
  writeFileSync(new URL('../../docs/performance.md', import.meta.url), page(sections));
}
