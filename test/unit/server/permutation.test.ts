import { describe, expect, test } from 'vitest';
import { requirePermutation } from '../../../mock-server/rules/permutation.js';

const expected = ['a', 'b', 'c'];

/** Returns every sequence of the given IDs, up to the given length. */
function listsOf(ids: readonly string[], longest: number): string[][] {
  const shorter = longest === 0 ? [] : listsOf(ids, longest - 1);
  return longest === 0 ? [[]] : [[], ...ids.flatMap((id) => shorter.map((list) => [id, ...list]))];
}

const reorder = (ids: readonly string[]) =>
  requirePermutation('invalid_ticket_list', 'ticket_ids', ids, { expected, what: 'letter' });

describe('requirePermutation', () => {
  const isPermutation = (ids: readonly string[]) => [...ids].sort().join() === 'a,b,c';
  const lists = listsOf(['a', 'b', 'c', 'x'], 4);

  test('returns the original index of each ID if the list is a permutation', () => {
    const permutations = lists.filter(isPermutation);

    expect(permutations).toHaveLength(6);
    for (const ids of permutations) expect(reorder(ids).map((index) => expected[index])).toEqual(ids);
  });

  test('throws an error that describes the problem for any other list of up to four IDs', () => {
    for (const ids of lists.filter((list) => !isPermutation(list))) {
      const missing = expected.filter((id) => !ids.includes(id));
      const message = expect.stringContaining(
        missing.length
          ? `missing: ${missing.map((id) => `"${id}"`).join(', ')}`
          : 'must contain each letter exactly once; ',
      );
      expect(() => reorder(ids), ids.join()).toThrow(
        expect.objectContaining({ code: 'invalid_ticket_list', fieldErrors: { ticket_ids: [message] } }),
      );
    }
  });
});
