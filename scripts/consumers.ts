import { NotRun, versionsOf } from './consumers/consumer.js';
import { consumers } from './consumers/list.js';
import { installPackage } from './measure/install-package.js';

// `npm run consumers [name …]`: installs the package tarball in projects of different kinds and runs the
// README's code in each. The command fails if a project fails or can't run on this machine (NOT RUN).
const names = process.argv.slice(2).map((name) => name.toLowerCase());
const selected = consumers.filter(
  ({ name }) => names.length === 0 || names.some((part) => name.toLowerCase().includes(part)),
);

const { home, remove } = installPackage(...selected.flatMap(({ tools }) => tools));
const problems: string[] = [];
try {
  console.log(`${'project'.padEnd(36)}  ${'result'.padEnd(7)}  seconds  with`);
  for (const consumer of selected) {
    const started = performance.now();
    const result = await resultOf(() => consumer.run(home));
    const seconds = ((performance.now() - started) / 1000).toFixed(1).padStart(7);
    const versions = versionsOf(consumer).join(', ') || `Node.js ${process.versions.node}`;
    console.log(`${consumer.name.padEnd(36)}  ${result.padEnd(7)}  ${seconds}  ${versions}`);
    if (result !== 'passed') problems[problems.length - 1] = `${consumer.name}: ${problems.at(-1)}`;
  }
} finally {
  remove();
}
for (const problem of problems) console.log(`\n${problem}`);
console.log(`\n${selected.length - problems.length} of ${selected.length} projects passed`);
process.exitCode = problems.length > 0 || selected.length === 0 ? 1 : 0;

async function resultOf(run: () => void | Promise<void>): Promise<string> {
  try {
    await run();
    return 'passed';
  } catch (error) {
    const { message } = error as Error;
    problems.push(message.slice(0, 4000));
    return error instanceof NotRun ? 'NOT RUN' : 'FAILED';
  }
}
