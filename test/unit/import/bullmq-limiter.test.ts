import { expect, it } from 'vitest';
import { limiterOf } from '../../../src/import/bullmq/limiter.js';

it.each([
  [1, { max: 1, duration: 60_000 }],
  [60, { max: 1, duration: 1000 }],
  [240, { max: 2, duration: 500 }],
  [600, { max: 5, duration: 500 }],
  [700, { max: 6, duration: 514 }],
  [100_000, { max: 833, duration: 500 }],
])('a limit of %d requests per minute allows short bursts only', (requestsPerMinute, limiter) => {
  expect(limiterOf(requestsPerMinute)).toEqual(limiter);
});

it('requests are practically unlimited by default', () => {
  expect(limiterOf(undefined)).toEqual({ max: 5_000_000, duration: 500 });
});
