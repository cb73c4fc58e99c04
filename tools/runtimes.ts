import { cpSync } from 'node:fs';
import { listen } from 'worktrack/mock-server/node';
import { root } from './entries.js';
import { chromium } from './runtimes/chromium.js';
import { programs, type Runtime, type Trial } from './runtimes/programs.js';
import { installPackage } from './support/packages.js';

// `npm run runtimes [name …]`: tests the package tarball in every runtime, once against a mock server over
// HTTP and once against one in the same process. The command fails if a runtime fails or can't be installed
// (NOT RUN).
const names = process.argv.slice(2).map((name) => name.toLowerCase());
const runtimes = [...programs(), ...chromium].filter(
  ({ name }) => names.length === 0 || names.some((part) => name.toLowerCase().includes(part)),
);

const { home, remove } = installPackage('msw');
cpSync(`${root}test/runtimes`, home, { recursive: true });
const server = await listen();
const problems: string[] = [];
try {
  console.log('runtime               version           result');
  for (const runtime of runtimes) {
    const { version, result } = await resultOf(runtime, { home, served: server.clientOptions() });
    console.log(`${runtime.name.padEnd(20)}  ${version.padEnd(16)}  ${result}`);
  }
} finally {
  await server.close();
  remove();
}
for (const problem of problems) console.log(`\n${problem}`);
console.log(`\n${runtimes.length - problems.length} of ${runtimes.length} runtimes passed`);
process.exitCode = problems.length > 0 || runtimes.length === 0 ? 1 : 0;

async function resultOf(
  { name, install }: Runtime,
  trial: Trial,
): Promise<{ version: string; result: string }> {
  let step = 'NOT RUN';
  try {
    const run = await install();
    step = 'FAILED';
    return { version: await run(trial), result: 'passed' };
  } catch (error) {
    const { message, stderr = '' } = error as Error & { stderr?: string };
    problems.push(`${name}: ${step}\n${message}\n${stderr}`.slice(0, 2000));
    return { version: '', result: step };
  }
}
