import type { RuleFailureCode } from '../../src/contract/index.js';
import { refuseField } from './refusal.js';

/**
 * A reorder list is valid where it names exactly the expected records, each once.
 *
 * @returns the list
 * @throws Refusal that says what is missing, what does not belong and what is named twice
 */
export function refuseUnlessPermutation(
  code: RuleFailureCode,
  field: string,
  ids: readonly string[],
  { expected, whole }: { expected: readonly string[]; whole: string },
): readonly string[] {
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
  if (problems.length === 0) return ids;
  throw refuseField(code, field, `must name ${whole}, each exactly once; ${problems.join('; ')}`);
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
