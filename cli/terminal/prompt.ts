import { createInterface, type Interface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { stripControlCharacters } from './text.js';

/** Prompts for a line without echoing it. Returns an empty string for Ctrl+C and Ctrl+D. */
export async function askHidden(question: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  // Echo is already off when the prompt appears, so even a quick paste stays hidden.
  process.stderr.write(question);
  const line = await lineOf(terminal, '');
  process.stderr.write('\n');
  return line;
}

/** Asks a yes-or-no question. Any answer other than `y` counts as no, and so does aborting the signal. */
export async function confirm(question: string, signal?: AbortSignal): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr, terminal: true });
  const answer = await lineOf(terminal, `${stripControlCharacters(question)} [y/N] `, signal);
  return /^y(?:es)?$/i.test(answer);
}

async function lineOf(terminal: Interface, question: string, signal?: AbortSignal): Promise<string> {
  try {
    // Ctrl+C and Ctrl+D reject the promise.
    return (await terminal.question(question, { signal }).catch(() => '')).trim();
  } finally {
    terminal.close();
  }
}
