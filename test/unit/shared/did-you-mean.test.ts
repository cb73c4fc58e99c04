import { describe, expect, it } from 'vitest';
import { didYouMean, nearestOf } from '../../../src/shared/did-you-mean.js';

const names = ['timeout', 'token', 'fetch', 'wire'];

describe('the name that a misspelt one may have meant', () => {
  it.each([
    ['tmeout', 'timeout', 'a letter left out'],
    ['timeoutt', 'timeout', 'a letter too many'],
    ['timeaut', 'timeout', 'a letter for another'],
    ['itmeout', 'timeout', 'two letters that changed places'],
    ['TIMEOUT', 'timeout', 'the case of letters'],
    ['token', 'token', 'nothing at all'],
  ])('%s means %s: %s', (name, meant) => {
    expect(nearestOf(name, names)).toBe(meant);
  });

  it('is the one with fewer slips, wherever it stands', () => {
    expect(nearestOf('boarde', ['bored', 'board'])).toBe('board');
  });

  it.each(['meou', 'tokenise', '', 'x'.repeat(100_000), `timeout${'t'.repeat(3)}`])(
    '%.20s is none',
    (name) => {
      expect(nearestOf(name, names)).toBeUndefined();
    },
  );
});

it('a name that is none of these is told the nearest, or all there are', () => {
  expect(didYouMean('bord', ['board', 'ticket'])).toBe('did you mean "board"?');
  expect(didYouMean('limt', ['limit', 'maxDelay'], 'retry.')).toBe('did you mean "retry.limit"?');
  expect(didYouMean('somewhere', ['limit', 'maxDelay'], 'retry.')).toBe('expected one of: limit, maxDelay');
});
