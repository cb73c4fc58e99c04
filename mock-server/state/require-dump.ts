import { validate } from '../../src/contract/index.js';
import { isObject } from '../../src/wire/index.js';
import { checkReferences } from './check-references.js';
import { milliseconds } from './clock.js';
import { dumpSchema } from './dump-schema.js';
import type { StateDump } from './state-dump.js';

/**
 * Checks that a value is a valid exported state, including all of its rows and references.
 *
 * @throws TypeError that describes what is missing or invalid
 */
export function requireDump(value: unknown): asserts value is StateDump {
  if (!isObject(value) || value.format !== 'worktrack-state') {
    throw new TypeError('not an exported state');
  }
  if (value.version !== 1) throw new TypeError(`state.version ${value.version} isn't supported`);
  for (const name of ['clock', 'ids'] as const) {
    if (!isObject(value[name])) throw new TypeError(`state.${name} must be an object`);
  }
  for (const name of lists) {
    const list = value[name];
    if (!Array.isArray(list)) throw new TypeError(`state.${name} must be a list`);
    if (!list.every(isObject)) throw new TypeError(`state.${name} must contain only objects`);
  }
  requireClock(value.clock as Record<string, unknown>);
  const result = validate(dumpSchema, value);
  if (!result.ok) {
    const [[field, [message] = []] = []] = Object.entries(result.fieldErrors);
    throw new TypeError(`state.${field?.replace(/\.(\d+)(?=\.|$)/g, '[$1]')} ${message}`);
  }
  checkReferences(value as unknown as StateDump);
}

/** Rejects times outside the timestamp range; otherwise, every later request would fail. */
function requireClock({ frozen, offset }: Record<string, unknown>): void {
  try {
    if (frozen !== undefined) milliseconds(frozen as number);
    milliseconds(Date.now() + (typeof offset === 'number' ? offset : Number.NaN));
  } catch {
    throw new TypeError('state.clock is outside the years 0 to 9999');
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
