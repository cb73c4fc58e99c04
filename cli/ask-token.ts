import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { UsageError } from './usage-error.js';

/**
 * Returns the token from the environment, or prompts for it without showing what is typed. There is no
 * option for it, because every user of the machine could read it in the list of processes.
 *
 * @throws UsageError if the variable isn't set and there is no terminal, or nothing was typed
 */
export async function askToken(env: NodeJS.ProcessEnv): Promise<string> {
  if (env.WORKTRACK_TOKEN) return env.WORKTRACK_TOKEN;
  if (!process.stdin.isTTY) throw new UsageError('no token; set WORKTRACK_TOKEN');
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: hidden, terminal: true });
  // The prompt appears after the echo is off, so that even a quick paste stays hidden.
  process.stderr.write('Token: ');
  try {
    // Ctrl+C and Ctrl+D reject.
    const token = (await terminal.question('').catch(() => '')).trim();
    if (!token) throw new UsageError('no token was entered; nothing was sent');
    return token;
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}
