import { spawn, spawnSync } from 'node:child_process';
import { shorten } from '../../src/shared/quote.js';

export interface ShellOptions {
  env: NodeJS.ProcessEnv;
  /** Kills the command and all processes that it started. */
  signal: AbortSignal;
  /** Receives the command's output. */
  onOutput?: ((text: string) => void) | undefined;
}

/**
 * Runs a shell command. When it exits, kills all processes in its process group.
 *
 * @returns an error with the end of the command's output, or undefined if it exits with code 0
 */
export function runShell(
  command: string,
  { env, signal, onOutput }: ShellOptions,
): Promise<Error | undefined> {
  const child = spawn(command, {
    shell: true,
    // Start a process group, so that all processes of a pipeline can be killed together.
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
    env,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-maxOutput);
      onOutput?.(text);
    });
  }
  const kill = () => killGroup(child.pid);
  signal.addEventListener('abort', kill, { once: true });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => {
      kill();
      // A process that has left the group, such as a daemon, may keep the pipes open.
      setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
      }, 200).unref();
    });
    child.once('close', (code, killedBy) => {
      signal.removeEventListener('abort', kill);
      resolve(code === 0 ? undefined : new Error(describe(code, killedBy, output)));
    });
    if (signal.aborted) kill();
  });
}

/** The maximum number of characters of a command's output to keep. */
const maxOutput = 100_000;

function describe(code: number | null, killedBy: NodeJS.Signals | null, output: string): string {
  const lines = output.trimEnd().split('\n').slice(-10);
  const end = lines.map((line) => `\n${shorten(line, 300)}`).join('');
  return `${killedBy ?? `exit code ${code}`}${end.trim() && end}`;
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore' });
    return;
  }
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // All processes have already exited.
  }
}
