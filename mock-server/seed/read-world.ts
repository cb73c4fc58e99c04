import { bodyField } from '../../src/contract/field-errors.js';
import { type Schema, validate } from '../../src/contract/index.js';
import { parseJson } from '../../src/shared/json.js';
import { seedSchemas } from './schema.js';
import { SeedError } from './seed-error.js';
import type { World } from './world.js';

/**
 * Validates seed data from an object or a JSON string.
 *
 * @throws SeedError if the seed data is invalid; the message lists all problems
 */
export const readWorld = (world: World | string): World =>
  readSeed('world', typeof world === 'string' ? parseSeed(world) : world) as World;

/**
 * Validates the seed data for a single record.
 *
 * @throws SeedError if the seed data is invalid; the message lists all problems
 */
export function readSeed(kind: keyof typeof seedSchemas, seed: unknown): object {
  const result = validate(seedSchemas[kind] as unknown as Schema<object, never>, seed);
  if (result.ok) return result.value;
  const prefix = kind === 'world' ? '' : `${kind}.`;
  const problems = Object.entries(result.fieldErrors).flatMap(([field, messages]) =>
    messages.map((message) => ({ path: field === bodyField ? kind : prefix + pathOf(field), message })),
  );
  const [first, ...others] = problems as [Problem, ...Problem[]];
  const rest = others.map(({ path, message }) => `\n${path}: ${message}`).join('');
  throw new SeedError(first.path, `${first.message}${rest}`);
}

interface Problem {
  path: string;
  message: string;
}

/** @throws SeedError if the string isn't valid JSON */
export const parseSeed = (text: string): unknown =>
  parseJson(text, ({ message }) => {
    throw new SeedError('', `The seed data isn't valid JSON: ${message.replace(/\s+/g, ' ')}`);
  });

const pathOf = (field: string): string => field.replace(/\.(\d+)(?=\.|$)/g, '[$1]');
