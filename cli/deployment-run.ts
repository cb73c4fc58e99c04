import { Option } from 'commander';
import { Worktrack } from '../src/index.js';
import { integer, UsageError } from './command-line.js';
import { type ConnectionOptions, connectionOf, toUsageError } from './connection.js';
import type { CommandContext } from './context.js';
import { stopOnSignal } from './stop-on-signal.js';

// Helpers for the commands that test or observe an entire deployment.

/** Returns the deployment and the organization. @throws UsageError if either is missing or invalid */
export function requireDeployment(flags: ConnectionOptions, { env }: CommandContext) {
  const { baseUrl, organization, allowPlainHttp } = connectionOf(flags, env);
  if (!baseUrl) throw new UsageError('missing base URL; pass --base-url or set WORKTRACK_BASE_URL');
  if (!organization)
    throw new UsageError('missing organization; pass --organization or set WORKTRACK_ORGANIZATION');
  try {
    // Report an invalid URL before prompting for the token.
    new Worktrack({ baseUrl, organization, allowPlainHttp, token: 'placeholder' });
  } catch (error) {
    throw toUsageError(error as Error, flags);
  }
  return { baseUrl, organization, allowPlainHttp };
}

/**
 * Runs a function with a signal that aborts on Ctrl+C. After the first Ctrl+C, the run still deletes the
 * records that it created. The second Ctrl+C ends the process.
 */
export async function runUntilStopped<Result>(
  { printError }: CommandContext,
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<{ result: Result; isStopped: boolean }> {
  const stop = stopOnSignal(() =>
    printError('Deleting the created records. Press Ctrl+C again to quit immediately.'),
  );
  try {
    return { result: await run(stop.signal), isStopped: stop.signal.aborted };
  } finally {
    stop.ignoreSignals();
  }
}

export const maxRequestsOption = (defaultValue: number) =>
  new Option(
    '--max-requests <number>',
    `Maximum number of requests; cleanup isn't limited (default: ${defaultValue})`,
  ).argParser(integer(1));
