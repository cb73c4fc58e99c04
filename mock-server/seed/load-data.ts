import { isObject } from '../../src/wire/index.js';
import { loadDump } from '../state/dump.js';
import type { State } from '../state/state.js';
import type { StateDump } from '../state/state-dump.js';
import { loadWorld } from './load-world.js';
import { parseSeed, readWorld } from './read-world.js';
import type { World } from './world.js';

/**
 * Loads seed data or an exported state into an empty state. Only exported states have a `format` field.
 *
 * @throws SeedError if the seed data is invalid
 * @throws TypeError if the exported state is invalid
 */
export function loadData(state: State, data: World | StateDump | string): void {
  const isJson = typeof data === 'string';
  const value: unknown = isJson ? parseSeed(data) : data;
  if (!isObject(value) || !Object.hasOwn(value, 'format')) {
    loadWorld(state, readWorld(value as World));
    return;
  }
  // Copies the caller's object, so later changes to it don't affect the state.
  loadDump(state, (isJson ? value : structuredClone(value)) as unknown as StateDump);
}
