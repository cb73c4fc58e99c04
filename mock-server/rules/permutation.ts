import type { RuleErrorCode } from '../../src/contract/index.js';
import { inQuotes } from '../../src/shared/quote.js';
import { invalidField } from './rejected-request.js';

/**
 * Checks that a reorder list contains each expected ID exactly once and no other IDs.
 *
 * @param what describes the expected records in messages, such as `board in the project`
 * @returns each ID's index in the expected list
 * @throws RejectedRequest if the list is invalid; the message lists missing, unknown, and duplicate IDs
 */
export function requirePermutation(
  code: RuleErrorCode,
  field: string,
  ids: readonly string[],
  { expected, what }: { expected: readonly string[]; what: string },
): number[] {
  const indexes = indexesOf(ids, expected);
  if (indexes) return indexes;
  const expectedIds = new Set(expected);
  const sent = new Set(ids);
  const problems = [
    describe(
      'missing',
      expected.filter((id) => !sent.has(id)),
    ),
    describe(
      'unknown',
      [...sent].filter((id) => !expectedIds.has(id)),
    ),
    describe('duplicate', duplicatesIn(ids)),
  ].filter((problem) => problem !== undefined);
  throw invalidField(code, field, `must contain each ${what} exactly once; ${problems.join('; ')}`);
}

/**
 * Looks up only the IDs that move, because most reorder requests move only a few (`npm run bench -- scale`).
 *
 * @returns undefined if the IDs aren't a permutation of the expected IDs
 */
function indexesOf(ids: readonly string[], expected: readonly string[]): number[] | undefined {
  if (ids.length !== expected.length) return undefined;
  const indexes = ids.map((_, index) => index);
  const movedIndexes = indexes.filter((index) => ids[index] !== expected[index]);
  const free = new Map(movedIndexes.map((index) => [expected[index], index]));
  for (const index of movedIndexes) {
    const id = ids[index];
    const original = free.get(id);
    if (original === undefined) return undefined;
    free.delete(id);
    indexes[index] = original;
  }
  return indexes;
}

/** The maximum number of IDs to list in a message. */
const maxListed = 5;

function describe(problem: string, ids: readonly string[]): string | undefined {
  if (ids.length === 0) return undefined;
  const suffix = ids.length > maxListed ? ` and ${ids.length - maxListed} more` : '';
  return `${problem}: ${ids.slice(0, maxListed).map(inQuotes).join(', ')}${suffix}`;
}

function duplicatesIn(ids: readonly string[]): string[] {
  const seen = new Set<string>();
  const duplicates = new Set<string>();
  for (const id of ids) (seen.has(id) ? duplicates : seen).add(id);
  return [...duplicates];
}
