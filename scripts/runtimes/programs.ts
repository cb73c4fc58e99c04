import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { downloadProgram } from './download.js';
import type { Run, Runtime } from './runtime.js';

const execute = promisify(execFile);

/** Runtimes that run a file from the command line. */
export const commands: readonly Runtime[] = [
  ...['20.19.0', '22', '24', '26'].map(
    (version): Runtime => ({
      name: `Node.js ${version}`,
      install: async () => runsProgram(downloadNode(version)),
    }),
  ),
  { name: 'Bun', install: async () => runsProgram(downloadProgram('bun', '1.4.5', 'bin/bun'), 'run') },
  {
    name: 'Deno',
    install: async () =>
      runsProgram(downloadProgram('deno', '2.9.6', 'deno'), 'run', '-A', '--node-modules-dir=manual'),
  },
];

/** Installs a Node.js version for this platform, and returns the path to its executable. */
export const downloadNode = (version: string) =>
  downloadProgram(`node-${process.platform}-${process.arch}`, version, 'bin/node');

/** @throws Error unless the program prints `passed` */
export async function expectPassed(program: string, args: string[], cwd: string): Promise<void> {
  const { stdout } = await execute(program, args, { cwd, timeout: 120_000 });
  if (stdout.trim() !== 'passed') throw new Error(`expected "passed", but it printed: ${stdout}`);
}

function runsProgram(program: string, ...args: string[]): Run {
  return async ({ home, served }) => {
    await expectPassed(program, [...args, 'command.mjs', JSON.stringify(served)], home);
    const { stdout: version } = await execute(program, ['--version']);
    return /\d+\.\d+\.\d+/.exec(version)?.[0] ?? version.trim();
  };
}
