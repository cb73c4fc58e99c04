import { NotRun, versionsOf } from './consumers/consumer.js';
import { consumers } from './consumers/list.js';
import { installPackage } from './measure/install-package.js';

// `npm run consumers [name …]`: the packed package in projects of every kind, each of which runs the
// README's code. What cannot be tried here is NOT RUN, and no success.
const chosen = process.argv.slice(2).map((name) => name.toLowerCase());
const wanted = consumers.filter(
  ({ name }) => chosen.length === 0 || chosen.some((part) => name.toLowerCase().includes(part)),
);

const { home, remove } = installPackage(...wanted.flatMap(({ tools }) => tools));
const problems: string[] = [];
try {
  console.log(`${'project'.padEnd(36)}  ${'result'.padEnd(7)}  seconds  with`);
  for (const consumer of wanted) {
    const started = performance.now();
    const result = await tried(() => consumer.run(home));
    const seconds = ((performance.now() - started) / 1000).toFixed(1).padStart(7);
    const versions = versionsOf(consumer).join(', ') || `Node.js ${process.versions.node}`;
    console.log(`${consumer.name.padEnd(36)}  ${result.padEnd(7)}  ${seconds}  ${versions}`);
    if (result !== 'passed') problems[problems.length - 1] = `${consumer.name}: ${problems.at(-1)}`;
  }
} finally {
  remove();
}
for (const problem of problems) console.log(`\n${problem}`);
console.log(`\n${wanted.length - problems.length} of ${wanted.length} kinds of project passed`);
process.exitCode = problems.length > 0 || wanted.length === 0 ? 1 : 0;

async function tried(run: () => void | Promise<void>): Promise<string> {
  try {
    await run();
    return 'passed';
  } catch (error) {
    const { message } = error as Error;
    problems.push(message.slice(0, 4000));
    return error instanceof NotRun ? 'NOT RUN' : 'FAILED';
  }
}
