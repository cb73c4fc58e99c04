import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { root } from './entries.js';
import { mutationGroups } from './mutation-groups.js';

// Runs mutation tests for all groups, or only for the named groups. `--incremental` reuses the last run's
// results for code and tests that haven't changed.

const options = process.argv.slice(2);
const names = options.filter((option) => option !== '--incremental');
const unknown = names.filter((name) => !Object.hasOwn(mutationGroups, name));
if (unknown.length > 0) {
  console.error(
    `unknown group ${unknown.join(', ')}; expected one of ${Object.keys(mutationGroups).join(', ')}`,
  );
  process.exit(2);
}
const incremental = options.includes('--incremental') ? ['--incremental'] : [];
const rows = Object.entries(mutationGroups)
  .filter(([name]) => names.length === 0 || names.includes(name))
  .map(([name, { mutate }]) => {
    console.log(`\n── ${name}: ${mutate.join(' ')}`);
    const report = `${root}reports/mutation/${name}.json`;
    rmSync(report, { force: true });
    const { status } = spawnSync(
      process.execPath,
      [stryker(), 'run', ...incremental, '--mutate', mutate.join(',')],
      { cwd: root, stdio: 'inherit', env: { ...process.env, WORKTRACK_MUTATION_GROUP: name } },
    );
    const counts = count(report);
    return { name, passed: status === 0 && counts.killed > 0, ...counts };
  });

console.log('\n| group | mutants | killed | survived | score |\n|---|---|---|---|---|');
for (const { name, killed, survived } of rows) {
  const score = killed + survived > 0 ? `${((100 * killed) / (killed + survived)).toFixed(1)}%` : 'failed';
  console.log(`| ${name} | ${killed + survived} | ${killed} | ${survived} | ${score} |`);
}
process.exitCode = rows.every(({ passed }) => passed) ? 0 : 1;

function stryker() {
  return `${root}node_modules/@stryker-mutator/core/bin/stryker.js`;
}

/** Counts mutants. Treats mutants that time out as killed, and mutants without coverage as survived. */
function count(report: string): { killed: number; survived: number } {
  const counts = { killed: 0, survived: 0 };
  if (!existsSync(report)) return counts;
  const { files } = JSON.parse(readFileSync(report, 'utf8')) as Report;
  for (const { status } of Object.values(files).flatMap(({ mutants }) => mutants)) {
    if (status === 'Killed' || status === 'Timeout') counts.killed += 1;
    if (status === 'Survived' || status === 'NoCoverage') counts.survived += 1;
  }
  return counts;
}

interface Report {
  files: Record<string, { mutants: { status: string }[] }>;
}
