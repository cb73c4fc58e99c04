import { writeFile } from 'node:fs/promises';
import { Worktrack } from '../src/index.js';
import { UsageError } from './command-line.js';
import { type ConnectionOptions, connectionOf, toUsageError } from './connection.js';
import type { CommandContext } from './context.js';

// What commands share that test or observe a whole deployment.

/** Returns the deployment and the organization. @throws UsageError if one of them is missing or invalid */
export function requireDeployment(flags: ConnectionOptions, { env }: CommandContext) {
  const { baseUrl, organization, allowPlainHttp } = connectionOf(flags, env);
  if (!baseUrl) throw new UsageError('missing base URL; pass --base-url or set WORKTRACK_BASE_URL');
  if (!organization)
    throw new UsageError('missing organization; pass --organization or set WORKTRACK_ORGANIZATION');
  try {
    // Reports an invalid URL before prompting for the token.
    new Worktrack({ baseUrl, organization, allowPlainHttp, token: 'unknown yet' });
  } catch (error) {
    throw toUsageError(error as Error, flags);
  }
  return { baseUrl, organization, allowPlainHttp };
}

/**
 * Runs a function with a signal that Ctrl+C aborts. After the first signal, the run still deletes its records. A
 * second one ends the process.
 */
export async function runUntilStopped<Result>(
  { printError }: CommandContext,
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<{ result: Result; isStopped: boolean }> {
  const stop = new AbortController();
  const abort = () => {
    printError('Deleting the created records. Press Ctrl+C again to quit immediately.');
    stop.abort();
  };
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.once(signal, abort);
  try {
    return { result: await run(stop.signal), isStopped: stop.signal.aborted };
  } finally {
    for (const signal of signals) process.removeListener(signal, abort);
  }
}

/** Writes a file. A run can take minutes, so its result is printed if that fails. */
export async function writeResult(path: string, text: string, context: CommandContext): Promise<void> {
  await writeFile(path, `${text}\n`).catch((cause: Error) => {
    context.print(text);
    throw new Error(`the report is above because ${path} can't be written`, { cause });
  });
}
