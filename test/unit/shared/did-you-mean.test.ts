import { describe, expect, it } from 'vitest';
import { didYouMean, nearestOf } from '../../../src/shared/did-you-mean.js';

const names = ['timeout', 'token', 'fetch', 'wire'];

describe('the suggested name for a typo', () => {
  it.each([
    ['tmeout', 'timeout', 'a letter left out'],
    ['timeoutt', 'timeout', 'a letter too many'],
    ['timeaut', 'timeout', 'a letter for another'],
    ['itmeout', 'timeout', 'two letters that changed places'],
    ['TIMEOUT', 'timeout', 'the case of letters'],
    ['token', 'token', 'nothing at all'],
  ])('for %s is %s: %s', (name, meant) => {
    expect(nearestOf(name, names)).toBe(meant);
  });

  it('is the one with fewer typos, wherever it is in the list', () => {
    expect(nearestOf('boarde', ['bored', 'board'])).toBe('board');
  });

  it.each(['meou', 'tokenise', '', 'x'.repeat(100_000), `timeout${'t'.repeat(3)}`])(
    'is undefined for %.20s',
    (name) => {
      expect(nearestOf(name, names)).toBeUndefined();
    },
  );
});

it('didYouMean suggests the most similar name, or lists all names', () => {
  expect(didYouMean('bord', ['board', 'ticket'])).toBe('did you mean "board"?');
  expect(didYouMean('limt', ['limit', 'maxDelay'], 'retry.')).toBe('did you mean "retry.limit"?');
  expect(didYouMean('somewhere', ['limit', 'maxDelay'], 'retry.')).toBe('expected one of: limit, maxDelay');
});
