import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { download } from './download.js';
import type { Run, Runtime } from './runtime.js';

const execute = promisify(execFile);

/** The runtimes that are commands and run a file. */
export const commands: readonly Runtime[] = [
  ...['20.19.0', '22', '24', '26'].map(
    (version): Runtime => ({
      name: `Node.js ${version}`,
      install: async () => running(download(`node-${process.platform}-${process.arch}`, version, 'bin/node')),
    }),
  ),
  { name: 'Bun', install: async () => running(download('bun', '1.4.5', 'bin/bun'), 'run') },
  {
    name: 'Deno',
    install: async () => running(download('deno', '2.9.6', 'deno'), 'run', '-A', '--node-modules-dir=manual'),
  },
];

function running(program: string, ...args: string[]): Run {
  return async ({ home, served }) => {
    const [{ stdout: version }, { stdout }] = await Promise.all([
      execute(program, ['--version']),
      execute(program, [...args, 'command.mjs', JSON.stringify(served)], { cwd: home, timeout: 60_000 }),
    ]);
    if (stdout.trim() !== 'passed') throw new Error(`it printed: ${stdout}`);
    return /\d+\.\d+\.\d+/.exec(version)?.[0] ?? version.trim();
  };
}
