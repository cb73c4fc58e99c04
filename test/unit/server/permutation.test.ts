import { describe, expect, test } from 'vitest';
import { requirePermutation } from '../../../mock-server/rules/permutation.js';

const expected = ['a', 'b', 'c'];

/** All lists of these ids up to a length. */
function listsOf(ids: readonly string[], longest: number): string[][] {
  const shorter = longest === 0 ? [] : listsOf(ids, longest - 1);
  return longest === 0 ? [[]] : [[], ...ids.flatMap((id) => shorter.map((list) => [id, ...list]))];
}

const reorder = (ids: readonly string[]) =>
  requirePermutation('invalid_ticket_list', 'ticket_ids', ids, { expected, whole: 'all' });

describe('of all lists of up to four ids', () => {
  const isPermutation = (ids: readonly string[]) => [...ids].sort().join() === 'a,b,c';
  const lists = listsOf(['a', 'b', 'c', 'x'], 4);

  test('the permutations give where each id stood', () => {
    const given = lists.filter(isPermutation);

    expect(given).toHaveLength(6);
    for (const ids of given) expect(reorder(ids).map((place) => expected[place])).toEqual(ids);
  });

  test('any other is refused, with what is wrong in it', () => {
    for (const ids of lists.filter((list) => !isPermutation(list))) {
      const missing = expected.filter((id) => !ids.includes(id));
      const message = expect.stringContaining(
        missing.length ? `missing: ${missing.join(', ')}` : 'must name all',
      );
      expect(() => reorder(ids), ids.join()).toThrow(
        expect.objectContaining({ code: 'invalid_ticket_list', fieldErrors: { ticket_ids: [message] } }),
      );
    }
  });
});
