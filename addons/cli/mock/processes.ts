import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import type { MockClientOptions } from '../../../mock-server/index.js';
import type { ListeningServer } from '../../../mock-server/node/index.js';
import type { CommandContext } from '../context.js';
import { stopSignals } from '../stop-on-signal.js';

/**
 * Runs a shell command with the server's URL and a credential in its environment.
 *
 * @returns the command's exit code. If a signal terminated the command, this is 128 plus the signal's number,
 * as in a shell.
 */
export async function runWithServer(
  command: string,
  server: ListeningServer,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const child = spawn(command, {
    shell: true,
    stdio: 'inherit',
    env: { ...env, ...connectionVariables(server.clientOptions()) },
  });
  // Forward signals instead of stopping the server, because the command may need the server while it shuts
  // down.
  const forward = (signal: NodeJS.Signals) => {
    if (!(isInTerminal() && terminalSignals.includes(signal))) child.kill(signal);
  };
  for (const signal of stopSignals) process.on(signal, forward);
  try {
    const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    return code ?? 128 + constants.signals[signal ?? 'SIGTERM'];
  } finally {
    for (const signal of stopSignals) process.off(signal, forward);
  }
}

/** Returns the environment variables that connect a command to a server. */
export const connectionVariables = ({ baseUrl, token, organization, defaultBoard }: MockClientOptions) => ({
  WORKTRACK_BASE_URL: baseUrl,
  WORKTRACK_TOKEN: token,
  WORKTRACK_ORGANIZATION: organization,
  ...(defaultBoard && { WORKTRACK_DEFAULT_BOARD: 'true' }),
});

/**
 * The signals that a terminal sends to all of its processes. They don't have to be forwarded, because the
 * command has already received them.
 */
const terminalSignals: readonly NodeJS.Signals[] = ['SIGINT', 'SIGHUP'];

const isInTerminal = () => [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY);

/** Resolves on a stop signal, or when the `npx` process that started the server exits. */
export function stopped(env: NodeJS.ProcessEnv): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of stopSignals) process.once(signal, () => resolve());
    // npx doesn't forward every signal, and some signals reach only the shell between npx and this process.
    if (env.npm_command !== 'exec') return;
    const initial = ancestors();
    const timer = setInterval(() => {
      if (ancestors() === initial) return;
      clearInterval(timer);
      resolve();
    }, 250);
    timer.unref();
  });
}

/**
 * Returns the parent process ID and, on Linux, the grandparent's, because npx sometimes starts commands in a
 * shell.
 */
function ancestors(): string {
  const parent = process.ppid;
  return `${parent} ${process.platform === 'linux' ? parentOf(parent) : ''}`;
}

function parentOf(pid: number): string {
  try {
    return /.*\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1] ?? '';
  } catch {
    return '';
  }
}

/** The program that opens a URL in the default browser, and the arguments that precede the URL. */
const openCommands: Partial<Record<NodeJS.Platform, readonly [program: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens a URL in the default browser, or prints the URL if that fails. */
export function openInBrowser(url: string, { env, printError }: CommandContext): void {
  const [program, ...args] = openCommands[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true, env });
  const failed = () => printError(`could not open a browser with ${program}; open ${url}`);
  child.once('error', failed);
  child.once('exit', (code) => code && failed());
  child.unref();
}
