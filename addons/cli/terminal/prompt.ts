import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { stripControlCharacters } from './text.js';

/** Prompts for a line without echoing it. Returns an empty string for Ctrl+D. */
export async function askHidden(question: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  // Echo is already off when the prompt appears, so even a quick paste stays hidden.
  const line = readLine(nowhere, '');
  process.stderr.write(question);
  await line;
  process.stderr.write('\n');
  return line;
}

/** Asks a yes-or-no question. Any answer other than `y` counts as no, and so does aborting the signal. */
export async function confirm(question: string, signal?: AbortSignal): Promise<boolean> {
  const answer = await readLine(process.stderr, `${stripControlCharacters(question)} [y/N] `, signal);
  return /^y(?:es)?$/i.test(answer);
}

/** Reads a line. Returns an empty string for Ctrl+D, and if the signal is aborted. */
async function readLine(
  output: NodeJS.WritableStream,
  question: string,
  signal?: AbortSignal,
): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output, terminal: true });
  // While a line is read, the terminal doesn't turn Ctrl+C into a signal for its processes, such as a script.
  terminal.once('SIGINT', () => {
    if (process.listenerCount('SIGINT') === 0) process.stderr.write('\n');
    process.kill(0, 'SIGINT');
  });
  try {
    return (await terminal.question(question, { signal })).trim();
  } catch {
    // After an aborted question, `readline` starts a new line itself.
    if (!signal?.aborted) output.write('\n');
    return '';
  } finally {
    terminal.close();
  }
}
