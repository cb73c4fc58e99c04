import type { Command } from 'commander';
import { UsageError } from './usage-error.js';

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
    .option('--allow-plain-http', 'Allow plain HTTP to hosts other than loopback and .test');

/** Returns the client options. An empty environment variable counts as unset. */
export const connectionOf = (flags: ConnectionOptions, env: NodeJS.ProcessEnv) => ({
  baseUrl: flags.baseUrl ?? (env.WORKTRACK_BASE_URL || undefined),
  organization: flags.organization ?? (env.WORKTRACK_ORGANIZATION || undefined),
  allowPlainHttp: flags.allowPlainHttp,
});

/**
 * Converts an error about client options. CLI users need the name of the flag or environment variable that they
 * set, not of the client option.
 */
export const toUsageError = ({ message }: Error, flags: ConnectionOptions): UsageError =>
  new UsageError(
    message
      .replace(/^baseUrl is missing; pass it/, 'missing base URL; pass --base-url')
      .replace(/^baseUrl(?=:| must)/, flags.baseUrl === undefined ? 'WORKTRACK_BASE_URL' : '--base-url')
      .replace('set allowPlainHttp', 'pass --allow-plain-http'),
  );
