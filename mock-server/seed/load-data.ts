import { isObject } from '../../src/wire/index.js';
import { loadDump } from '../state/dump.js';
import type { State } from '../state/state.js';
import type { StateDump } from '../state/state-dump.js';
import { loadWorld } from './load-world.js';
import { parseSeed, readWorld } from './read-world.js';
import type { World } from './world.js';

/**
 * Loads seed data or an exported state into an empty state. An exported state is recognized by its
 * `format`, which seed data doesn't have.
 *
 * @throws SeedError for invalid seed data, TypeError for an invalid state
 */
export function loadData(state: State, data: World | StateDump | string): void {
  const isJson = typeof data === 'string';
  const value: unknown = isJson ? parseSeed(data) : data;
  if (!isObject(value) || !Object.hasOwn(value, 'format')) {
    loadWorld(state, readWorld(value as World));
    return;
  }
  // Copied, so that later changes to the caller's object don't affect the state. Parsed JSON needs no copy.
  loadDump(state, (isJson ? value : structuredClone(value)) as unknown as StateDump);
}
