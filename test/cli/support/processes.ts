import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { inject } from 'vitest';

/** The compiled CLI. */
export const main = join(inject('programs'), 'worktrack.mjs');

/** Starts `worktrack` in a child process. Removes this process's credential from the child's environment. */
function spawnCli(
  args: readonly string[],
  stdin: 'ignore' | 'pipe' = 'ignore',
  variables: NodeJS.ProcessEnv = {},
): ChildProcess {
  const { WORKTRACK_TOKEN: _, ...env } = process.env;
  return spawn(process.execPath, [main, ...args], {
    stdio: [stdin, 'pipe', 'pipe'],
    env: { ...env, ...variables },
  });
}

/** Runs `worktrack` in a child process, and writes each chunk of the input to its standard input. */
export async function runWithInput(
  args: readonly string[],
  input: readonly (string | Uint8Array)[],
  env: NodeJS.ProcessEnv,
) {
  const child = spawnCli(args, 'pipe', env);
  const [[code], output, errors] = await Promise.all([
    once(child, 'close'),
    text(child.stdout as Readable),
    text(child.stderr as Readable),
    pipeline(input, child.stdin as Writable),
  ]);
  return { code, output, errors };
}

/** Runs a bash script. */
export async function runScript(script: string, env: NodeJS.ProcessEnv) {
  const child = spawn('bash', ['--norc', '-c', script], { env: { ...process.env, ...env } });
  const [[code], output, errors] = await Promise.all([
    once(child, 'close'),
    text(child.stdout),
    text(child.stderr),
  ]);
  return { code, output, errors };
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
  // Warnings may be printed before the URL.
  const findUrl = () => /http:\/\/\S+/.exec(lines.join('\n'))?.[0];
  await waitFor(() => findUrl() !== undefined || child.exitCode !== null);
  const url = findUrl();
  if (!url) throw new Error(`worktrack mock exited and printed: ${lines.join('\n')}`);
  return { child, url, lines };
}

/** Waits until a condition is true or the test times out. */
export async function waitFor(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}
