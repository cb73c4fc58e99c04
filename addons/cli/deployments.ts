import { integer, UsageError } from './command-line.js';
import { askToken, type ConnectionOptions, connectionOf, withValidOptions } from './connection.js';
import type { CommandContext } from './context.js';
import { requireWritable } from './files.js';
import { stopOnSignal } from './stop-on-signal.js';

/** The parsed options of a command that tests or observes an entire deployment. */
export interface DeploymentFlags extends ConnectionOptions {
  output?: string;
  maxRequests?: number;
}

/**
 * Runs a function on the deployment in the options. After the first Ctrl+C, the run still deletes the records
 * that it created. The second Ctrl+C ends the process.
 *
 * @throws UsageError if the deployment, the organization, or the token is missing or invalid, or if the output
 * can't be written
 */
export async function runOnDeployment<Result>(
  flags: DeploymentFlags,
  { env, printError }: CommandContext,
  run: (options: DeploymentRun) => Promise<Result>,
): Promise<{ result: Result; isStopped: boolean }> {
  const { baseUrl = '', organization, allowPlainHttp } = connectionOf(flags, env);
  withValidOptions({ baseUrl, organization, allowPlainHttp, token: 'placeholder' }, flags);
  if (!organization)
    throw new UsageError('missing organization; pass --organization or set WORKTRACK_ORGANIZATION');
  if (flags.output !== undefined) await requireWritable('--output', flags.output);
  const token = await askToken(env);
  const { signal, ignoreSignals } = stopOnSignal(() =>
    printError('Deleting the created records. Press Ctrl+C again to quit immediately.'),
  );
  try {
    const { maxRequests } = flags;
    const result = await run({ baseUrl, organization, allowPlainHttp, token, maxRequests, signal });
    return { result, isStopped: signal.aborted };
  } catch (error) {
    throw isFetchFailure(error) ? noResponse(baseUrl, error) : error;
  } finally {
    ignoreSignals();
  }
}

const isFetchFailure = (error: unknown): error is TypeError =>
  error instanceof TypeError && error.message === 'fetch failed';

function noResponse(baseUrl: string, { message, cause }: TypeError): TypeError {
  // If the host has several addresses, the cause's message is empty.
  const { message: reason, code } = (cause ?? {}) as NodeJS.ErrnoException;
  return new TypeError(`no response from ${new URL(baseUrl).origin}: ${reason || code || message}`, {
    cause,
  });
}

interface DeploymentRun {
  baseUrl: string;
  organization: string;
  allowPlainHttp: boolean | undefined;
  token: string;
  maxRequests: number | undefined;
  signal: AbortSignal;
}

/** Returns the arguments of `command.option()` for the limit. */
export const maxRequestsOption = (defaultValue: number, otherDefault: string) =>
  [
    '--max-requests <number>',
    `Maximum number of requests; cleanup isn't limited (default: ${defaultValue}, ${otherDefault})`,
    integer(1),
  ] as const;
