import { readFile } from 'node:fs/promises';
import { requireDump } from '../../state/require-dump.js';
import type { StateDump } from '../../state/state-dump.js';

/**
 * Reads the state in a file; undefined if the file doesn't exist.
 *
 * @throws Error with a one-line message if the file contains anything else
 */
export async function readState(path: string): Promise<StateDump | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Error(`${path} can't be read: ${(error as Error).message}`);
  }
  try {
    const state: unknown = JSON.parse(text);
    requireDump(state);
    return state;
  } catch (error) {
    throw invalidState(path, error);
  }
}

/** The message is reduced to one line because `JSON.parse` quotes the file in its own. */
export const invalidState = (path: string, error: unknown): Error =>
  new Error(`${path} doesn't contain a valid state: ${(error as Error).message.replace(/\s+/g, ' ')}`);
