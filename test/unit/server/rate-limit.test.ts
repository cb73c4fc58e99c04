import { expect, test } from 'vitest';
import { RateLimit } from '../../../mock-server/faults/rate-limit.js';

/** Creates a rate limit of one request per 10 ms, with a manual clock. */
function limitOfOne() {
  const clock = { now: 1000 };
  const limit = new RateLimit({ limit: 1, window: 10 }, () => clock.now);
  return { clock, limit, passes: (token?: string) => limit.exceededBy(token) === undefined };
}

test('the rate limiter stores only tokens that have an open window', () => {
  const { clock, limit, passes } = limitOfOne();
  const sizes = [];
  for (let count = 0; count < 100; count += 1) {
    clock.now += 1;
    passes(`wt_${count}`);
    sizes.push(limit.size);
  }

  expect(sizes.slice(0, 12)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10]);
  expect(Math.max(...sizes)).toBe(10);
});

test("removing an expired token doesn't affect other tokens", () => {
  const { clock, passes } = limitOfOne();
  const first = [passes('a'), passes('a')];
  clock.now += 5;
  const second = [passes('b'), passes('b')];
  clock.now += 5;
  const third = [passes('c'), passes('b'), passes('a'), passes('a')];

  expect([first, second, third]).toEqual([
    [true, false],
    [true, false],
    [true, false, true, false],
  ]);
});

test("setting the clock back doesn't keep a window open forever", () => {
  const { clock, limit, passes } = limitOfOne();
  for (const now of [1000, 1008, 1004, 1003, 1012]) {
    clock.now = now;
    for (const token of ['a', 'b', `wt_${now}`]) passes(token);
  }
  clock.now = 2000;

  expect([passes('a'), passes('a'), limit.size]).toEqual([true, false, 1]);
});
