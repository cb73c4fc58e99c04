import type { RuleErrorCode } from '../../src/contract/index.js';
import { invalidField } from './error-response.js';

/**
 * A reorder list is valid where it names exactly the expected records, each once.
 *
 * @returns for each id its index among the expected ones
 * @throws ErrorResponse that says what is missing, what does not belong and what is named twice
 */
export function requirePermutation(
  code: RuleErrorCode,
  field: string,
  ids: readonly string[],
  { expected, whole }: { expected: readonly string[]; whole: string },
): number[] {
  const places = placesOf(ids, expected);
  if (places) return places;
  const wanted = new Set(expected);
  const given = new Set(ids);
  const problems = [
    problem(
      'missing',
      expected.filter((id) => !given.has(id)),
    ),
    problem(
      'not among them',
      [...given].filter((id) => !wanted.has(id)),
    ),
    problem('named more than once', repeated(ids)),
  ].filter((text) => text !== undefined);
  throw invalidField(code, field, `must name ${whole}, each exactly once; ${problems.join('; ')}`);
}

/**
 * Most lists move a few records of many: what stays where it was is compared, and only the rest looked up.
 *
 * @returns undefined where the ids are no permutation of the expected ones
 */
function placesOf(ids: readonly string[], expected: readonly string[]): number[] | undefined {
  if (ids.length !== expected.length) return undefined;
  const places = ids.map((_, index) => index);
  const moved = places.filter((index) => ids[index] !== expected[index]);
  const free = new Map(moved.map((index) => [expected[index], index]));
  for (const index of moved) {
    const id = ids[index];
    const place = free.get(id);
    if (place === undefined) return undefined;
    free.delete(id);
    places[index] = place;
  }
  return places;
}

/** Ids that a message names before it only counts. */
const shown = 5;

function problem(what: string, ids: readonly string[]): string | undefined {
  if (ids.length === 0) return undefined;
  const more = ids.length > shown ? ` and ${ids.length - shown} more` : '';
  return `${what}: ${ids.slice(0, shown).join(', ')}${more}`;
}

function repeated(ids: readonly string[]): string[] {
  const once = new Set<string>();
  const twice = new Set<string>();
  for (const id of ids) (once.has(id) ? twice : once).add(id);
  return [...twice];
}
