import { isObject } from '../../src/wire/index.js';
import type { StateDump } from './state-dump.js';

/**
 * Sees to it that JSON is a state which was written down, as far as it can be told without loading it.
 *
 * @throws TypeError that says what is missing
 */
export function requireDump(given: unknown): asserts given is StateDump {
  if (!isObject(given) || given.format !== 'worktrack-state') {
    throw new TypeError('it is not a state of this server');
  }
  if (given.version !== 1) throw new TypeError(`its version ${given.version} is not known here`);
  for (const name of ['clock', 'ids'] as const) {
    if (!isObject(given[name])) throw new TypeError(`its ${name} is missing`);
  }
  for (const name of lists) {
    const list = given[name];
    if (!Array.isArray(list)) throw new TypeError(`its list of ${name} is missing`);
    if (!list.every(isObject))
      throw new TypeError(`its list of ${name} has something in it that is no record`);
  }
}

const lists = [
  'organizations',
  'users',
  'credentials',
  'documentTags',
  'projects',
  'boards',
  'tickets',
  'documents',
  'comments',
  'notifications',
] as const satisfies (keyof StateDump)[];
