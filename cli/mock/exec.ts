import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import type { MockClientOptions } from '../../mock-server/index.js';
import type { ListeningServer } from '../../mock-server/node/listen.js';

/**
 * Runs a shell command with the server's URL and a credential in its environment.
 *
 * @returns the command's exit code, or, as in a shell, 128 plus the signal number if a signal terminated it
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
  // Forward signals instead of stopping the server, because the command may still need the server while
  // shutting down.
  const forward = (signal: NodeJS.Signals) => {
    if (!(isInTerminal() && terminalSignals.includes(signal))) child.kill(signal);
  };
  for (const signal of forwarded) process.on(signal, forward);
  try {
    const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    return code ?? 128 + constants.signals[signal ?? 'SIGTERM'];
  } finally {
    for (const signal of forwarded) process.off(signal, forward);
  }
}

/** Returns the environment variables that connect a command to a server. */
export const connectionVariables = ({ baseUrl, token, organization }: MockClientOptions) => ({
  WORKTRACK_BASE_URL: baseUrl,
  WORKTRACK_TOKEN: token,
  WORKTRACK_ORGANIZATION: organization,
});

const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The signals that a terminal sends to all of its processes, so the command has already received them. */
const terminalSignals: readonly NodeJS.Signals[] = ['SIGINT', 'SIGHUP'];

const isInTerminal = () => [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY);
