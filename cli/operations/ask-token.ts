import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { UsageError } from '../usage-error.js';

/**
 * The token: from the environment, or from a person, whose typing is not shown. Never from an option,
 * which every user of the machine could read in its list of processes.
 *
 * @throws UsageError where there is none
 */
export async function askToken(env: NodeJS.ProcessEnv): Promise<string> {
  if (env.WORKTRACK_TOKEN) return env.WORKTRACK_TOKEN;
  if (!process.stdin.isTTY) throw new UsageError('set WORKTRACK_TOKEN; there is nobody to ask for the token');
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: hidden, terminal: true });
  // Only now, when the terminal shows nothing of what is typed: a paste may be quick.
  process.stderr.write('Token: ');
  try {
    // Ctrl+C and Ctrl+D reject.
    const token = (await terminal.question('').catch(() => '')).trim();
    if (!token) throw new UsageError('no token was given, and nothing was sent');
    return token;
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}
