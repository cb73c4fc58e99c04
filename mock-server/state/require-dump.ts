import { validate } from '../../src/contract/index.js';
import { isObject } from '../../src/wire/index.js';
import { checkReferences } from './check-references.js';
import { milliseconds } from './clock.js';
import { dumpSchema } from './dump-schema.js';
import { InvalidInputError } from './invalid-input-error.js';
import type { StateDump } from './state-dump.js';

/**
 * Checks that a value is a valid exported state, including all of its rows and references.
 *
 * @throws TypeError that describes what is missing or invalid
 */
export function requireDump(value: unknown): asserts value is StateDump {
  if (!isObject(value) || value.format !== 'worktrack-state') {
    throw new InvalidInputError('not an exported state');
  }
  if (value.version !== 1) throw new InvalidInputError(`state.version ${value.version} isn't supported`);
  const result = validate(dumpSchema, value);
  if (!result.ok) {
    const [[field, [message]]] = Object.entries(result.fieldErrors) as [[string, [string]]];
    throw new InvalidInputError(`state.${field.replace(/\.(\d+)(?=\.|$)/g, '[$1]')} ${message}`);
  }
  requireClock(value.clock as Record<string, unknown>);
  checkReferences(value as unknown as StateDump);
}

/** Rejects times outside the timestamp range; otherwise, every later request would fail. */
function requireClock({ frozen, offset }: Record<string, unknown>): void {
  try {
    if (frozen !== undefined) milliseconds(frozen as number);
    milliseconds(Date.now() + (typeof offset === 'number' ? offset : Number.NaN));
  } catch {
    throw new InvalidInputError('state.clock is outside the years 0 to 9999');
  }
}
