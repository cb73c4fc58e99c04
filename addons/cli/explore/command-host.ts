import { spawn, spawnSync } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { MockServer } from '../../../mock-server/index.js';
import type { ListeningServer } from '../../../mock-server/node/index.js';
import { shorten } from '../../../src/internal.js';
import { type Check, named } from '../../explore/checks.js';
import type { Host, Place } from '../../explore/engine.js';
import { type Failure, idOf } from '../../explore/failures.js';
import { UsageError } from '../command-line.js';
import { connectionVariables } from '../mock/processes.js';

interface HostOptions extends Pick<Host, 'jobs' | 'onProgress' | 'reproductionOf'> {
  command: string;
  stop: AbortSignal;
  /** The maximum time for a check, in seconds. */
  timeout: number;
  /** Whether to show the command's output in runs with failures. */
  showsOutput: boolean;
  env: NodeJS.ProcessEnv;
  server: ListeningServer;
  /** The folder that contains each run's folder. */
  folder: string;
}

/** Runs the command once per run, each time in its own space on the HTTP server. */
export function createCommandHost({
  command,
  timeout,
  showsOutput,
  env: parentEnv,
  server,
  folder: parent,
  ...options
}: HostOptions) {
  const state = server.mock.export();
  const variables = new WeakMap<MockServer, NodeJS.ProcessEnv>();
  let runs = 0;
  return {
    ...options,
    subject: 'command',
    advice: {
      noRequests: 'it must use the URL in WORKTRACK_BASE_URL and the token in WORKTRACK_TOKEN',
      otherRequests: 'if it stores files, they must be in the folder WORKTRACK_RUN_DIR',
    },
    verifiesRequests: true,
    fail: (message: string) => (options.stop.aborted ? new Error(message) : new UsageError(message)),
    async prepare(failures: readonly Failure[]): Promise<Place> {
      const name = `run-${++runs}`;
      const folder = join(parent, name);
      await mkdir(folder);
      const mock = server.createSpace(name, { state });
      const env = { ...parentEnv, ...connectionVariables(mock.clientOptions()), WORKTRACK_RUN_DIR: folder };
      variables.set(mock, env);
      const onOutput =
        showsOutput && failures.length > 0 ? (text: string) => process.stderr.write(text) : undefined;
      let running: Promise<unknown> | undefined;
      return {
        mock,
        unhandledRejections: [],
        start: ({ signal }) => {
          const result = runShell(command, { env, signal, onOutput });
          running = result.catch(() => {});
          return result;
        },
        stopped: async () => void (await running),
        async close() {
          server.deleteSpace(name);
          await rm(folder, { recursive: true, force: true });
        },
      };
    },
    /** Creates a check that executes a shell command after each run. */
    checkWith: (check: string): Check =>
      named('--check', async ({ mock, failures }) => {
        const limit = AbortSignal.timeout(timeout * 1000);
        const env = { ...variables.get(mock), WORKTRACK_FAILURE: idOf(failures) };
        const error = await runShell(check, { env, signal: AbortSignal.any([options.stop, limit]) });
        if (limit.aborted) throw new Error(`didn't finish within ${timeout} s`);
        if (error) throw error;
      }),
  } satisfies Host & { checkWith(command: string): Check };
}

interface ShellOptions {
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
function runShell(command: string, { env, signal, onOutput }: ShellOptions): Promise<Error | undefined> {
  const child = spawn(command, {
    shell: true,
    // Start a process group so that all the processes in a pipeline can be killed together.
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
      // A process that has left the group, such as a daemon, may still have the pipes open.
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
