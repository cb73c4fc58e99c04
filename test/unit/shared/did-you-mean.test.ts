import { describe, expect, it } from 'vitest';
import { didYouMean, nearestOf } from '../../../src/shared/did-you-mean.js';

const names = ['timeout', 'token', 'fetch', 'wire'];

describe('nearestOf', () => {
  it.each([
    ['tmeout', 'timeout', 'a missing letter'],
    ['timeoutt', 'timeout', 'an extra letter'],
    ['timeaut', 'timeout', 'a wrong letter'],
    ['itmeout', 'timeout', 'two swapped letters'],
    ['TIMEOUT', 'timeout', 'different case'],
    ['token', 'token', 'no typo'],
  ])('maps %s to %s (%s)', (name, suggestion) => {
    expect(nearestOf(name, names)).toBe(suggestion);
  });

  it('returns the name with the fewest typos, regardless of its position in the list', () => {
    expect(nearestOf('boarde', ['bored', 'board'])).toBe('board');
  });

  it('finds names with or without a suffix', () => {
    expect(nearestOf('assignees', ['title', 'assignee_ids'])).toBe('assignee_ids');
    expect(nearestOf('board_id', ['title', 'board'])).toBe('board');
  });

  it('allows one typo in names of one or two characters', () => {
    expect(nearestOf('me', ['move'])).toBeUndefined();
    expect(nearestOf('id', ['ids', 'move'])).toBe('ids');
  });

  it.each(['meou', 'tokenise', '', 'x'.repeat(100_000), `timeout${'t'.repeat(3)}`])(
    'returns undefined if no name is similar enough (case %#)',
    (name) => {
      expect(nearestOf(name, names)).toBeUndefined();
    },
  );
});

it('didYouMean suggests the most similar name, or lists all names if none is similar', () => {
  expect(didYouMean('bord', ['board', 'ticket'])).toBe('did you mean "board"?');
  expect(didYouMean('limt', ['limit', 'maxDelay'], 'retry.')).toBe('did you mean "retry.limit"?');
  expect(didYouMean('somewhere', ['limit', 'maxDelay'], 'retry.')).toBe('expected one of: limit, maxDelay');
});
