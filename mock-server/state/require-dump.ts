import { validate } from '../../src/contract/index.js';
import { isObject } from '../../src/wire/index.js';
import { checkReferences } from './check-references.js';
import { milliseconds } from './clock.js';
import { dumpSchema } from './dump-schema.js';
import type { StateDump } from './state-dump.js';

/**
 * Checks that a value is a state that `export()` returned, including every field of every row and every
 * reference.
 *
 * @throws TypeError that names what is missing or invalid
 */
export function requireDump(value: unknown): asserts value is StateDump {
  if (!isObject(value) || value.format !== 'worktrack-state') {
    throw new TypeError("it isn't an exported state");
  }
  if (value.version !== 1) throw new TypeError(`its version ${value.version} isn't supported`);
  for (const name of ['clock', 'ids'] as const) {
    if (!isObject(value[name])) throw new TypeError(`its ${name} is missing`);
  }
  for (const name of lists) {
    const list = value[name];
    if (!Array.isArray(list)) throw new TypeError(`its list of ${name} is missing`);
    if (!list.every(isObject))
      throw new TypeError(`its list of ${name} contains something that isn't a record`);
  }
  requireClock(value.clock as Record<string, unknown>);
  const result = validate(dumpSchema, value);
  if (!result.ok) {
    const [[field, [message] = []] = []] = Object.entries(result.fieldErrors);
    throw new TypeError(`its ${field?.replace(/\.(\d+)(?=\.|$)/g, '[$1]')} ${message}`);
  }
  checkReferences(value as unknown as StateDump);
}

/** If no timestamp can express the clock's time, every later request would fail. */
function requireClock({ frozen, offset }: Record<string, unknown>): void {
  try {
    if (frozen !== undefined) milliseconds(frozen as number);
    milliseconds(Date.now() + (typeof offset === 'number' ? offset : Number.NaN));
  } catch {
    throw new TypeError('its clock is outside the years 0 to 9999');
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
