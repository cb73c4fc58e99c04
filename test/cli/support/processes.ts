import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { inject } from 'vitest';

/** The compiled CLI. */
export const main = join(inject('programs'), 'worktrack.mjs');

/** Starts `worktrack` in a child process without a credential in the environment. */
function spawnCli(args: readonly string[]): ChildProcess {
  const { WORKTRACK_TOKEN: _, ...env } = process.env;
  return spawn(process.execPath, [main, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env,
  });
}

/** A running `worktrack mock` process and its output lines. */
export interface RunningMock {
  child: ChildProcess;
  url: string;
  lines: string[];
}

/** Starts `worktrack mock` on a free port and waits until it's ready. */
export async function startMock(...args: string[]): Promise<RunningMock> {
  const child = spawnCli(['mock', '--port', '0', ...args]);
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    if (stream) createInterface(stream).on('line', (line) => lines.push(line));
  }
  await waitFor(() => lines.length > 0 || child.exitCode !== null);
  const url = /http:\/\/\S+/.exec(lines[0] ?? '')?.[0];
  if (!url) throw new Error(`worktrack mock exited and printed: ${lines.join('\n')}`);
  return { child, url, lines };
}

/** Waits until a condition is true or the test times out. */
export async function waitFor(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}
