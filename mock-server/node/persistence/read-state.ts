import { readFile } from 'node:fs/promises';
import { parseJson } from '../../../src/shared/parse-json.js';
import { requireDump } from '../../state/dump-schema.js';
import { applyChanges } from '../../state/state-changes.js';
import type { StateDump } from '../../state/state-dump.js';

/**
 * Reads a state and the changes after it from a file. Returns undefined if the file doesn't exist.
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
    // Reduces the message to one line because errors from `JSON.parse` quote the file's content.
    const message = (error as Error).message.replace(/\s+/g, ' ');
    throw new Error(`${path} doesn't contain valid state: ${message}`);
  }
}

const parseState = (text: string): unknown =>
  parseJson(text, (error) => {
    // A killed server leaves a line for each change. The last one may be incomplete: no client was told about it.
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
