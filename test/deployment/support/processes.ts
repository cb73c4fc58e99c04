import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { ProcessOptions } from './import-process.js';

/** Starts an import or a worker in its own process. */
export function startProcess(options: ProcessOptions): ChildProcess {
  return fork(join(inject('programs'), 'import-process.mjs'), [JSON.stringify(options)], {
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
}

/** Keeps `count` workers running by replacing killed ones. */
export function keepRunning(count: number, options: ProcessOptions) {
  const children = new Set<ChildProcess>();
  let isFinished = false;
  const run = async () => {
    while (!isFinished) {
      const child = startProcess(options);
      children.add(child);
      await once(child, 'exit');
      children.delete(child);
    }
  };
  const running = Array.from({ length: count }, run);
  return {
    /** Sends a signal to a worker. @param choice a number from 0 to 1 */
    signal: (signal: NodeJS.Signals, choice: number) =>
      [...children][Math.floor(choice * children.size)]?.kill(signal) ?? false,
    async end() {
      isFinished = true;
      for (const child of children) child.kill('SIGKILL');
      await Promise.all(running);
    },
  };
}
