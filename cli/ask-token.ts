import { askHidden } from './terminal/prompt.js';
import { UsageError } from './usage-error.js';

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
