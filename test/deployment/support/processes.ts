import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { inject, onTestFinished } from 'vitest';
import type { ProcessOptions } from './import-process.js';

/** Starts an import or a worker in its own process. */
export const startProcess = (options: ProcessOptions) => start('import-process', options);

const start = (program: string, options: ProcessOptions) =>
  fork(join(inject('programs'), `${program}.mjs`), [JSON.stringify(options)], {
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });

/** Keeps `count` processes running by replacing killed ones. Kills all of them at the end of the test. */
export function keepRunning(count: number, options: ProcessOptions, program = 'import-process') {
  const children = new Set<ChildProcess>();
  let isFinished = false;
  const run = async () => {
    while (!isFinished) {
      const child = start(program, options);
      children.add(child);
      await once(child, 'exit');
      children.delete(child);
    }
  };
  const running = Array.from({ length: count }, run);
  const end = async () => {
    isFinished = true;
    for (const child of children) child.kill('SIGKILL');
    await Promise.all(running);
  };
  onTestFinished(end);
  return {
    /** Returns one of the processes. @param choice a number from 0 to 1 */
    pick: (choice: number) => [...children][Math.floor(choice * children.size)],
    end,
  };
}
