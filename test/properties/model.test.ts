import { describe, expect, test } from 'vitest';
import { checkSequences } from './check-sequences.js';
import { isLong, runs } from './runs.js';

describe('random sequences of all operations', () => {
  test('are answered as the model of the specification answers them', async () => {
    const numRuns = runs({ quick: 200, long: 5000 });
    const begun = performance.now();
    const tally = await checkSequences({ numRuns });
    const requests = [...tally.values()].reduce((sum, count) => sum + count, 0);
    expect(requests).toBeGreaterThan(numRuns);
    if (!isLong) return;
    const seconds = Math.round((performance.now() - begun) / 1000);
    console.info(`${numRuns} sequences, ${requests} requests, ${tally.size} kinds of answer, ${seconds} s`);
  }, 3_600_000);
});
