// Counts the hand-written lines of code in each folder, and fails if a folder is over its budget in
// line-budget.json. `--write` sets the budgets to the current counts, rounded up to the next hundred.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { root } from './setup.mjs';

const file = new URL('line-budget.json', import.meta.url);
const extensions = ['.ts', '.tsx', '.mts', '.mjs', '.vue', '.css'];
/** Folders that builds and tools create. */
const created = ['node_modules', 'dist', 'artifacts', 'cache', 'coverage', 'reports', 'written'];
const hidden = /^\.(?!vitepress$)/;

const counts = countLines();
if (process.argv.includes('--write')) {
  const budgets = Object.entries(counts).map(([folder, lines]) => [folder, Math.ceil(lines / 100) * 100]);
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(budgets), null, 2)}\n`);
}

const budgets = JSON.parse(readFileSync(file, 'utf8'));
const problems = [];
for (const folder of new Set([...Object.keys(counts), ...Object.keys(budgets)])) {
  const { [folder]: lines } = counts;
  const { [folder]: budget } = budgets;
  if (budget === undefined) problems.push(`${folder} has ${lines} lines but no budget`);
  else if (lines === undefined) problems.push(`${folder} has a budget but no code`);
  else if (lines > budget)
    problems.push(`${folder} has ${lines} lines, which is over its budget of ${budget}`);
}
for (const problem of problems) console.error(problem);
if (problems.length > 0) {
  console.error('Remove code, or run `node tools/line-budget.mjs --write` and explain the growth.');
  process.exitCode = 1;
}

/** Returns the number of lines in each top-level folder and each add-on, sorted by name. */
function countLines() {
  const lines = {};
  for (const path of filesIn('')) {
    const [, folder = '.'] = /^(addons\/[^/]+|[^/]+)\//.exec(path) ?? [];
    lines[folder] = (lines[folder] ?? 0) + readFileSync(join(root, path), 'utf8').split('\n').length - 1;
  }
  return Object.fromEntries(Object.entries(lines).sort(([one], [other]) => (one < other ? -1 : 1)));
}

function filesIn(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}${entry.name}`;
    if (entry.isFile()) return extensions.includes(extname(path)) ? [path] : [];
    if (!entry.isDirectory() || created.includes(entry.name) || hidden.test(entry.name)) return [];
    return filesIn(`${path}/`);
  });
}
