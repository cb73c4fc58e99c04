import { didYouMean, shorten } from '../../../src/internal.js';
import { ToolInputError } from '../results/reply.js';
import { cleanLine } from '../text/clean-text.js';
import type { Arguments, InputSchema } from './tool.js';

/** @throws ToolInputError if an argument is unknown or missing */
export function checkNames(args: Arguments, { properties, required = [] }: InputSchema): void {
  const known = Object.keys(properties);
  for (const name of Object.keys(args)) {
    if (!known.includes(name)) {
      throw new ToolInputError(`unknown argument ${quote(name)}; ${didYouMean(name, known)}`);
    }
  }
  const missing = required.filter((name) => args[name] === undefined);
  if (missing.length > 0) throw new ToolInputError(`missing argument: ${missing.join(', ')}`);
}

/** Reads the `fields` argument, a list of record fields. Returns undefined if it isn't set. */
export function readFields({ fields }: Arguments, known: readonly string[]): string[] | undefined {
  if (fields === undefined) return undefined;
  if (!Array.isArray(fields) || fields.length === 0) {
    throw new ToolInputError('fields must be a list of field names');
  }
  return fields.map((field) => {
    if (!known.includes(field)) {
      throw new ToolInputError(`fields: unknown field ${quote(field)}; ${didYouMean(String(field), known)}`);
    }
    return field;
  });
}

/** Reads an argument that has a fixed set of values. */
export function readChoice(args: Arguments, name: string, choices: readonly string[]): string | undefined {
  const value = args[name];
  if (value === undefined) return undefined;
  if (choices.includes(value as string)) return value as string;
  throw new ToolInputError(`${name} must be one of ${choices.join(', ')} (got ${quote(value)})`);
}

export function readNumber(
  args: Arguments,
  name: string,
  minimum: number,
  maximum = Number.MAX_SAFE_INTEGER,
): number | undefined {
  const value = args[name];
  if (value === undefined) return undefined;
  if (typeof value === 'number' && Number.isInteger(value) && value >= minimum && value <= maximum)
    return value;
  const expected =
    maximum < Number.MAX_SAFE_INTEGER
      ? `an integer from ${minimum} to ${maximum}`
      : `a ${minimum > 0 ? 'positive' : 'non-negative'} integer`;
  throw new ToolInputError(`${name} must be ${expected} (got ${quote(value)})`);
}

export function readBoolean(args: Arguments, name: string): boolean | undefined {
  const value = args[name];
  if (value === undefined || typeof value === 'boolean') return value;
  throw new ToolInputError(`${name} must be true or false (got ${quote(value)})`);
}

export function readString(args: Arguments, name: string): string {
  const value = args[name];
  if (typeof value === 'string' && value.trim() !== '') return value.trim();
  throw new ToolInputError(`${name} must be a non-empty string (got ${quote(value)})`);
}

/** Formats an argument for an error message. */
export const quote = (value: unknown): string => shorten(cleanLine(JSON.stringify(value) ?? 'nothing'), 60);
