// The entry point of `npm start`, `npm test`, and `npm run test:all`. It runs before anything is installed, so it
// can't use any dependencies, and it uses only syntax that old versions of Node.js can parse.
import { spawnSync } from 'node:child_process';
import { installedNode, isSupported, setUp } from './setup.mjs';

const [task = '', ...options] = process.argv.slice(2);
const tasks = { start: './start.mjs', test: './test.mjs', 'test:all': './test.mjs' };
if (!Object.hasOwn(tasks, task)) {
  console.error(`Usage: node tools/run.mjs ${Object.keys(tasks).join('|')}`);
  process.exit(2);
}
setUp();
if (isSupported()) {
  const { run } = await import(tasks[task]);
  process.exitCode = await run(options, task);
} else {
  // npm puts the installed Node.js first in the `PATH` of its scripts, but it did so before the installation.
  const { status } = spawnSync(installedNode, process.argv.slice(1), { stdio: 'inherit' });
  process.exitCode = status === null ? 1 : status;
}
