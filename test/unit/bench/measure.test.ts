import { expect, test } from 'vitest';
import { orderOfRound, ratioOf, takeTurns, time } from '../../../bench/support/measure.js';

test('orderOfRound returns every side once per round and rotates which side goes first', () => {
  const sides = ['ours', 'fetch', 'ky'];
  const rounds = Array.from({ length: 6 }, (_, round) => orderOfRound(sides, round));
  for (const round of rounds) expect(round.toSorted()).toEqual(sides.toSorted());
  expect(rounds.map(([first]) => first).toSorted()).toEqual(['fetch', 'fetch', 'ky', 'ky', 'ours', 'ours']);
});

test.each([2, 3, 7])('orderOfRound varies the order of %i sides between rounds', (count) => {
  const sides = Array.from({ length: count }, (_, side) => side);
  const rounds = Array.from({ length: 2 * count }, (_, round) => orderOfRound(sides, round).join());
  expect(new Set(rounds.map((round) => round[round.indexOf('0') - 2])).size).toBeGreaterThan(1);
});

test('ratioOf compares times from the same round', () => {
  // Every side is three times slower in the last round, so the ratios stay the same.
  const times = { ours: [2, 2, 6], fetch: [1, 1, 3], ky: [4, 4, 12] };
  expect(ratioOf(times, 'ours', 'fetch')).toEqual({ median: 2, low: 2, high: 2 });
  expect(ratioOf(times, 'ours', 'ky')).toEqual({ median: 0.5, low: 0.5, high: 0.5 });
});

test('takeTurns calls each side `repeat` times in every round, including the warm-up round', async () => {
  const calls = { ours: 0, fetch: 0 };
  const work = (side: keyof typeof calls) => async () => {
    calls[side] += 1;
  };
  const times = await takeTurns({ ours: work('ours'), fetch: work('fetch') }, { repeat: 5, rounds: 3 });
  expect(calls).toEqual({ ours: 20, fetch: 20 });
  expect(times.ours).toHaveLength(3);
});

test('takeTurns supports multiple warm-up rounds and sides that time themselves', async () => {
  const turns: unknown[] = [];
  const remote = {
    take: async (turn: unknown) => {
      turns.push(turn);
      return turns.length;
    },
  };
  const times = await takeTurns(
    { remote, ours: () => {} },
    { repeat: 5, rounds: 2, warmUp: 3, clock: 'cpu' },
  );
  expect(turns).toEqual(Array(5).fill({ repeat: 5, clock: 'cpu' }));
  expect(times.remote).toEqual([4, 5]);
});

test('time() stops after `within` milliseconds and returns the time per call', async () => {
  let calls = 0;
  const slow = () => {
    calls += 1;
    const started = performance.now();
    while (performance.now() - started < 2);
  };
  expect(await time(slow, { repeat: 1_000_000, within: 20 })).toBeGreaterThanOrEqual(2);
  expect(calls).toBeLessThanOrEqual(10);
});
