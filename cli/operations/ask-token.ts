import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { UsageError } from '../usage-error.js';

/** The token: from the environment, or from a person, whose typing is not shown. */
export async function askToken(env: NodeJS.ProcessEnv): Promise<string> {
  if (env.WORKTRACK_TOKEN) return env.WORKTRACK_TOKEN;
  if (!process.stdin.isTTY) throw new UsageError('set WORKTRACK_TOKEN; there is nobody to ask for the token');
  process.stderr.write('Token: ');
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: hidden, terminal: true });
  try {
    return (await terminal.question('')).trim();
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}
