import { type Schema, validate, wholePayload } from '../../src/contract/index.js';
import { worldSchema } from './schema.js';
import { SeedError } from './seed-error.js';
import type { World } from './world.js';

/**
 * Reads a world from an object or from JSON text.
 *
 * @throws SeedError that lists everything that is no part of a world
 */
export function readWorld(world: World | string): World {
  const result = validate(
    worldSchema as Schema<World, never>,
    typeof world === 'string' ? parse(world) : world,
  );
  if (result.ok) return result.value;
  const problems = Object.entries(result.fieldErrors).flatMap(([field, messages]) =>
    messages.map((message) => ({ path: field === wholePayload ? 'world' : pathOf(field), message })),
  );
  const [first, ...others] = problems;
  const rest = others.map(({ path, message }) => `\n${path}: ${message}`).join('');
  throw new SeedError(first?.path ?? 'world', `${first?.message}${rest}`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new SeedError('', `The world is not JSON: ${(error as Error).message}`);
  }
}

const pathOf = (field: string): string => field.replace(/\.(\d+)(?=\.|$)/g, '[$1]');
