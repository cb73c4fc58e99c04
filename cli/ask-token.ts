import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { UsageError } from './usage-error.js';

/**
 * Returns the token from the environment, or prompts for it without echo. There is no option for the token,
 * because every user of the machine could read it in the process list.
 *
 * @throws UsageError if the variable isn't set and there is no terminal, or if the input is empty
 */
export async function askToken(env: NodeJS.ProcessEnv): Promise<string> {
  if (env.WORKTRACK_TOKEN) return env.WORKTRACK_TOKEN;
  if (!process.stdin.isTTY) throw new UsageError('no token; set WORKTRACK_TOKEN');
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: hidden, terminal: true });
  // The echo is turned off before the prompt appears, so that even a quick paste stays hidden.
  process.stderr.write('Token: ');
  try {
    // Ctrl+C and Ctrl+D reject the promise.
    const token = (await terminal.question('').catch(() => '')).trim();
    if (!token) throw new UsageError('no token was entered; nothing was sent');
    return token;
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}
