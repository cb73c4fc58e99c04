import { readFile } from 'node:fs/promises';
import { parseJson } from '../../../src/shared/json.js';
import { requireDump } from '../../state/dump-schema.js';
import { applyChanges } from '../../state/state-changes.js';
import type { StateDump } from '../../state/state-dump.js';

/**
 * Reads a state, and all later changes, from a file. Returns undefined if the file doesn't exist.
 *
 * @throws Error with a one-line message if the file can't be read or doesn't contain valid state
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
    const state = parseState(text);
    requireDump(state);
    return state;
  } catch (error) {
    // Reduce the message to one line, because `JSON.parse` quotes the file's contents in its errors.
    const message = (error as Error).message.replace(/\s+/g, ' ');
    throw new Error(`${path} doesn't contain valid state: ${message}`);
  }
}

const parseState = (text: string): unknown =>
  parseJson(text, (error) => {
    // If the server was killed, the file has a line for each change since it was last rewritten. Drop an
    // incomplete last line, because the client didn't get a response for that change.
    const [first = '', ...log] = text.split('\n').slice(0, -1);
    const state = parseJson(first, () => {
      throw error;
    });
    requireDump(state);
    return applyChanges(
      state,
      log.map((line) => JSON.parse(line)),
    );
  });
