import type { Command } from 'commander';
import { type ClientOptions, Worktrack } from '../../src/index.js';
import { UsageError } from './command-line.js';
import type { CommandContext } from './context.js';
import { askHidden } from './terminal/prompt.js';

/** The parsed options of a command that connects to a deployment. */
export interface ConnectionOptions {
  baseUrl?: string;
  organization?: string;
  allowPlainHttp?: boolean;
}

/** Adds the options for connecting to a deployment. */
export const addConnectionOptions = (command: Command): Command =>
  command
    .option('--base-url <url>', 'Deployment URL (env: WORKTRACK_BASE_URL)')
    .option('--organization <id>', 'Organization ID (env: WORKTRACK_ORGANIZATION)')
    .option('--allow-plain-http', 'Allow plain HTTP for hosts other than loopback and .test hosts');

/** The "Environment variables" help section shared by several commands. */
export const environmentHelp = `Environment variables:
  WORKTRACK_BASE_URL       deployment URL, such as https://work.example.com
  WORKTRACK_ORGANIZATION   ID of the credential's organization
  WORKTRACK_DEFAULT_BOARD  "true" if the deployment has a default board for tickets without a board
  WORKTRACK_TOKEN          credential token; if it isn't set, the CLI prompts for it
                           (there is no --token option because other users could see the token)`;

/** Whether the deployment puts tickets without a board on a default board. */
export const hasDefaultBoard = (env: NodeJS.ProcessEnv): boolean => env.WORKTRACK_DEFAULT_BOARD === 'true';

/** Returns the client options. An empty environment variable counts as unset. */
export const connectionOf = (flags: ConnectionOptions, env: NodeJS.ProcessEnv) => ({
  baseUrl: flags.baseUrl ?? (env.WORKTRACK_BASE_URL || undefined),
  organization: flags.organization ?? (env.WORKTRACK_ORGANIZATION || undefined),
  allowPlainHttp: flags.allowPlainHttp,
  defaultBoard: hasDefaultBoard(env) || undefined,
});

/**
 * Converts an error about client options to a usage error. Replaces option names with the names of flags and
 * environment variables.
 */
export const toUsageError = ({ message }: Error, flags: ConnectionOptions): UsageError =>
  new UsageError(
    message
      .replace(/^baseUrl is missing; pass it/, 'missing base URL; pass --base-url')
      .replace(/^baseUrl(?=:| must)/, flags.baseUrl === undefined ? 'WORKTRACK_BASE_URL' : '--base-url')
      .replace('set allowPlainHttp', 'pass --allow-plain-http'),
  );

/** Creates a client from command options. Prompts for the token if it isn't in the environment. */
export async function createClient(
  flags: ConnectionOptions,
  context: CommandContext,
  further: Pick<ClientOptions, 'throttle'> = {},
): Promise<Worktrack> {
  const { env, client: own } = context;
  // Print log messages through the context, which strips control characters. The messages may contain data
  // from the server.
  const log = (message: string) => context.printError(message);
  const options = {
    ...further,
    ...connectionOf(flags, env),
    logger: { debug: log, info: log, warn: log, error: log },
  };
  const client = withValidOptions({ token: 'placeholder', ...options, ...own }, flags);
  return own ? client : new Worktrack({ ...options, token: await askToken(env) });
}

/**
 * Creates a client. To report invalid options before prompting for the token, pass a placeholder for it.
 *
 * @throws UsageError if an option is missing or invalid
 */
export function withValidOptions(options: ClientOptions, flags: ConnectionOptions): Worktrack {
  try {
    return new Worktrack(options);
  } catch (error) {
    throw toUsageError(error as Error, flags);
  }
}

/**
 * Reads the token from the environment, or prompts for it without echoing the input. The CLI has no `--token`
 * option, because other users on the machine could see the token in the process list.
 *
 * @throws UsageError if `WORKTRACK_TOKEN` isn't set and standard input isn't a terminal, or if the input is
 * empty
 */
export async function askToken(env: NodeJS.ProcessEnv): Promise<string> {
  if (env.WORKTRACK_TOKEN) return env.WORKTRACK_TOKEN;
  if (!process.stdin.isTTY) throw new UsageError('missing token; set WORKTRACK_TOKEN');
  const token = await askHidden('Token: ');
  if (!token) throw new UsageError('no token entered; nothing was sent');
  return token;
}
